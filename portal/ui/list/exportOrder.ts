import type { z } from 'zod'
import type { ExportOrder } from '#contract/export.ts'
import { type ExportList, exportLists } from '#contract/export-lists.ts'
import type { ExportFormat } from '#contract/vocabulary/export.ts'
import { filtersOf } from './listState.ts'

/** A list as it stands on the screen. */
export interface Exported {
  list: ExportList
  params: { merchantId: string; posId?: string }
  /** What was asked of the list's endpoint, filters and all. */
  query: Record<string, unknown>
  /** The ids of the columns, in their order. */
  columns: readonly string[]
  total: number
  isCapped: boolean
}

/** What is sent to have a list as a file: the columns shown, or all there are, its filters and its order. */
export function orderOf(
  { list, params, query, columns }: Exported,
  { format, language, hasAllColumns }: { format: ExportFormat; language: string; hasAllColumns: boolean },
): z.input<typeof ExportOrder> {
  const { columns: known, isOfMachine } = exportLists[list]
  const shown = columns.filter((id) => (known as readonly string[]).includes(id))
  const rest = hasAllColumns ? known.filter((id) => !shown.includes(id)) : []
  const filter = filtersOf(query)
  const { posId } = params
  const order = {
    list,
    format,
    language,
    columns: [...shown, ...rest],
    filter: posId && !isOfMachine ? { ...filter, posIds: [posId] } : filter,
    ...(posId && isOfMachine ? { posId } : {}),
    ...(query.ord ? { ord: query.ord, ordType: query.ordType } : {}),
  }
  // The list's own query is of its own schema; which one, the compiler cannot follow through the table.
  return order as unknown as z.input<typeof ExportOrder>
}
