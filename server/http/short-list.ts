import type { ListTotal } from '#contract/frame/list-totals.ts'
import { type Directed, offsetOf } from '#database/frame/list.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import { bySelection } from '#domain/stock/stock.ts'

/*
 * Lists of a machine's selections, which the server filters and sorts here: a machine has a few dozen.
 */

interface Named {
  selection: string
  product: string | null
}

/** Whether a search finds a selection by its name or product. */
export const isFound = (search: string | undefined, { selection, product }: Named) =>
  isFoundIn(`${selection} ${product ?? ''}`, search)

export type Sortable = string | number | boolean | null

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true })
const compare = (one: string | number | boolean, other: string | number | boolean) =>
  typeof one === 'string' && typeof other === 'string' ? compareTexts(one, other) : Number(one) - Number(other)

/** Rows by a value; missing values come last in both directions, and rows of equal values keep their order. */
export const sortedBy = <Row>(rows: readonly Row[], valueOf: (row: Row) => Sortable, { ordType }: Directed): Row[] => {
  const sign = ordType === 'DESC' ? -1 : 1
  return rows.toSorted((one, other) => {
    const a = valueOf(one)
    const b = valueOf(other)
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return sign * compare(a, b)
  })
}

/** Rows in order; selections are ordered as in the machine, not alphabetically. */
export function sortedRows<Row extends { selection: string }, Ord extends string>(
  rows: readonly Row[],
  ord: Ord,
  { ordType }: Directed,
  valueOf: (row: Row) => Sortable,
): Row[] {
  const inMachine = rows.toSorted((one, other) => bySelection(one.selection, other.selection))
  if (ord !== 'selection') return sortedBy(inMachine, valueOf, { ordType })
  return ordType === 'DESC' ? inMachine.reverse() : inMachine
}

/** A page of sorted rows. */
export const pageIn = <Row>(rows: readonly Row[], query: { page: number; size: number }) => {
  const from = offsetOf(query)
  return { items: rows.slice(from, from + query.size), total: rows.length, capped: false }
}

/** The totals of columns without currency, over all rows that match; a list without rows has none. */
export function totalsIn<Column extends string>(
  rows: readonly Readonly<Record<Column, number | null>>[],
  columns: readonly Column[],
): ListTotal[] {
  if (rows.length === 0) return []
  const sumOf = (column: Column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)
  return [{ currency: null, values: Object.fromEntries(columns.map((column) => [column, sumOf(column)])) }]
}
