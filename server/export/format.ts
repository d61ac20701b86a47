import type { RawBuilder } from 'kysely'
import type { FileColumn } from '#database/export/column.ts'
import type { TenantDb } from '#database/frame/tenant.ts'

/** A column as a file shows it. */
export type NamedColumn = FileColumn & { name: string }

/** Rows of an export, with the given columns. */
export type Selected = (what: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>

/** How rows become a file. */
export interface Format {
  /** A statement that precedes the reading, in the same transaction. */
  setting: string
  /** The file piece by piece; `wrote` receives the number of rows between two pieces. */
  write(db: TenantDb, rows: Selected, wrote: (rows: number) => Promise<void>): AsyncIterable<string | Uint8Array>
}
