import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from './tenant.ts'

/** `column = any(values)`; no filter when there are no values. */
export function anyOf(
  column: string,
  values: readonly (string | number)[] | undefined,
  type: 'uuid' | 'text' | 'int' | 'smallint',
) {
  return values === undefined || values.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
}

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
  const ids = uuid.test(text) ? [text] : await foundBy(db, text)
  return (column) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
}

async function foundBy(db: TenantDb, text: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select machine_id as id from search_machines(${text})`.execute(db.query)
  return rows.map(({ id }) => id)
}

/** An `ilike` pattern for texts that contain this one; its special characters are escaped. */
export const literally = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

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
  if (!startDate && !endDate) return sql<boolean>`true`
  const zones = await periodByZone(db, { startDate, endDate })
  const at = sql.ref(`${table}.${column}`)
  const merchant = sql.ref(`${table}.merchant_id`)
  const parts = zones.map(({ merchantIds, from, to }) => {
    const bounds = [sql<boolean>`${merchant} = any(${merchantIds}::uuid[])`]
    if (from) bounds.push(sql<boolean>`${at} >= ${from}`)
    if (to) bounds.push(sql<boolean>`${at} < ${to}`)
    return sql<boolean>`(${sql.join(bounds, sql` and `)})`
  })
  if (parts.length === 0) return sql<boolean>`false`
  if (parts.length === 1) return parts[0] as RawBuilder<boolean>
  // Add the widest bounds with "and": the planner prunes no partitions through "or".
  const froms = zones.map((zone) => zone.from).filter((from) => from !== null)
  const tos = zones.map((zone) => zone.to).filter((to) => to !== null)
  const widest = [
    ...(froms.length ? [sql<boolean>`${at} >= ${new Date(Math.min(...froms.map(Number)))}`] : []),
    ...(tos.length ? [sql<boolean>`${at} < ${new Date(Math.max(...tos.map(Number)))}`] : []),
  ]
  return sql<boolean>`(${sql.join([...widest, sql`(${sql.join(parts, sql` or `)})`], sql` and `)})`
}

interface ZonePeriod {
  merchantIds: string[]
  from: Date | null
  to: Date | null
}

/** Start and end (exclusive) of a period for the merchants of each zone. */
export async function periodByZone(db: TenantDb, { startDate, endDate }: Period): Promise<ZonePeriod[]> {
  const { rows } = await sql<ZonePeriod & { zone: string }>`
    select time_zone as zone, array_agg(id) as "merchantIds",
      ${startDate ?? null}::date::timestamp at time zone time_zone as "from",
      (${endDate ?? null}::date + 1)::timestamp at time zone time_zone as "to"
    from merchants where ${db.narrow('merchants')} group by time_zone`.execute(db.query)
  return rows.map(({ merchantIds, from, to }) => ({ merchantIds, from, to }))
}
