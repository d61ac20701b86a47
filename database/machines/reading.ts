import { type RawBuilder, sql } from 'kysely'
import type { ReadingItem } from '#contract/device-protocol.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'

export interface ReadingRow extends ItemHead {
  reading: ReadingItem
}

export const insertReadings = (db: TenantDb, rows: readonly ReadingRow[], savedAt: Date): Promise<void> =>
  insertRows(
    db.query,
    'readings',
    ['merchant_id', 'machine_id', 'at', 'epoch', 'seq', 'saved_at', 'signal_percent', 'temperature_celsius'],
    rows.map(({ reading, ...row }) => [
      row.merchantId,
      row.machineId,
      new Date(row.at).toISOString(),
      row.epoch,
      row.seq,
      savedAt,
      reading.signalPercent ?? null,
      reading.temperatureCelsius ?? null,
    ]),
  )

/** The lowest, highest and mean value of a step, and its number of readings. */
export interface ReadingPoint {
  at: Date
  min: number
  max: number
  avg: number
  count: number
}

/**
 * The start of the step that contains an instant, for a query over merchants `m`. Steps longer than an hour follow the merchant's clock,
 * so that a day stays a day when daylight saving changes; shorter steps have a fixed length.
 */
export function startOfStep(at: RawBuilder<unknown>, from: Date, step: number) {
  const midnight = sql`date_trunc('day', ${from}::timestamptz at time zone m.time_zone)`
  const length = sql`make_interval(secs => ${step})`
  return step > 3600
    ? sql`date_bin(${length}, ${at} at time zone m.time_zone, ${midnight}) at time zone m.time_zone`
    : sql`date_bin(${length}, ${at}, ${midnight} at time zone m.time_zone)`
}

/**
 * A machine's readings of a stretch (end exclusive), grouped by steps of this many seconds. Each step keeps its lowest and highest value,
 * so that no spike is lost; a step without a reading has no point.
 */
export async function seriesOfReadings(
  db: TenantDb,
  machineId: string,
  column: 'signal_percent' | 'temperature_celsius',
  { from, to, step }: { from: Date; to: Date; step: number },
): Promise<ReadingPoint[]> {
  const value = sql.ref(`r.${column}`)
  const start = startOfStep(sql.ref('r.at'), from, step)
  const { rows } = await sql<ReadingPoint>`
    select ${start} as at, min(${value}) as min, max(${value}) as max, round(avg(${value}), 2) as avg, count(*)::int as count
    from merchants m join readings r on r.merchant_id = m.id
    where ${db.narrow('readings', 'r')} and r.machine_id = ${machineId}
      and r.at >= ${from} and r.at < ${to} and ${value} is not null
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** The merchant's limits for measured values; null where not set. */
export async function readingLimits(db: TenantDb, merchantId: string) {
  return db
    .from('merchant_settings')
    .where('merchant_id', '=', merchantId)
    .select(['minimum_signal_percent', 'temperature_minimum', 'temperature_maximum'])
    .executeTakeFirst()
}
