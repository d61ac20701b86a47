import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, ordTypes, Text } from '../frame/shapes.ts'

/** The name of a table for its saved state. */
export const TableId = z.string().regex(/^[a-zA-Z][\w.-]{0,60}$/)
/** A column, a filter, something to sort by: names that the screens give. */
const Name = z.string().regex(/^[a-zA-Z][\w.-]{0,60}$/)

const defaults = { currentPage: 1, itemsPerPage: 20 } as const
const lastPage = 10_000_000
const mostColumns = 100
const mostFilters = 50
const mostValues = 500
/** In pixels. */
export const columnWidths = { least: 60, most: 1_000 } as const
/** Maximum tables per user: the number of screens. Beyond it the latest are kept. */
export const mostTables = 200

// Half a character is no text to a database that keeps JSON.
const FilterValue = Text.max(100).overwrite((text) => text.toWellFormed())

/** Values by filter; all of them together are at most 500. */
export const TableFilter = z
  .record(Name, z.array(FilterValue).max(mostValues))
  .refine((filter) => Object.keys(filter).length <= mostFilters)
  .refine((filter) => Object.values(filter).flat().length <= mostValues)
export type TableFilter = z.infer<typeof TableFilter>

/** A column in its position. Null is the list's default for visibility or for the width in pixels. */
export const TableHeader = z.strictObject({
  id: Name,
  isShown: z.boolean().nullable(),
  width: z.int().min(columnWidths.least).max(columnWidths.most).nullable(),
})
export type TableHeader = z.infer<typeof TableHeader>

/** Every column once, in the order they are shown; empty for the list's own order. */
export const TableHeaders = z
  .array(TableHeader)
  .max(mostColumns)
  .refine((headers) => new Set(headers.map(({ id }) => id)).size === headers.length)

export const SortOptions = z.strictObject({ ord: Name, ordType: z.enum(ordTypes) })
export type SortOptions = z.infer<typeof SortOptions>

export const tableCharts = ['none', 'bar', 'line', 'pie'] as const
/** Display options of the rows. */
export const TableOptions = z.strictObject({
  chart: z.enum(tableCharts).default('none'),
  /** The column whose numbers the chart draws; null for the first. */
  measure: Name.nullable().default(null),
})
export type TableOptions = z.infer<typeof TableOptions>

/** A user's latest settings of a table. */
export const TableSettings = z.strictObject({
  /** The merchant of these settings, since groups and machines belong to it; null when unknown. */
  merchantId: z.uuid().nullable().default(null),
  currentPage: z.int().min(1).max(lastPage).default(defaults.currentPage),
  /** `all` is all of them in one scroll. */
  itemsPerPage: z.union([z.int().min(1).max(500), z.literal('all')]).default(defaults.itemsPerPage),
  filter: TableFilter,
  headers: TableHeaders,
  dtOptions: TableOptions,
  sortOptions: SortOptions.nullable(),
})
export type TableSettings = z.infer<typeof TableSettings>

export const TableState = TableSettings.extend({ tableId: TableId, savedAt: Instant })
export type TableState = z.infer<typeof TableState>

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const valid = <T extends z.ZodType>(schema: T, value: unknown): z.output<T>[] => {
  const read = schema.safeParse(value)
  return read.success ? [read.data] : []
}

function readFilter(value: unknown): TableFilter {
  const read: [string, string[]][] = []
  let room = mostValues
  for (const [key, values] of Object.entries(fields(value)).slice(0, mostFilters)) {
    if (!Name.safeParse(key).success || !Array.isArray(values)) continue
    const validValues = values.flatMap((one) => valid(FilterValue, one)).slice(0, room)
    room -= validValues.length
    read.push([key, validValues])
  }
  return Object.fromEntries(read)
}

function readHeaders(value: unknown): TableHeader[] {
  const headers = new Map<string, TableHeader>()
  for (const one of Array.isArray(value) ? value : []) {
    const { id, isShown, width } = fields(one)
    if (headers.size < mostColumns && Name.safeParse(id).success && !headers.has(id as string))
      headers.set(id as string, {
        id: id as string,
        isShown: TableHeader.shape.isShown.catch(null).parse(isShown),
        width: TableHeader.shape.width.catch(null).parse(width),
      })
  }
  return [...headers.values()]
}

/**
 * Reads what was saved, perhaps by an older version: what makes no sense becomes what a table begins with, field by field.
 * Never fails.
 */
export function readTableState(saved: unknown): TableSettings {
  const { merchantId, currentPage, itemsPerPage, filter, headers, dtOptions, sortOptions } = fields(saved)
  const { chart, measure } = fields(dtOptions)
  return {
    merchantId: TableSettings.shape.merchantId.catch(null).parse(merchantId),
    currentPage: TableSettings.shape.currentPage.catch(defaults.currentPage).parse(currentPage),
    itemsPerPage: TableSettings.shape.itemsPerPage.catch(defaults.itemsPerPage).parse(itemsPerPage),
    filter: readFilter(filter),
    headers: readHeaders(headers),
    dtOptions: {
      chart: TableOptions.shape.chart.catch('none').parse(chart),
      measure: TableOptions.shape.measure.catch(null).parse(measure),
    },
    sortOptions: SortOptions.nullable().catch(null).parse(sortOptions),
  }
}

const params = { tableId: TableId }

export const tableStates = {
  listTableStates: endpoint({
    method: 'GET',
    path: '/users/me/table-states',
    summary: 'List your table states',
    needs: 'tableState.read',
    ok: z.array(TableState),
  }),
  saveTableState: endpoint({
    method: 'PUT',
    path: '/users/me/table-states/{tableId}',
    summary: 'Save your state of a table',
    needs: 'tableState.write',
    params,
    body: TableSettings,
    ok: TableState,
  }),
  deleteTableState: endpoint({
    method: 'DELETE',
    path: '/users/me/table-states/{tableId}',
    summary: 'Delete your state of a table',
    needs: 'tableState.write',
    params,
  }),
}
