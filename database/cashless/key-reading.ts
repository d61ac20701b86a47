import { sql } from 'kysely'
import { findingsOf, type KeyReading } from '#domain/cashless/key-counter.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { insertFindings } from './finding.ts'

export interface NewReading extends KeyReading {
  mediaId: string
  posId: string
}

/** Late readings can contradict many that arrived before; so many of them are named. */
const mostContradicted = 200
/** More than clocks of two machines differ. */
const toleranceSeconds = 300

/** Stores readings of keys, and what they show beside earlier ones, in whatever order they arrive. */
export async function noteReadings(db: TenantDb, merchantId: string, readings: readonly NewReading[]): Promise<void> {
  if (readings.length === 0) return
  await insertRows(
    db.query,
    'key_readings',
    ['merchant_id', 'media_id', 'counter', 'source_id', 'pos_id', 'at', 'credit', 'change'],
    readings.map(({ mediaId, counter, sourceId, posId, at, credit, change }) => [
      merchantId,
      mediaId,
      counter,
      sourceId,
      posId,
      new Date(at),
      credit,
      change,
    ]),
    'on conflict (merchant_id, media_id, counter, source_id) do nothing',
  )
  const others = await othersOf(db, merchantId, readings)
  const findings = readings.flatMap((reading, index) =>
    findingsOf(reading, others.get(index) ?? []).map((finding) => ({
      ...finding,
      mediaId: reading.mediaId,
      posId: reading.posId,
      at: new Date(finding.at),
      facts: { counter: reading.counter },
    })),
  )
  await insertFindings(db, merchantId, [...new Map(findings.map((one) => [`${one.mediaId} ${one.key}`, one])).values()])
}

/** The stored readings to compare with each reading: its counter and the two beside it, and readings that contradict its time. */
async function othersOf(
  db: TenantDb,
  merchantId: string,
  readings: readonly NewReading[],
): Promise<Map<number, KeyReading[]>> {
  const columns = sql.raw('other.counter, other.source_id, other.at, other.credit, other.change')
  const ofMedia = sql`${db.own('other')} and other.merchant_id = ${merchantId} and other.media_id = wanted.media_id`
  const tolerance = sql`${toleranceSeconds} * interval '1 second'`
  const { rows } = await sql<Omit<KeyReading, 'at'> & { place: number; at: Date }>`
    select wanted.place::int as place, found.counter, found.source_id as "sourceId", found.at, found.credit, found.change
    from unnest(${readings.map(({ mediaId }) => mediaId)}::uuid[], ${readings.map(({ counter }) => counter)}::bigint[],
      ${readings.map(({ at }) => new Date(at).toISOString())}::timestamptz[]) with ordinality as wanted (media_id, counter, at, place)
    cross join lateral (
      (select ${columns} from key_readings other where ${ofMedia} and other.counter between wanted.counter - 1 and wanted.counter + 1)
      union all
      (select ${columns} from key_readings other where ${ofMedia} and other.counter > wanted.counter + 1
        and other.at < wanted.at - ${tolerance} limit 1)
      union all
      (select ${columns} from key_readings other where ${ofMedia} and other.counter < wanted.counter - 1
        and other.at > wanted.at + ${tolerance} limit ${mostContradicted})
    ) found`.execute(db.query)
  const readingsByPlace = Map.groupBy(rows, ({ place }) => place - 1)
  return new Map(
    [...readingsByPlace].map(([index, some]) => [
      index,
      some.map(({ place: _, at, ...one }) => ({ ...one, at: at.getTime() })),
    ]),
  )
}
