import { ActionIcon, Button, Flex, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mostPrices } from '#contract/commands/command-parameters.ts'
import { mostParameters } from '#contract/vocabulary/configuration.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import common from '../CommandText.module.css'
import { type Draft, emptyPrice, emptySetting } from './commandOrder.ts'
import classes from './ParameterRows.module.css'
import step from './Step.module.css'
import type { Faults } from './useFaults.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: Faults
  currency: Currency | undefined
}

/** Settings of a configuration, one to a line. */
export function SettingRows({ draft, change, faults }: Props) {
  const { t } = useTranslation('remote-command')
  const { settings } = draft
  return (
    <Rows
      rows={settings}
      most={mostParameters}
      empty={emptySetting}
      set={(next) => change({ settings: next })}
      name={t('field.settings')}
      line={(row, index, edit) => (
        <>
          <TextInput
            aria-label={t('field.settingName', { number: index + 1 })}
            placeholder={t('field.settingNamePrompt')}
            spellCheck={false}
            maxLength={60}
            value={row.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
            onBlur={faults.leave(`settings.${row.name.trim()}`)}
            error={faults.of(`settings.${row.name.trim()}`)}
          />
          <TextInput
            aria-label={t('field.settingValue', { number: index + 1 })}
            placeholder={t('field.settingValuePrompt')}
            spellCheck={false}
            maxLength={500}
            value={row.value}
            onChange={(event) => edit({ value: event.currentTarget.value })}
          />
        </>
      )}
    />
  )
}

/** Prices of selections, one to a line. */
export function PriceRows({ draft, change, faults, currency }: Props) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const tables = Object.entries(priceTables).map(([name, number]) => ({
    value: String(number),
    label: t(`vocabulary:priceTable.${name}`),
  }))
  const symbol = currency ? currencies[currency].symbol : ''
  return (
    <Rows
      rows={draft.prices}
      most={mostPrices}
      empty={emptyPrice}
      set={(next) => change({ prices: next })}
      name={t('remote-command:field.prices')}
      line={(row, index, edit) => (
        <>
          <TextInput
            aria-label={t('remote-command:field.line', { number: index + 1 })}
            placeholder={t('remote-command:field.linePrompt')}
            spellCheck={false}
            maxLength={20}
            value={row.selection}
            onChange={(event) => edit({ selection: event.currentTarget.value })}
            onBlur={faults.leave(`prices.${index}.selection`)}
            error={faults.of(`prices.${index}.selection`)}
          />
          <NativeSelect
            aria-label={t('remote-command:field.table', { number: index + 1 })}
            value={row.priceTable}
            onChange={(event) => edit({ priceTable: event.currentTarget.value })}
            data={[{ value: '', label: t('remote-command:field.allTables') }, ...tables]}
          />
          <TextInput
            aria-label={t('remote-command:field.price', { number: index + 1 })}
            placeholder={t('remote-command:field.pricePrompt')}
            inputMode="decimal"
            maxLength={12}
            leftSection={<span aria-hidden>{symbol}</span>}
            leftSectionWidth={symbol.length > 1 ? 48 : 34}
            value={row.price}
            onChange={(event) => edit({ price: event.currentTarget.value })}
            onBlur={faults.leave(`prices.${index}.price`)}
            error={faults.of(`prices.${index}.price`)}
          />
        </>
      )}
    />
  )
}

interface RowsProps<T> {
  name: string
  rows: readonly T[]
  most: number
  empty: T
  set: (rows: readonly T[]) => void
  line: (row: T, index: number, edit: (part: Partial<T>) => void) => ReactNode
}

function Rows<T>({ name, rows, most, empty, set, line }: RowsProps<T>) {
  const { t } = useTranslation('remote-command')
  return (
    <Stack gap="near" role="group" aria-label={name}>
      <span className={common.subtitle}>{name}</span>
      {rows.map((row, index) => (
        // A line is identified by its position alone.
        <Flex key={index} gap="near" align="flex-start" className={classes.line}>
          {line(row, index, (part) => set(rows.map((one, at) => (at === index ? { ...one, ...part } : one))))}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('field.remove', { number: index + 1 })}
            disabled={rows.length === 1}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Flex>
      ))}
      <Button
        variant="subtle"
        className={step.more}
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={rows.length >= most}
        onClick={() => set([...rows, empty])}
      >
        {t('field.add')}
      </Button>
    </Stack>
  )
}
