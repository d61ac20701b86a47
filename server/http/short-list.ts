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

/** Sorts by a value, then in the machine's order of selections; missing values come last in both directions. */
function inOrderOf<Row extends { selection: string }>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null,
  isDescending: boolean,
): Row[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const a = valueOf(one)
    const b = valueOf(other)
    if (a === b) return bySelection(one.selection, other.selection)
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -sign : sign
  })
}

/** Rows in order; selections are ordered as in the machine, not alphabetically. */
export function sortedRows<Row extends { selection: string }, Ord extends string>(
  rows: readonly Row[],
  ord: Ord,
  { ordType }: Directed,
  valueOf: (row: Row) => string | number | null,
): Row[] {
  const isDescending = ordType === 'DESC'
  if (ord !== 'selection') return inOrderOf(rows, valueOf, isDescending)
  const sorted = rows.toSorted((one, other) => bySelection(one.selection, other.selection))
  return isDescending ? sorted.reverse() : sorted
}

/** A page of sorted rows. */
export const pageIn = <Row>(rows: readonly Row[], query: { page: number; size: number }) => {
  const from = offsetOf(query)
  return { items: rows.slice(from, from + query.size), total: rows.length, capped: false }
}
