import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import {
  type ArchivedFile,
  type ArchivedRow,
  type Fields,
  isArchived,
  type ListFile,
  liveLines,
} from '#database/export/retrieval-file.ts'
import { csvField, isForeign, type Speech } from '#database/frame/export/column.ts'
import { type ExportReader, fieldName } from '#database/frame/export/source.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type ArchivedMonth, archivedMonths } from '#database/insight/archived-month.ts'
import type { RetentionTable } from '#domain/frame/retention.ts'
import { linesIn } from '../archive/read-archive.ts'
import { dateStyleOf, headLine } from '../export/csv.ts'
import { headingOf } from '../export/file.ts'
import type { Blobs } from '../files/blobs.ts'
import { mergeSorted, type Sorted } from './merge-sorted.ts'

/** What a file is written for. */
export interface Retrieval {
  reader: ExportReader
  blobs: Pick<Blobs, 'get'>
  merchant: { id: string; timeZone: string; currency: string }
  days: { startDate: string; endDate: string }
  /** The same in instants, the end excluded. */
  from: Date
  to: Date
  language: Language
  speech: Speech
}

type Column = ArchivedFile['columns'][number]

/** Archived rows that one statement turns into lines. */
const batchBytes = 1024 * 1024

/** A file as CSV in pieces, with archived months. Between two pieces, `wrote` receives the number of further rows. */
export async function* csvOfFile(
  db: TenantDb,
  file: ArchivedFile | ListFile,
  columns: readonly Column[],
  retrieval: Retrieval,
  wrote: (rows: number) => Promise<void>,
): AsyncGenerator<string | Uint8Array> {
  const { speech, language, merchant } = retrieval
  const { timeZone, currency } = merchant
  const home = file.hasOwnCurrencies ? { timeZone } : { timeZone, currency: currency as Currency }
  const named = columns.map((column) => ({ ...column, name: headingOf(column, { language }, home) }))
  const fields: Fields = columns.map((column) => csvField(column, file.home, speech))
  const forced = columns.flatMap((column, at) => (isForeign(column) ? [fieldName(at)] : []))
  const shape = { separator: speech.separator, dateStyle: dateStyleOf(language), forced }
  yield headLine(named, speech)
  for await (const query of statementsOf(db, file, fields, retrieval)) {
    for await (const { bytes, count } of db.csv(query, shape)) {
      yield bytes
      await wrote(count)
    }
  }
}

/** The statements whose rows, one after the other, are those of the file. */
async function* statementsOf(db: TenantDb, file: ArchivedFile | ListFile, fields: Fields, retrieval: Retrieval) {
  if (!isArchived(file)) {
    yield (await file.open(db, retrieval.days, retrieval.reader))(fields)
    return
  }
  const { merchant, from, to } = retrieval
  const tables = Object.keys(file.tables) as RetentionTable[]
  // Until the end of the transaction retention drops no month: each row is either in the database or in a file that is known here.
  for (const table of tables) await sql`lock table ${sql.table(table)} in access share mode`.execute(db.query)
  const rowsOf = await file.open(db)
  const archived = Map.groupBy(await archivedMonths(db, merchant.id, tables, { from, to }), ({ month }) => month)
  let since = from
  for (const [month, parts] of archived) {
    const [begins, ends] = boundsOf(month, from, to)
    if (since < begins) yield rowsOf({ from: since, to: begins }, fields)
    for await (const json of batches(db, file, parts, retrieval, { from: begins, to: ends }))
      yield rowsOf({ from: begins, to: ends, json }, fields)
    since = ends
  }
  if (since < to) yield rowsOf({ from: since, to }, fields)
}

/** A month in UTC, as far as it lies in the period. */
function boundsOf(month: string, from: Date, to: Date): [Date, Date] {
  const begins = new Date(`${month}T00:00:00Z`)
  const ends = new Date(Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + 1))
  return [begins < from ? from : begins, ends > to ? to : ends]
}

/** The rows of an archived month as JSON arrays: those of its files, and late ones in the database, in order. */
async function* batches(
  db: TenantDb,
  file: ArchivedFile,
  parts: readonly ArchivedMonth[],
  { blobs }: Retrieval,
  bounds: { from: Date; to: Date },
): AsyncGenerator<string> {
  const sources = [
    ...parts.map((part) => mapped(linesIn(blobs, part), file.tables[part.table_name] ?? null)),
    liveLines(db, file, bounds),
  ]
  let [lines, bytes]: [string[], number] = [[], 0]
  for await (const line of mergeSorted(sources.map((source) => keyed(source, file.order)))) {
    lines.push(line)
    bytes += line.length
    if (bytes < batchBytes) continue
    yield `[${lines.join(',')}]`
    ;[lines, bytes] = [[], 0]
  }
  if (lines.length > 0) yield `[${lines.join(',')}]`
}

async function* mapped(
  source: AsyncIterable<string[]>,
  rowsOf: ((row: ArchivedRow) => ArchivedRow[]) | null,
): AsyncGenerator<string[]> {
  if (rowsOf === null) return yield* source
  for await (const lines of source)
    yield lines.flatMap((line) => rowsOf(JSON.parse(line) as ArchivedRow)).map((row) => JSON.stringify(row))
}

async function* keyed(source: AsyncIterable<string[]>, order: readonly string[]): AsyncGenerator<Sorted<string>> {
  const [at = '', ...rest] = order
  for await (const lines of source) {
    for (const value of lines)
      yield {
        value,
        key: () => {
          const row = JSON.parse(value) as ArchivedRow
          // Instants are UTC: compared without their zone, of which a fraction is the rest.
          return [String(row[at]).replace(/(\+00:00|Z)$/, ''), ...rest.map((name) => String(row[name]))].join('\u0000')
        },
      }
  }
}
