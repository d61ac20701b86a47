import { type RawBuilder, sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { amounts } from './group-hours.ts'

/*
 * Hours of days that have been summed up, and a machine's kinds and products of the day, in arrays: one row of packed_sales_days or
 * packed_group_sales_days takes a fifteenth of the room of its hours. The views sales_hourly, group_sales_hourly and product_sales_daily
 * unpack them.
 */

const kinds = ['type', 'media_type', 'media_source'] as const
const ofProducts = [...kinds, 'price_table', 'product'] as const

const packings = {
  machine: {
    table: 'packed_sales_days',
    key: ['merchant_id', 'day', 'machine_id'],
    codes: ofProducts,
    parts: ['hour', 'day'],
  },
  group: {
    table: 'packed_group_sales_days',
    key: ['merchant_id', 'group_id', 'day'],
    codes: kinds,
    parts: ['hour'],
  },
} as const

export type Packed = keyof typeof packings

/** The table of packed rows. */
export const packedTable = <Of extends Packed>(of: Of) => packings[of].table
type Part = 'hour' | 'day'

const list = (names: readonly string[], alias?: string) =>
  names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ')

/** The arrays of a part. */
const arraysOf = (of: Packed, part: Part) => [
  ...(part === 'hour' ? ['hour_minute'] : []),
  ...packings[of].codes.map((name) => `${part}_${name}`),
  ...amounts.map((name) => `${part}_${name}`),
]

/** The columns of a packed row, its arrays last. */
export const packedColumns = (of: Packed): readonly string[] => [
  ...packings[of].key,
  'starts_at',
  ...packings[of].parts.flatMap((part) => arraysOf(of, part)),
]

/** Rows `x` of the hours or codes as arrays, in one order; an amount that is 0 in all of them is null. */
function arrays(of: Packed, part: Part): string {
  const { key, codes } = packings[of]
  const order = list([...(part === 'hour' ? ['hour'] : []), ...codes], 'x')
  const minutes = `array_agg((extract(epoch from x.hour - x.starts_at) / 60)::smallint order by ${order}) as hour_minute`
  return `select ${list(key, 'x')}${part === 'hour' ? `, min(x.hour) as starts_at, ${minutes}` : ''},
    ${codes.map((name) => `array_agg(x.${name} order by ${order}) as ${part}_${name}`).join(', ')},
    ${amounts
      .map(
        (name) =>
          `case when bool_or(x.${name} <> 0) then array_agg(x.${name} order by ${order}) end as ${part}_${name}`,
      )
      .join(', ')}`
}

const summed = amounts.map((name) => `sum(s.${name})::bigint as ${name}`).join(', ')

/**
 * Packed rows, in the order of `packedColumns`, of a relation with hours in the columns of their view. Rows of one hour and code are added up.
 */
export function packedRows(of: Packed, hours: string): string {
  const { key, codes, parts } = packings[of]
  const grouped = (names: readonly string[]) => `
    select ${list([...key, ...names, ...codes], 's')}, ${summed} from ${hours} s group by ${list([...key, ...names, ...codes], 's')}`
  const ofHours = `
    ${arrays(of, 'hour')} from (
      select h.*, min(h.hour) over (partition by ${list(key, 'h')}) as starts_at from (${grouped(['hour'])}) h
    ) x group by ${list(key, 'x')}`
  if (parts.length === 1) return ofHours
  return `select h.*, ${list(arraysOf(of, 'day'), 'd')}
    from (${ofHours}) h join (${arrays(of, 'day')} from (${grouped([])}) x group by ${list(key, 'x')}) d using (${list(key)})`
}

const open = { machine: 'open_sales_hourly', group: 'open_group_sales_hourly' } as const
const views = { machine: 'sales_hourly', group: 'group_sales_hourly' } as const

/**
 * Packs a merchant's day: what is packed already, and the hours added since. The transaction has one snapshot, or keeps writers of the
 * merchant away.
 */
export const packDay = (db: TenantDb, of: Packed, merchantId: string, day: string): Promise<void> =>
  pack(db, of, { merchantId, day }, sql`true`, sql`true`)

/** The open hours of machines on a day that begin before an instant. */
export const openBefore = (
  { merchantId, day }: { merchantId: string; day: string },
  before: Date,
): RawBuilder<unknown> =>
  sql`open_sales_hourly s where s.merchant_id = ${merchantId} and s.day = ${day}::date and s.hour < ${before}`

/** The same of the hours of machines that begin before an instant; machines without open ones stay as they are. */
export const packHours = (db: TenantDb, due: { merchantId: string; day: string }, before: Date): Promise<void> =>
  pack(
    db,
    'machine',
    due,
    sql`s.machine_id = any(array(select s.machine_id from ${openBefore(due, before)}))`,
    sql`s.hour < ${before}`,
  )

async function pack(
  db: TenantDb,
  of: Packed,
  { merchantId, day }: { merchantId: string; day: string },
  isMeant: RawBuilder<unknown>,
  isPast: RawBuilder<unknown>,
): Promise<void> {
  const { table } = packings[of]
  const columns = packedColumns(of)
  const ofDay = (name: string, which: RawBuilder<unknown>) =>
    sql`delete from ${sql.table(name)} s where s.merchant_id = ${merchantId} and s.day = ${day}::date and ${which}`
  const texts = columns.map((name) =>
    name.startsWith('hour_') || name.startsWith('day_') ? `x.${name}::text` : `x.${name}`,
  )
  const { rows } = await sql<Record<string, unknown>>`
    with hours as (
      select * from ${sql.table(views[of])} s where s.merchant_id = ${merchantId} and s.day = ${day}::date
        and ${isMeant} and ${isPast} ${anySlot(of)}
    )
    select ${sql.raw(texts.join(', '))} from (${sql.raw(packedRows(of, 'hours'))}) x`.execute(db.query)
  await ofDay(table, isMeant).execute(db.query)
  await insertRows(
    db.query,
    table,
    columns,
    rows.map((row) => columns.map((name) => row[name])),
  )
  await sql`${ofDay(open[of], isPast)} ${anySlot(of)}`.execute(db.query)
}

/** Selects the index of all groups of a day. */
const anySlot = (of: Packed) => (of === 'group' ? sql`and s.slot >= 0` : sql``)
