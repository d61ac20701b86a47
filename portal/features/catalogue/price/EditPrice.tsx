import { Button, Flex, Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Price, type PriceConflict, type PriceRow } from '#contract/catalogue/price.ts'
import { ruleOf } from '#contract/rules/rule-of.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { Sheet } from '#portal/ui/dialog/Sheet.tsx'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import { machinePrice, priceIn, tableWord } from './machinePrice.ts'
import classes from './PriceTruth.module.css'
import { wantedOf } from './priceEdits.ts'
import { usePriceSave } from './usePriceSave.ts'

interface Props {
  params: { merchantId: string; posId: string }
  row: PriceRow
  table: number
  close: () => void
}

const schema = Price.nullable()

/** The typed price with the price it was typed on, its fault, and its save. */
function usePriceInput({ params, row, table, close }: Props) {
  const { t } = useTranslation('price')
  const sayRule = useRuleSentence()
  const { save, isSaving, dialog } = usePriceSave(params, row.currency)
  const [before, setBefore] = useState(wantedOf(row, table))
  const [value, setValue] = useState<number | string | null>(before)
  const [conflict, setConflict] = useState<PriceConflict>()
  const typed = value === '' ? null : value
  useKeptInput({
    name: `price ${params.posId} ${row.selection} ${table}`,
    // With the price it was typed on, so that a change by others meanwhile is a conflict.
    input: useMemo(() => ({ before, value }), [before, value]),
    isDirty: typed !== before,
    restore: (input) => {
      setBefore(input.before)
      setValue(input.value)
    },
  })
  const [issue] = schema.safeParse(typed).error?.issues ?? []
  const fault = issue && (typeof typed === 'string' ? t('edit.unclear') : sayRule(ruleOf(issue, typed)))
  const finish = async () => {
    if (fault || typeof typed === 'string') return
    const outcome = await save({ selection: row.selection, priceTable: table, before, price: typed })
    if (outcome === 'failed') return
    if (!outcome) return close()
    setConflict(outcome)
    setBefore(outcome.current)
  }
  return { value, setValue, fault, conflict, isChanged: typed !== before, finish, isSaving, dialog }
}

/** One target price in a large field: a sheet on phones. */
export default function EditPrice(props: Props) {
  const { row, table, close } = props
  const { t } = useTranslation(['price', 'vocabulary', 'form'])
  const { money } = useFormat()
  const isPhone = useIsPhone()
  const { value, setValue, fault, conflict, isChanged, finish, isSaving, dialog } = usePriceInput(props)
  const price = priceIn(row, table)
  const actual = price && machinePrice(price)
  const frame = {
    title: `${[row.selection, row.product].filter(Boolean).join(' ')} · ${t(tableWord(table))}`,
    children: (
      <Stack
        id="edit-price"
        component="form"
        gap="sm"
        className={classes.edit}
        onSubmit={(event) => {
          event.preventDefault()
          void finish()
        }}
      >
        <MoneyInput
          data-autofocus
          size="xl"
          label={t('price:truth.wanted')}
          description={
            actual
              ? t('price:edit.machineHas', { price: money(actual.price, row.currency) })
              : t('price:edit.emptyMeans')
          }
          value={value}
          set={setValue}
          currency={row.currency}
          error={fault}
        />
        {conflict && (
          <Note role="alert" tone="warn" bdrs="inner">
            {t('price:edit.conflict', {
              name: conflict.changedBy ?? t('ui:provider'),
              price: conflict.current === null ? t('vocabulary:priceSync.none') : money(conflict.current, row.currency),
            })}{' '}
            <When at={conflict.changedAt} />
          </Note>
        )}
      </Stack>
    ),
  }
  const buttons = (
    <>
      <Button variant="default" onClick={close} disabled={isSaving}>
        {t('ui:cancel')}
      </Button>
      <Button
        type="submit"
        form="edit-price"
        loading={isSaving}
        disabled={fault !== undefined || (!isChanged && !conflict)}
      >
        {t(conflict ? 'price:edit.saveAnyway' : 'price:edit.save')}
      </Button>
    </>
  )
  if (isPhone)
    return (
      <Sheet title={frame.title} close={close} footer={buttons}>
        {frame.children}
        {dialog}
      </Sheet>
    )
  return (
    <Dialog title={frame.title} onClose={close}>
      {frame.children}
      <Flex gap="near" justify="flex-end" mt="md">
        {buttons}
      </Flex>
      {dialog}
    </Dialog>
  )
}
