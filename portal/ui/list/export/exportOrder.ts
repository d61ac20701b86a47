import type { z } from 'zod'
import type { ExportOrder } from '#contract/export/export.ts'
import { columnIdsOf, type ExportList, exportLists, isOfMachine } from '#contract/export/export-lists.ts'
import { featureOfColumn } from '#contract/frame/of-feature.ts'
import type { ExportFormat } from '#contract/vocabulary/export.ts'
import type { Gate } from '#contract/vocabulary/feature.ts'
import { filtersOf } from '../state/listState.ts'

/** A list as the screen shows it. */
export interface ExportedList {
  list: ExportList
  params: { merchantId: string; posId?: string }
  /** The query of the list's endpoint, with its filters. */
  query: Record<string, unknown>
  /** The ids of the columns, in their order. */
  columns: readonly string[]
  total: number
  isCapped: boolean
}

/** The request of an export: the columns shown, or all columns, its filters and its order. */
export function orderOf(
  { list, params, query, columns }: ExportedList,
  {
    format,
    language,
    hasAllColumns,
    features,
  }: { format: ExportFormat; language: string; hasAllColumns: boolean; features: ReadonlySet<Gate> },
): z.input<typeof ExportOrder> {
  const { row } = exportLists[list]
  const availableIds = columnIdsOf(list).filter((id) => {
    const feature = featureOfColumn(row, id)
    return !feature || features.has(feature)
  })
  const visibleIds = columns.filter((id) => (availableIds as readonly string[]).includes(id))
  const rest = hasAllColumns ? availableIds.filter((id) => !visibleIds.includes(id)) : []
  const filter = filtersOf(query)
  const { posId } = params
  const order = {
    list,
    format,
    language,
    columns: [...visibleIds, ...rest],
    filter: posId && !isOfMachine(list) ? { ...filter, posIds: [posId] } : filter,
    ...(posId && isOfMachine(list) ? { posId } : {}),
    ...(query.ord ? { ord: query.ord, ordType: query.ordType } : {}),
  }
  // Cast: the query has the list's own schema, which the compiler cannot infer through the table.
  return order as unknown as z.input<typeof ExportOrder>
}
