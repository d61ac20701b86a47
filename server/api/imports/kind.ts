import { ProductError } from '#contract/errors.ts'
import type { ImportedRow } from '#contract/imports/import.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { ImportedRecord, RestoredRecord } from '#database/imports/import.ts'
import type { Fault, SheetRow } from '#domain/imports/sheet.ts'
import type { TenantCall } from '#server/http/handler.ts'

/** What an import works with: the caller's tables, and the merchant. */
export type ImportCall = Pick<TenantCall, 'db' | 'doors' | 'user' | 'now' | 'live'> & {
  merchantId: string
  currency: Currency
  /** Of the merchant's company; empty if it is not said. */
  country: string
}

export interface Change {
  field: string
  before: unknown
  after: unknown
}

/** What an import does with a row of a file. */
export interface PlannedRow {
  row: number
  outcome: ImportedRow['outcome']
  name: string
  changes: readonly Change[]
  faults: readonly Fault[]
  cells: SheetRow['cells']
  /** What decides whether two previews are the same: the record, its version, and what it becomes. */
  facts: unknown
}

/** A plan for all rows of a file, and how it is carried out. */
export interface ImportPlan {
  rows: readonly PlannedRow[]
  /** Writes the rows that are created or updated, and returns what it did. */
  write(importId: string, fileName: string): Promise<ImportedRecord[]>
}

/** One kind of records that files bring. */
export interface KindOfImport {
  /** Compares the rows with what the merchant has; `hold`: until the end of the transaction. */
  plan(call: ImportCall, rows: readonly SheetRow[], hold: boolean): Promise<ImportPlan>
  /** Takes back what an import did, and returns the records that are not new. Throws ImportRowsChanged or ImportRowsUsed if that is not possible. */
  undo(call: ImportCall, importId: string, records: readonly ImportedRecord[]): Promise<RestoredRecord[]>
}

const mostNamed = 5

/** Refuses to undo an import because of some of its records. */
export function refuseUndo(
  code: 'ImportRowsChanged' | 'ImportRowsUsed',
  records: readonly ImportedRecord[],
  isConcerned: (record: ImportedRecord) => boolean,
): void {
  const concerned = records.filter(isConcerned)
  if (concerned.length === 0) return
  const names = concerned.slice(0, mostNamed).map(({ name }) => name)
  const others = concerned.length - names.length
  throw new ProductError(code, {
    count: concerned.length,
    names: [...names, ...(others > 0 ? [`+${others}`] : [])].join(', '),
  })
}

/** Records that an import and its undo have each given the next version. */
export const restoredOf = (records: readonly ImportedRecord[]): RestoredRecord[] =>
  records.flatMap(({ subject, version, before }) =>
    before ? [{ subject, former: version - 1, restored: version + 1 }] : [],
  )

/** Rows that a plan handles before other calls are answered. */
const rowsAtOnce = 500

/** Maps many rows, and lets other calls be answered meanwhile. */
export async function mapInSteps<T, R>(items: readonly T[], map: (item: T, at: number) => R): Promise<R[]> {
  const results: R[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % rowsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    results.push(map(item, at))
  }
  return results
}
