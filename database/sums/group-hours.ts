import { type RawBuilder, sql } from 'kysely'
import { type Column, type Insertion, insertColumns } from '../frame/bulk-insert.ts'
import { noGroup, type TenantDb, wholeMerchantGroup } from '../frame/tenant.ts'

/**
 * The amounts of all sums. `value` is without failed transactions, whose money is `error_value`; `cash_value` is what both moved in cash,
 * negative if it left the machine.
 */
export const amounts = [
  'count',
  'value',
  'value_charge',
  'free_count',
  'error_count',
  'error_value',
  'cash_value',
] as const
export type Amounts = Record<(typeof amounts)[number], number>

export const noAmounts = (): Amounts => ({
  count: 0,
  value: 0,
  value_charge: 0,
  free_count: 0,
  error_count: 0,
  error_value: 0,
  cash_value: 0,
})

/** The amounts of rows with this alias. */
export const amountsOf = (alias: string): RawBuilder<Amounts> =>
  sql.join(amounts.map((name) => sql.ref(`${alias}.${name}`)))

/** The amounts of rows with this alias, added up under their own names. */
export const sumsOfAmounts = (alias: string): RawBuilder<Amounts> =>
  sql.join(amounts.map((name) => sql`sum(${sql.ref(`${alias}.${name}`)})::bigint as ${sql.ref(name)}`))

/** Amounts of sales of a kind, of one or several machines, and the group under which they are stored. */
export interface KindOfSales extends Amounts {
  merchantId: string
  /** Null: machines without a group. */
  groupId: string | null
  type: number
  mediaType: number
  mediaSource: number
}

type Level = 'hour' | 'day'
/** Hours have the merchant's local day in which they are. */
type At<L extends Level> = KindOfSales & Record<L | 'day', string>
const tables = { hour: 'open_group_sales_hourly', day: 'group_sales_daily' } as const

/** A key of the sums by group; all transactions write them in this order. */
interface Sum extends KindOfSales {
  groupId: string
  day: string
  at: string
}
const compare = (one: string | number, other: string | number) => (one === other ? 0 : one < other ? -1 : 1)
const inOrder = (one: Sum, other: Sum) =>
  compare(one.merchantId, other.merchantId) ||
  compare(one.groupId, other.groupId) ||
  compare(one.at, other.at) ||
  one.type - other.type ||
  one.mediaType - other.mediaType ||
  one.mediaSource - other.mediaSource

/** Sums up rows by group and, with `withWhole`, also for the whole merchant. */
function sumsOf<L extends Level>(level: L, rows: Iterable<At<L>>, withWhole: boolean): Sum[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) addTo(sums, row, row.groupId ?? noGroup, row[level])
  // Adds the few sums of the groups instead of every row again.
  if (withWhole) for (const sum of [...sums.values()]) addTo(sums, sum, wholeMerchantGroup, sum.at)
  return [...sums.values()].sort(inOrder)
}

function addTo(sums: Map<string, Sum>, row: KindOfSales & { day: string }, groupId: string, at: string): void {
  const { merchantId, day, type, mediaType, mediaSource } = row
  const key = `${merchantId} ${groupId} ${at} ${type} ${mediaType} ${mediaSource}`
  let sum = sums.get(key)
  if (!sum) {
    sum = { merchantId, groupId, day, at, type, mediaType, mediaSource, ...noAmounts() }
    sums.set(key, sum)
  }
  for (const name of amounts) sum[name] += row[name]
}

function insertionOf(level: Level, sums: readonly Sum[]): Insertion {
  const table = tables[level]
  const key = [
    'merchant_id',
    'group_id',
    'day',
    ...(level === 'hour' ? ['hour'] : []),
    'type',
    'media_type',
    'media_source',
    ...(level === 'hour' ? ['slot'] : []),
  ]
  return {
    table,
    columns: [
      { name: 'merchant_id', type: 'uuid', values: sums.map(({ merchantId }) => merchantId) },
      { name: 'group_id', type: 'uuid', values: sums.map(({ groupId }) => groupId) },
      { name: 'day', type: 'date', values: sums.map(({ day }) => day) },
      ...(level === 'hour' ? [{ name: 'hour', type: 'timestamptz', values: sums.map(({ at }) => at) } as const] : []),
      { name: 'type', type: 'smallint', values: sums.map(({ type }) => type) },
      { name: 'media_type', type: 'smallint', values: sums.map(({ mediaType }) => mediaType) },
      { name: 'media_source', type: 'smallint', values: sums.map(({ mediaSource }) => mediaSource) },
      ...amounts.map((name): Column => ({ name, type: 'bigint', values: sums.map((sum) => sum[name]) })),
    ],
    tail: `on conflict (${key.join(', ')}) do update set
      ${amounts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`,
  }
}

/** The amounts that machines' hours add to the hours of their groups and merchants, in the slot of the connection. */
export const groupHourRows = (rows: Iterable<At<'hour'>>): Insertion => insertionOf('hour', sumsOf('hour', rows, true))

const rowsAtOnce = 5_000

/** An instant in the format used in a list of hours. */
export const isoOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/**
 * The group under which the sums of the machine `p` are stored. `r` (left joined) is its row in regrouped_machines; null: without a
 * group.
 */
export const summedGroup = sql<string | null>`case when r.machine_id is null then p.group_id else r.summed_group_id end`

/** Adds rows to the sums of their groups; amounts may be negative. `whole`: also to the sums of their merchants. */
export async function addToGroups<L extends Level>(
  db: TenantDb,
  level: L,
  rows: Iterable<At<L>>,
  { whole = false } = {},
): Promise<void> {
  const sums = sumsOf(level, rows, whole)
  for (let from = 0; from < sums.length; from += rowsAtOnce)
    await insertColumns(db.query, insertionOf(level, sums.slice(from, from + rowsAtOnce)))
}
