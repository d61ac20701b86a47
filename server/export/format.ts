import type { RawBuilder } from 'kysely'
import type { FileColumn } from '#database/export/column.ts'

/** A column as a file shows it. */
export type NamedColumn = FileColumn & { name: string }

/** How rows become a file. */
export interface Format {
  /** What is asked of each row. */
  what: RawBuilder<unknown>[]
  /** A statement that precedes the reading, in the same transaction. */
  setting: string
  /** So many rows at a time. */
  batch: number
  write(batches: AsyncIterable<readonly unknown[][]>): AsyncIterable<string | Uint8Array>
}
