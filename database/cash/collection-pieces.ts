import { sql } from 'kysely'
import type { Pieces } from '#contract/cash/collection.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type PiecesRead, piecesBetween } from '#domain/audits/boxed-pieces.ts'
import { isCompared } from '../audits/compared-audits.ts'
import type { TenantDb } from '../frame/tenant.ts'

interface Stretch {
  merchant_id: string
  machine_id: string
  id: string
  until: Date
  currency: Currency
}

/** The end of the collection before; undefined without one. */
async function beginOf(db: TenantDb, { merchant_id, machine_id, id, until }: Stretch): Promise<Date | undefined> {
  const row = await db
    .from('collections')
    .where('merchant_id', '=', merchant_id)
    .where('machine_id', '=', machine_id)
    .where(sql<boolean>`(until, id) < (${until}::timestamptz, ${id}::uuid)`)
    .select('until')
    .orderBy('until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.until
}

/** Pieces in the box by the audits at both ends; none if a counter restarted between them. */
async function auditedPieces(db: TenantDb, stretch: Stretch, begin: Date): Promise<Pieces[]> {
  const { rows } = await sql<PiecesRead>`
    select i.kind, jsonb_build_object('cash', a.content -> 'cash', 'money', a.content -> 'money') as content
    from audit_intervals i
    join audits a on a.merchant_id = i.merchant_id and a.read_at = i.ends_at and a.id = i.audit_id and ${db.own('a')}
    where ${db.own('i')} and i.merchant_id = ${stretch.merchant_id} and i.machine_id = ${stretch.machine_id}
      and ${isCompared('i')} and i.ends_at <= ${stretch.until}
      and i.ends_at >= (select max(b.ends_at) from audit_intervals b where ${db.own('b')} and b.merchant_id = ${stretch.merchant_id}
        and b.machine_id = ${stretch.machine_id} and ${isCompared('b')} and b.ends_at <= ${begin})
    order by i.ends_at, i.audit_id`.execute(db.query)
  return piecesBetween(rows, stretch.currency)
}

/** What the machine last reported in its boxes before they were taken; undefined if it does not report pieces. */
async function boxedPieces(db: TenantDb, stretch: Stretch, begin: Date | undefined): Promise<Pieces[] | undefined> {
  const { rows } = await sql<{ pieces: Pieces[] }>`
    select r.box_pieces as pieces from collections c
    join cash_readings r on r.merchant_id = c.merchant_id and r.machine_id = c.machine_id and ${db.own('r')}
      and r.at > coalesce(${begin ?? null}::timestamptz, '-infinity') and r.at <= least(c.reading_since, c.until)
    where ${db.own('c')} and c.merchant_id = ${stretch.merchant_id} and c.id = ${stretch.id}
      and jsonb_array_length(r.box_pieces) > 0
    order by r.at desc limit 1`.execute(db.query)
  return rows[0]?.pieces
}

/** Accepted pieces by the cash reports. Coins and notes that tubes or recyclers take too are left out: reports do not separate both. */
async function transmittedPieces(db: TenantDb, stretch: Stretch, begin: Date): Promise<Pieces[]> {
  const { rows } = await sql<Pieces>`
    with reports as (
      select r.accepted, r.tubes, r.recyclers from cash_readings r
      where ${db.own('r')} and r.merchant_id = ${stretch.merchant_id} and r.machine_id = ${stretch.machine_id}
        and r.at > ${begin} and r.at <= ${stretch.until}
    )
    select p.value, sum(p.count)::bigint as count
    from reports cross join lateral jsonb_to_recordset(reports.accepted) p (value bigint, count bigint)
    where not exists (
      select from reports held
      cross join lateral jsonb_to_recordset(held.tubes || held.recyclers) h (value bigint) where h.value = p.value)
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** Both sides of a collection by denomination, as far as they are known. */
export async function piecesOf(db: TenantDb, stretch: Stretch): Promise<{ audited: Pieces[]; transmitted: Pieces[] }> {
  const begin = await beginOf(db, stretch)
  const boxed = await boxedPieces(db, stretch, begin)
  if (!begin) return { audited: [], transmitted: boxed ?? [] }
  return {
    audited: await auditedPieces(db, stretch, begin),
    transmitted: boxed ?? (await transmittedPieces(db, stretch, begin)),
  }
}
