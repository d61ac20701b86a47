import { sql } from 'kysely'
import type { Pieces } from '#contract/cash/collection.ts'
import type { PiecesBasis } from '#contract/vocabulary/cash.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type PiecesRead, piecesBetween } from '#domain/audits/boxed-pieces.ts'
import { takenPieces } from '#domain/cash/collection-total.ts'
import { isCompared } from '../audits/compared-audits.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { lastReport, previous, remaining } from './collection-figures.ts'

interface CountedCollection {
  merchant_id: string
  machine_id: string
  id: string
  until: Date
  currency: Currency
}

/** The end of the collection before; undefined without one. */
async function beginOf(
  db: TenantDb,
  { merchant_id, machine_id, id, until }: CountedCollection,
): Promise<Date | undefined> {
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
async function auditedPieces(db: TenantDb, stretch: CountedCollection, begin: Date): Promise<Pieces[]> {
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

/** Pieces in the box by the last report before it was taken, and by the report after. The same reports give the transmitted total. */
export interface ReportedBox {
  at: Date
  pieces: Pieces[]
  stayed: Pieces[] | null
  stayed_box: number | null
}

/** The reported box of a collection `c`. */
export const reportedBox = (db: TenantDb) => sql<ReportedBox>`(
  select base.at, coalesce(base.pieces, '[]') as pieces, remaining.pieces as stayed, remaining.box as stayed_box
  from (select 1) nothing
  left join lateral ${previous(db, sql`true`)} previous on true
  join lateral ${lastReport(db, sql`true`)} base on true
  left join lateral ${remaining(db, sql`true`)} remaining on true)`

/** The pieces that were taken by the reports of the box; none if a report lacks them. */
export const piecesTaken = ({ pieces, stayed, stayed_box }: ReportedBox): Pieces[] =>
  (stayed_box ?? 0) > 0 && (stayed ?? []).length === 0 ? [] : takenPieces(pieces, stayed ?? [])

async function boxOf(db: TenantDb, { merchant_id, id }: CountedCollection): Promise<ReportedBox | undefined> {
  const { rows } = await sql<ReportedBox>`
    select box.* from collections c cross join lateral ${reportedBox(db)} box
    where ${db.own('c')} and c.merchant_id = ${merchant_id} and c.id = ${id}`.execute(db.query)
  return rows[0]
}

/** Accepted pieces by the cash reports. Coins and notes that tubes or recyclers take too are left out: reports do not separate both. */
async function acceptedPieces(db: TenantDb, stretch: CountedCollection, begin: Date): Promise<Pieces[]> {
  const { rows } = await sql<Pieces>`
    with reports as (
      select r.accepted, r.tubes, r.recyclers from cash_readings r
      where ${db.own('r')} and r.merchant_id = ${stretch.merchant_id} and r.machine_id = ${stretch.machine_id}
        and r.at > ${begin} and r.at <= ${stretch.until}
    )
    select p.value, sum(p.count)::bigint as count
    from reports cross join lateral jsonb_to_recordset(reports.accepted) p (value bigint, count bigint)
    where not exists (
      select 1 from reports held
      cross join lateral jsonb_to_recordset(held.tubes || held.recyclers) h (value bigint) where h.value = p.value)
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** Transmitted pieces with their source; `at` is the time of the report. */
export interface TransmittedPieces {
  pieces: Pieces[]
  from: PiecesBasis | null
  at: Date | null
}

/** Both sides of a collection by denomination, as far as reports and audits have them. */
export async function piecesOf(
  db: TenantDb,
  stretch: CountedCollection,
): Promise<{ audited: Pieces[]; transmitted: TransmittedPieces }> {
  const begin = await beginOf(db, stretch)
  const box = await boxOf(db, stretch)
  const audited = begin ? await auditedPieces(db, stretch, begin) : []
  const boxPieces = box ? piecesTaken(box) : []
  if (box && boxPieces.length > 0) return { audited, transmitted: { pieces: boxPieces, from: 'box', at: box.at } }
  const accepted = begin ? await acceptedPieces(db, stretch, begin) : []
  return { audited, transmitted: { pieces: accepted, from: accepted.length > 0 ? 'accepted' : null, at: null } }
}
