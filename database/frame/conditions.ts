import { type RawBuilder, sql } from 'kysely'
import { searchPattern } from '#domain/frame/folded.ts'
import type { TenantDb } from './tenant.ts'

type ColumnType = 'uuid' | 'text' | 'int' | 'smallint'

/**
 * A filter that a user may leave out: `column = any(values)`; every row without values. A list that the program has made is not optional, so
 * the compiler refuses it here: see `among`.
 */
export function anyOf<Values extends readonly (string | number)[] | undefined>(
  column: string,
  values: undefined extends Values ? Values : never,
  type: ColumnType,
) {
  return values === undefined || values.length === 0 ? sql<boolean>`true` : among(column, values, type)
}

/** Another filter that a user may leave out: every row without a value, and with an empty list. */
export function when<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? sql<boolean>`true` : condition(value)
}

/** The column has one of these values; no row if there are none. */
export const among = (column: string, values: readonly (string | number)[], type: ColumnType) =>
  sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Finds machines of the scope's merchants whose name, serial or address contains the text, or whose id it is. Returns a function that
 * builds the condition "this column is the id of such a machine"; always true without a text.
 */
export async function machinesFound(
  db: TenantDb,
  text: string | undefined,
): Promise<(column: string) => RawBuilder<boolean>> {
  if (text === undefined || text === '') return () => sql<boolean>`true`
  const { ids, n } = uuid.test(text) ? { ids: `{${text}}`, n: 1 } : await foundBy(db, text)
  return n > mostListed
    ? (column) => sql<boolean>`(${sql.ref(column)} in (select unnest(${ids}::uuid[])) is true)`
    : (column) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
}

/** The planner weighs the values of a list one by one: of many it makes a set (`is true` keeps it from a join, machine by machine). */
const mostListed = 200

/** The ids as the text of an array, which goes into the next statements as it is. */
async function foundBy(db: TenantDb, text: string): Promise<{ ids: string; n: number }> {
  const { rows } = await sql<{ ids: string; n: number }>`
    select coalesce(array_agg(machine_id), '{}')::text as ids, count(*)::int as n
    from search_machines(${searchPattern(text)})`.execute(db.query)
  return rows[0] ?? { ids: '{}', n: 0 }
}

/** Days of each merchant's own calendar, both inclusive. */
export interface Period {
  startDate?: string | undefined
  endDate?: string | undefined
}

/**
 * `column` lies in the period, by the days of each merchant's zone. The query gets one pair of bounds per zone, so that it uses
 * partitions and indexes.
 */
export async function inPeriod(
  db: TenantDb,
  table: string,
  column: string,
  { startDate, endDate }: Period,
): Promise<RawBuilder<boolean>> {
  if (startDate === undefined && endDate === undefined) return sql<boolean>`true`
  const zones = await periodByZone(db, { startDate, endDate })
  const at = sql.ref(`${table}.${column}`)
  const merchant = sql.ref(`${table}.merchant_id`)
  const within = ({ from, to }: Span) => [
    ...(from === 'open' ? [] : [sql<boolean>`${at} >= ${from}`]),
    ...(to === 'open' ? [] : [sql<boolean>`${at} < ${to}`]),
  ]
  const parts = zones.map(
    ({ merchantIds, ...span }) =>
      sql<boolean>`(${sql.join([sql`${merchant} = any(${merchantIds}::uuid[])`, ...within(span)], sql` and `)})`,
  )
  if (parts.length === 0) return sql<boolean>`false`
  if (parts.length === 1) return parts[0] as RawBuilder<boolean>
  // Add the widest bounds with "and": the planner prunes no partitions through "or".
  const instants = (bound: 'from' | 'to') => zones.map((zone) => zone[bound]).filter((one) => one !== 'open')
  const widest = within({
    from: startDate === undefined ? 'open' : new Date(Math.min(...instants('from').map(Number))),
    to: endDate === undefined ? 'open' : new Date(Math.max(...instants('to').map(Number))),
  })
  return sql<boolean>`(${sql.join([...widest, sql`(${sql.join(parts, sql` or `)})`], sql` and `)})`
}

/** An end of a period: an instant, or open because no day was given. Never null: a bound that is not known must not vanish. */
type Bound = Date | 'open'

/** From the first instant to the second, which is excluded. */
interface Span {
  from: Bound
  to: Bound
}

/** Start and end of a period for the merchants of each zone. */
export async function periodByZone(
  db: TenantDb,
  { startDate, endDate }: Period,
): Promise<(Span & { merchantIds: string[] })[]> {
  const { rows } = await sql<{ merchantIds: string[]; from: Date | null; to: Date | null }>`
    select time_zone as zone, array_agg(id) as "merchantIds",
      ${startDate ?? null}::date::timestamp at time zone time_zone as "from",
      (${endDate ?? null}::date + 1)::timestamp at time zone time_zone as "to"
    from merchants where ${db.narrow('merchants')} group by time_zone`.execute(db.query)
  const bound = (day: string | undefined, at: Date | null): Bound => {
    if (day === undefined) return 'open'
    if (!(at instanceof Date)) throw new TypeError(`The day ${day} has no instant`)
    return at
  }
  return rows.map(({ merchantIds, from, to }) => ({
    merchantIds,
    from: bound(startDate, from),
    to: bound(endDate, to),
  }))
}
