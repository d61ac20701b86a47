import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Column } from './types.ts'

/** What the column that rows are called by keeps, when there is little room. */
const leastTitle = 190

/**
 * Widths that stay as they are while rows come and go: what a column says, or as wide as the first rows made it. The title's
 * column has none and takes what is left. Nothing until there were rows to measure.
 */
export function useFixedWidths<T>(
  table: RefObject<HTMLTableElement | null>,
  columns: readonly Column<T>[],
  hasRows: boolean,
) {
  const what = columns.map(({ id, width }) => `${id} ${width ?? ''}`).join()
  const [measured, setMeasured] = useState<{ what: string; widths: Record<string, number> }>()
  const isMeasured = measured?.what === what
  useLayoutEffect(() => {
    if (!hasRows || isMeasured || !table.current) return
    const heads = [...(table.current.tHead?.rows[0]?.cells ?? [])].slice(-columns.length)
    const widths = columns.map(({ id, width }, index) => [
      id,
      width ?? heads[index]?.getBoundingClientRect().width ?? 0,
    ])
    setMeasured({ what, widths: Object.fromEntries(widths) })
  }, [hasRows, isMeasured, what, table, columns])
  if (!measured || !isMeasured) return undefined
  const title = columns.find(({ card, width }) => card === 'title' && !width)?.id
  const others = columns.filter(({ id }) => id !== title).map(({ id }) => measured.widths[id] ?? 0)
  return {
    of: (id: string) => (id === title ? undefined : measured.widths[id]),
    least: others.reduce((sum, width) => sum + width, title ? leastTitle : 0),
  }
}
