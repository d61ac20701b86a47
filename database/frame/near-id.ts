import { type RawBuilder, sql } from 'kysely'
import type { NarrowedTable } from './tenant.ts'

/** Tables in months whose rows are looked up by id, by the column with the time of a row. */
const timeColumn: Partial<Record<NarrowedTable, string>> = {
  transactions: 'created_at',
  audits: 'read_at',
  configurations: 'read_at',
}

/**
 * The column with the time of a table in months, as it is called in a query; undefined for other tables. An id alone says nothing of the month:
 * without a condition on the time, each month is searched.
 */
export function timeOf(table: NarrowedTable, alias: string = table): RawBuilder<Date> | undefined {
  const column = timeColumn[table]
  return column === undefined ? undefined : sql<Date>`${sql.ref(`${alias}.${column}`)}`
}

/** When an id was made; undefined for an id without a time, which no row of ours has. */
export function madeAt(id: string): Date | undefined {
  const digits = id.replaceAll('-', '')
  return digits[12] === '7' ? new Date(Number.parseInt(digits.slice(0, 12), 16)) : undefined
}

/** A row is stored, and gets its id, within this time of its own: all but those of machines that were offline or have a wrong clock. */
const near = sql.raw("interval '1 hour'")

/** The condition that a time lies near the one at which an id was made. */
export const isNear = (time: RawBuilder<unknown>, made: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${time} between ${made} - ${near} and ${made} + ${near}`

/** Looks for the row of an id in a table in months: near the time of the id, and if nothing is there, in each month. */
export async function nearFirst<Row>(
  time: RawBuilder<Date>,
  id: string,
  look: (isThere: RawBuilder<boolean>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const made = madeAt(id)
  const found = made && (await look(isNear(time, sql`${made}::timestamptz`)))
  return found ?? look(sql<boolean>`true`)
}
