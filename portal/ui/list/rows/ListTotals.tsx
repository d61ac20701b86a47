import { Box, Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { Amount } from '../../value/Amount.tsx'
import type { Column } from '../types.ts'
import classes from './ListTable.module.css'

interface Props<T> {
  totals: readonly ListTotal[]
  columns: readonly Column<T>[]
}

/** The total of a column in its unit; undefined where there is none. */
function useWritten() {
  const format = useFormat()
  return <T,>({ id, unit }: Column<T>, { currency, values }: ListTotal) => {
    const value = values[id]
    if (value === null || value === undefined) return undefined
    if (unit === 'money') return currency && <Amount minor={value} currency={currency} />
    return unit === 'percent' ? format.percent(value / 100, 1) : format.number(value)
  }
}

function useTotalName(totals: readonly ListTotal[]) {
  const { t } = useTranslation('ui')
  return ({ currency }: ListTotal) =>
    totals.length > 1 && currency ? t('list.totalOf', { currency }) : t('list.total')
}

/** Totals below the columns of a table. */
export function TotalRows<T>({ totals, columns, hasChecks }: Props<T> & { hasChecks: boolean }) {
  const write = useWritten()
  const nameOf = useTotalName(totals)
  if (totals.length === 0) return null
  return (
    <tfoot className={classes.totals}>
      {totals.map((total) => {
        const cells = columns.map((column) => write(column, total))
        const named = cells.findIndex((cell) => cell === undefined)
        return (
          <tr key={total.currency}>
            {hasChecks && <td className="no-print" />}
            {columns.map((column, at) =>
              at === named ? (
                <th key={column.id} scope="row">
                  {nameOf(total)}
                </th>
              ) : (
                <td key={column.id} data-align={column.align}>
                  {cells[at]}
                </td>
              ),
            )}
          </tr>
        )
      })}
    </tfoot>
  )
}

/** The same below the cards of a phone. */
export function TotalCard<T>({ totals, columns }: Props<T>) {
  const write = useWritten()
  const nameOf = useTotalName(totals)
  return totals.map((total) => (
    <Panel key={total.currency} p="sm" mt="xs">
      <Text fw={600}>{nameOf(total)}</Text>
      {columns.map((column) => {
        const written = write(column, total)
        return written === undefined ? null : (
          <Flex key={column.id} justify="space-between" gap="sm">
            <Text span c="dimmed">
              {column.name}
            </Text>
            <Box component="span">{written}</Box>
          </Flex>
        )
      })}
    </Panel>
  ))
}
