import type { RawBuilder } from 'kysely'
import type { DateStyle } from '#database/frame/copy-out.ts'
import type { FileColumn } from '#database/frame/export/column.ts'
import type { TenantDb } from '#database/frame/tenant.ts'

/** A column with its heading. */
export type NamedColumn = FileColumn & { name: string }

/** Rows of an export, with the given columns. */
export type Selected = (what: readonly RawBuilder<unknown>[], dateStyle?: DateStyle) => Promise<RawBuilder<unknown>>

/** A file format. */
export interface Format {
  /** The file in pieces. Between two pieces, `wrote` receives the number of rows. */
  write(db: TenantDb, rows: Selected, wrote: (rows: number) => Promise<void>): AsyncIterable<string | Uint8Array>
}
