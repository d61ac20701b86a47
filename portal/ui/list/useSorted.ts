import { useMemo, useState } from 'react'
import type { TableOrder } from './SortHeading.tsx'

type Value = string | number | null | undefined

const { compare } = new Intl.Collator()

/** Values in their order; unknown ones are last in both directions. */
function compareValues(one: Value, other: Value, isRising: boolean): number {
  const isUnknown = (value: Value) => value === null || value === undefined
  if (isUnknown(one) || isUnknown(other)) return Number(isUnknown(one)) - Number(isUnknown(other))
  const difference =
    typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other))
  return isRising ? difference : -difference
}

/** Rows in the order of a column, by the names of its values; equal rows keep their order. */
export function sortedBy<T, Ord extends string>(
  rows: readonly T[],
  { ord, ordType }: TableOrder<Ord>,
  valueOf: (row: T, ord: Ord) => Value,
): T[] {
  if (ord === null) return [...rows]
  return rows.toSorted((one, other) => compareValues(valueOf(one, ord), valueOf(other, ord), ordType === 'ASC'))
}

/** A short table that sorts in the browser: its rows, and what its headings need. */
export function useSorted<T, Ord extends string>(rows: readonly T[], valueOf: (row: T, ord: Ord) => Value) {
  const [order, sort] = useState<TableOrder<Ord>>({ ord: null, ordType: 'DESC' })
  // oxlint-disable-next-line react/exhaustive-deps -- a column's values depend on its row alone
  const sorted = useMemo(() => sortedBy(rows, order, valueOf), [rows, order])
  return { rows: sorted, heading: { ...order, sort } }
}
