import { z } from 'zod'
import type { AnyEndpoint } from './endpoint.ts'
import type { ListColumns } from './list-columns.ts'

/**
 * A list that can be exported: the row whose permission and feature it takes, what can be filtered and sorted by, and its columns. A column
 * has the id it has on the screen, where one may hold several facts: each of them has a column in the file.
 */
export interface ExportedList {
  row: Pick<AnyEndpoint, 'needs' | 'feature' | 'path'>
  filters: z.ZodType
  ords: readonly [string, ...string[]]
  columns: ListColumns
}

export const noFilters = z.strictObject({})
