import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type StockRow, stock, type WaitingStock } from '#contract/stock/stock.ts'
import { stockMovements } from '#contract/stock/stock-movement.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import classes from './Stock.module.css'

interface Props {
  params: { merchantId: string; posId: string }
  /** Whether the user books stock. */
  mayBook: boolean
}

/** More selections than machines have. */
const all = { size: 500, ord: 'selection' as const }

/** What needs a decision: numbers of the machine that differ from the books, and refills that wait for the machine. */
export function StockFindings({ params, mayBook }: Props) {
  const { data } = useQuery(queryOf(stock.listStock, { params, query: all }))
  if (!data) return null
  const differing = data.items.filter(({ difference }) => difference !== null)
  return (
    <>
      {differing.length > 0 && <Differences params={params} mayBook={mayBook} rows={differing} />}
      {data.waiting.length > 0 && <Waiting params={params} mayBook={mayBook} lines={data.waiting} />}
    </>
  )
}

function Differences({ params, mayBook, rows }: Props & { rows: readonly StockRow[] }) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  const settle = useCommand(stockMovements.settleStockDifferences, { says: 'stock:difference.settled' })
  const keep = (some: readonly StockRow[], by: 'portal' | 'machine') =>
    settle.mutate({ params, body: { selections: some.map(({ selection }) => selection), keep: by } })
  const buttons = (some: readonly StockRow[], name: string) =>
    mayBook && (
      <Group gap={8}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t('difference.takeMachine')} ${name}`}
          loading={settle.isPending}
          onClick={() => keep(some, 'machine')}
        >
          {t('difference.takeMachine')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${t('difference.keepPortal')} ${name}`}
          disabled={settle.isPending}
          onClick={() => keep(some, 'portal')}
        >
          {t('difference.keepPortal')}
        </Button>
      </Group>
    )
  return (
    <Box
      component="section"
      mb="part"
      py="sm"
      px="part"
      bdrs="inner"
      bg="var(--warn-soft)"
      className={classes.finding}
      aria-label={t('difference.title', { count: rows.length, number: format.number(rows.length) })}
    >
      <Group component="strong" gap="near" wrap="nowrap" display="inline-flex">
        <IconAlertTriangle size={17} aria-hidden />
        {t('difference.title', { count: rows.length, number: format.number(rows.length) })}
      </Group>
      <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
        {t('difference.what')}
      </Text>
      <Stack gap={6}>
        {rows.map((row) => (
          <Group key={row.selection} justify="space-between" gap={8}>
            <span>
              <strong>{row.selection}</strong> {row.product}:{' '}
              {t('difference.line', {
                level: format.number(row.level),
                reported: format.number(row.reported ?? 0),
              })}
              {row.reportedAt && (
                <>
                  {' · '}
                  <When at={row.reportedAt} />
                </>
              )}
            </span>
            {buttons([row], row.selection)}
          </Group>
        ))}
        {rows.length > 1 && (
          <Group justify="space-between" gap={8}>
            <strong>{t('difference.every', { number: format.number(rows.length) })}</strong>
            {buttons(rows, t('difference.all'))}
          </Group>
        )}
      </Stack>
    </Box>
  )
}

function Waiting({ params, mayBook, lines }: Props & { lines: readonly WaitingStock[] }) {
  const { t } = useTranslation('stock')
  const format = useFormat()
  const settle = useCommand(stockMovements.settleStockRefills, { says: 'stock:waiting.settled' })
  const end = (some: readonly WaitingStock[], as: 'count' | 'dropped') =>
    settle.mutate({ params, body: { refills: some.map(({ id, selection }) => ({ id, selection })), as } })
  const buttons = (some: readonly WaitingStock[], name: string) =>
    mayBook && (
      <Group gap={8}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t('waiting.count')} ${name}`}
          loading={settle.isPending}
          onClick={() => end(some, 'count')}
        >
          {t('waiting.count')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${t('waiting.drop')} ${name}`}
          disabled={settle.isPending}
          onClick={() => end(some, 'dropped')}
        >
          {t('waiting.drop')}
        </Button>
      </Group>
    )
  const whatOf = ({ counted, waste, loaded }: WaitingStock) =>
    [
      counted !== null && t('waiting.counted', { number: format.number(counted) }),
      waste > 0 && t('waiting.waste', { number: format.number(waste) }),
      loaded > 0 && t('waiting.loaded', { number: format.number(loaded) }),
    ]
      .filter(Boolean)
      .join(', ')
  return (
    <Box
      component="section"
      mb="part"
      py="sm"
      px="part"
      bdrs="inner"
      bg="var(--warn-soft)"
      className={classes.finding}
      aria-label={t('waiting.title')}
    >
      <Group component="strong" gap="near" wrap="nowrap" display="inline-flex">
        <IconHourglass size={17} aria-hidden />
        {t('waiting.title')}
      </Group>
      <Text maw="90ch" c="dimmed" fz="sm" className={classes.note}>
        {t('waiting.what')}
      </Text>
      <Stack gap={6}>
        {lines.map((line) => (
          <Group key={`${line.id} ${line.selection}`} justify="space-between" gap={8}>
            <span>
              <strong>{line.selection}</strong>: {whatOf(line)} · {line.by ?? '–'} · <When at={line.at} />
            </span>
            {buttons([line], line.selection)}
          </Group>
        ))}
        {lines.length > 1 && (
          <Group justify="space-between" gap={8}>
            <strong>{t('difference.every', { number: format.number(lines.length) })}</strong>
            {buttons(lines, t('difference.all'))}
          </Group>
        )}
      </Stack>
    </Box>
  )
}
