import { mostPivotColumns, type ReportPivot } from '#contract/insight/report.ts'
import { numberedDimensions, type ReportFigure } from '#contract/vocabulary/insight/report.ts'
import { figureOf, type Joined, type ReportSums, type SummedRow, totalOf } from './report-figures.ts'
import { compareNumbers, type Sorting } from './report-order.ts'

type Column = ReportPivot['columns'][number]

const { compare: inOrder } = new Intl.Collator()

/** Values of a denomination are those of a currency. */
const columnKeyOf = ({ keys, currency }: SummedRow, isOfCurrency: boolean) =>
  JSON.stringify([keys[1] ?? null, isOfCurrency ? currency : null])
const rowKeyOf = ({ merchantId, currency, keys }: SummedRow) => JSON.stringify([merchantId, currency, keys[0] ?? null])

/** The columns in order: numbered ones by their number, others by their figure. Those above the maximum are one. */
function columnsOf(joined: readonly Joined[], { by, figure }: Pick<Pivoting, 'by' | 'figure'>) {
  const dimension = by[1]
  const isOfCurrency = dimension === 'denomination'
  const isNumbered = dimension !== undefined && numberedDimensions.includes(dimension)
  const all = [...Map.groupBy(joined, ({ place }) => columnKeyOf(place, isOfCurrency))].map(([id, some]) => {
    const { keys, labels, currency } = (some[0] as Joined).place
    const column: Column = { key: keys[1] ?? null, label: labels[1] ?? null, currency }
    // Amounts of several currencies are added to order columns, and for nothing else.
    return { id, column, rank: figureOf(figure, totalOf(some.map(({ now }) => now))) }
  })
  const byRank = all.toSorted((one, other) => compareNumbers(one.rank, other.rank, false))
  const shown = byRank.slice(0, mostPivotColumns)
  const ordered = isNumbered
    ? shown.toSorted(
        (one, other) =>
          inOrder(one.column.currency, other.column.currency) * Number(isOfCurrency) ||
          Number(one.column.key ?? -1) - Number(other.column.key ?? -1),
      )
    : shown
  return { columns: ordered, others: all.length - shown.length, isOfCurrency }
}

interface Pivoting extends Sorting {
  figure: ReportFigure
}

/**
 * A figure by the first grouping in rows and the second in columns. Totals are of the sums of their row or column, so that figures that add up
 * are the sum of their cells, and averages and shares are those of all. `joined` is in the order of the report.
 */
export function pivotOf(joined: readonly Joined[], pivoting: Pivoting): ReportPivot {
  const { figure, order } = pivoting
  const { columns, others, isOfCurrency } = columnsOf(joined, pivoting)
  const placeIn = new Map(columns.map(({ id }, at) => [id, at]))
  const width = columns.length + (others > 0 ? 1 : 0)
  const cellsOf = (some: readonly Joined[]) => {
    const sums: ReportSums[][] = Array.from({ length: width }, () => [])
    for (const { place, now } of some) sums[placeIn.get(columnKeyOf(place, isOfCurrency)) ?? columns.length]?.push(now)
    return sums.map((all) => (all.length === 0 ? null : figureOf(figure, totalOf(all))))
  }
  const totalIn = (some: readonly Joined[]) => figureOf(figure, totalOf(some.map(({ now }) => now)))
  const rows = [...Map.groupBy(joined, ({ place }) => rowKeyOf(place)).values()].map((some) => {
    const { merchantId, merchantName, currency, keys, labels } = (some[0] as Joined).place
    return {
      merchantId,
      merchantName,
      currency,
      key: keys[0] ?? null,
      label: labels[0] ?? null,
      isGone: some.every(({ place }) => place.isGone),
      cells: cellsOf(some),
      total: totalIn(some),
    }
  })
  return {
    figure,
    columns: columns.map(({ column }) => column),
    others,
    rows: sortRows(rows, columns, order),
    rowCount: rows.length,
    totals: [...Map.groupBy(joined, ({ place }) => place.currency)].map(([currency, some]) => ({
      currency,
      cells: cellsOf(some),
      total: totalIn(some),
    })),
  }
}

/** Rows by one of their columns or their total; names and the default are the order of the report. */
function sortRows(
  rows: ReportPivot['rows'],
  columns: readonly { column: Column }[],
  order: Pivoting['order'],
): ReportPivot['rows'] {
  if (!order || order.ord === 'first' || order.ord === 'merchant') return rows
  const at = order.key === undefined ? -1 : columns.findIndex(({ column }) => (column.key ?? '') === order.key)
  const valueOf = ({ cells, total }: ReportPivot['rows'][number]) => (at < 0 ? total : (cells[at] ?? null))
  return rows.toSorted(
    (one, other) =>
      inOrder(one.currency, other.currency) || compareNumbers(valueOf(one), valueOf(other), order.isRising),
  )
}
