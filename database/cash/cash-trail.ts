import { sql } from 'kysely'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { TrailMovement, TrailReading } from '#domain/cash/cash-trail.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { cashMoved } from '../sales/sales.ts'

interface Machine {
  id: string
  merchant_id: string
}

/** Cash reports of one trail; a machine that reports each hour has less than half of them. */
const mostReadings = 5000

/** A collection as the end or the beginning of a trail. */
export interface TrailEnd {
  id: string
  machine_id: string
  merchant_id: string
  at: Date
  until: Date
  /** The box may have been emptied since this report. */
  reading_since: Date | null
}

const ends = (db: TenantDb) =>
  db.from('collections').select(['id', 'machine_id', 'merchant_id', 'at', 'until', 'reading_since'])

/** A collection by its id. */
export const trailEnd = (db: TenantDb, id: string): Promise<TrailEnd | undefined> =>
  ends(db).where('id', '=', id).executeTakeFirst()

/** The collection before another one, or the machine's last. */
export async function endBefore(db: TenantDb, machine: Machine, next?: TrailEnd): Promise<TrailEnd | undefined> {
  const all = ends(db).where('merchant_id', '=', machine.merchant_id).where('machine_id', '=', machine.id)
  const some = next ? all.where(sql<boolean>`(until, id) < (${next.until}, ${next.id}::uuid)`) : all
  return some.orderBy('until', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

const tubesOf = sql<number>`(select coalesce(sum(piece.value * piece.count), 0)::bigint
  from jsonb_to_recordset(r.tubes || r.recyclers) piece (value bigint, count bigint))`

/** The report of the box at a collection, after it was emptied. */
export async function readingAt(db: TenantDb, machine: Machine, { at, until }: TrailEnd): Promise<TrailReading | null> {
  const { rows } = await sql<TrailReading>`
    select (extract(epoch from r.at) * 1000)::float8 as at, r.box, ${tubesOf} as tubes from cash_readings r
    where ${db.own('r')} and r.merchant_id = ${machine.merchant_id} and r.machine_id = ${machine.id}
      and r.at >= ${at} and r.at <= ${until} and r.box is not null
    order by r.at desc, r.epoch desc nulls last, r.seq desc nulls last limit 1`.execute(db.query)
  return rows[0] ?? null
}

/**
 * The cash reports of a stretch of time and what moved between them, by type. A transaction at the time of a report is before it. The taken
 * box itself is no movement.
 */
export async function trailFacts(
  db: TenantDb,
  machine: Machine,
  { after, readUntil, until }: { after: Date; readUntil: Date; until: Date },
): Promise<{ readings: TrailReading[]; movements: TrailMovement[] }> {
  const ofMachine = (alias: string) =>
    sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${machine.merchant_id} and ${sql.ref(`${alias}.machine_id`)} = ${machine.id}`
  const { rows: readings } = await sql<TrailReading>`
    select (extract(epoch from r.at) * 1000)::float8 as at, r.box, ${tubesOf} as tubes from cash_readings r
    where ${ofMachine('r')} and r.at > ${after} and r.at <= ${readUntil}
    order by r.at, r.epoch nulls last, r.seq nulls last limit ${mostReadings}`.execute(db.query)
  const times = readings.map(({ at }) => new Date(at))
  const { rows: movements } = await sql<TrailMovement>`
    select m.stretch, m.type, count(*)::int as count, sum(m.cash)::bigint as cash from (
      select width_bucket(t.created_at - interval '1 microsecond', ${times}::timestamptz[]) as stretch, t.type,
        ${cashMoved('t')} as cash
      from transactions t
      where ${ofMachine('t')} and t.created_at > ${after} and t.created_at <= ${until}
        and t.type <> ${sql.lit(transactionTypes.collection)}
    ) m where m.cash <> 0 group by 1, 2 order by 1, 2`.execute(db.query)
  return { readings, movements }
}
