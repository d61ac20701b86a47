import { type RefObject, useState } from 'react'
import type { Column } from '../types.ts'
import { headWidths } from './useColumnWidths.ts'

/** The minimum width of the title's column. */
const leastTitle = 190

/**
 * Widths that stay constant while rows change: a column's own width, or that of the first rows. The title's column has
 * none and takes the rest. Undefined before there are rows to measure.
 */
export function useFixedWidths<T>(table: RefObject<HTMLTableElement | null>, columns: readonly Column<T>[]) {
  const what = columns.map(({ id, width }) => `${id} ${width ?? ''}`).join()
  const [measured, setMeasured] = useState<{ what: string; widths: ReadonlyMap<string, number> }>()
  const isMeasured = measured?.what === what
  /** Called once rows are in the page. */
  const measure = () => {
    if (isMeasured || !table.current) return
    const heads = headWidths(table.current, columns)
    setMeasured({ what, widths: new Map(columns.map(({ id, width }) => [id, width ?? heads.get(id) ?? 0])) })
  }
  if (!measured || !isMeasured) return { layout: undefined, measure }
  const title = columns.find(({ card, width }) => card === 'title' && !width)?.id
  const others = columns.filter(({ id }) => id !== title).map(({ id }) => measured.widths.get(id) ?? 0)
  const layout = {
    of: (id: string) => (id === title ? undefined : measured.widths.get(id)),
    least: others.reduce((sum, width) => sum + width, title ? leastTitle : 0),
  }
  return { layout, measure }
}
