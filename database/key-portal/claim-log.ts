import { sql } from 'kysely'
import type { ClaimLogEntry } from '#contract/key-portal/claim.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { isOfOwnFeature } from '../alarms/alarm.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { moneyOfSale } from '../sales/money-of-sale.ts'
import type { StoredClaim } from './claim.ts'

/** A line of the machine's own log. */
export interface ClaimLogRow extends Omit<RowOf<typeof ClaimLogEntry>, 'refundable' | 'is_refunded'> {
  /** Of a transaction. */
  charged: number | null
  reversed: number | null
  refunded: number | null
}

/** Lines of one kind that are shown at most. */
const most = 200

/**
 * What the machine reported within some minutes of the claim's moment, in its order: transactions, alarms and events. Serials of media are
 * shown to merchants with details of transactions, and for the claim's own medium.
 */
export async function claimLogOf(db: TenantDb, claim: StoredClaim, minutes: number): Promise<ClaimLogRow[]> {
  const [from, to] = [-1, 1].map((sign) => new Date(claim.happened_at.getTime() + sign * minutes * 60_000))
  const of = (alias: string) =>
    sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${claim.merchant_id}
      and ${sql.ref(`${alias}.machine_id`)} = ${claim.machine_id}`
  const { rows } = await sql<ClaimLogRow>`
    (select t.id, 'transaction' as kind, t.created_at as at, null::text as code, null::boolean as is_active, null::text as text,
        t.type::int, coalesce(t.product, t.product_code) as product, t.value as amount, t.error_sale as is_failed,
        case when ${hasFeature(db, 'transactionDetails', 't')}
          or t.media_serial = (select media.serial from medias media where ${db.own('media')}
            and media.merchant_id = t.merchant_id and media.id = ${claim.media_id}) then t.media_serial end as media_serial,
        ${moneyOfSale(db)}
      from transactions t where ${of('t')} and t.created_at between ${from} and ${to}
      order by t.created_at, t.id limit ${most})
    union all
    (select a.id, 'alarm', a.created_at, a.code, a.repaired_at is null, a.message, null, null, null, null, null, null, null, null
      from alarms a where ${of('a')} and ${isOfOwnFeature(db, 'a')} and a.created_at between ${from} and ${to}
      order by a.created_at, a.id limit ${most})
    union all
    (select e.id, 'event', e.at, e.code, e.active, e.message, null, null, null, null, null, null, null, null
      from events e where ${of('e')} and e.at between ${from} and ${to}
      order by e.at, e.id limit ${most})
    order by at, kind, id`.execute(db.query)
  return rows
}

/** Media of a claim's customer, and the claim's own. */
export async function claimMedias(db: TenantDb, claim: StoredClaim) {
  const { rows } = await sql<{ id: string; serial: string; isBlocked: boolean }>`
    select media.id, media.serial, media.status <> ${sql.lit(mediaStatuses.ok)} as "isBlocked" from medias media
    where ${db.own('media')} and media.merchant_id = ${claim.merchant_id}
      and (media.id = ${claim.media_id}::uuid or media.customer_id = ${claim.customer_id}::uuid)
    order by media.id = ${claim.media_id}::uuid desc nulls last, media.last_used_at desc nulls last, media.id
    limit 50`.execute(db.query)
  return rows
}

/** Earlier claims of the same customer within some days. */
export async function earlierClaims(db: TenantDb, claim: StoredClaim, days: number): Promise<number> {
  if (claim.customer_id === null) return 0
  const { rows } = await sql<{ earlier: number }>`select count(*)::int as earlier from claims other
    where ${db.own('other')} and other.merchant_id = ${claim.merchant_id} and other.customer_id = ${claim.customer_id}
      and other.created_at < ${claim.created_at} and other.created_at > ${claim.created_at}::timestamptz - make_interval(days => ${days}::int)`.execute(
    db.query,
  )
  return rows[0]?.earlier ?? 0
}

/** Open claims in the scope, and the median time to an answer of those answered in the last days of each merchant, in minutes. */
export async function claimFigures(
  db: TenantDb,
  now: Date,
  days: number,
): Promise<{ open: number; answered: number; medianMinutes: number | null }> {
  const isRecent = sql`claims.answered_at >= start_of_day((${now}::timestamptz at time zone m.time_zone)::date - ${days - 1}::int, m.time_zone)`
  const { rows } = await sql<{ open: number; answered: number; medianMinutes: number | null }>`
    select (count(*) filter (where claims.state = 'open'))::int as open,
      (count(*) filter (where ${isRecent}))::int as answered,
      (percentile_cont(0.5) within group (order by extract(epoch from claims.answered_at - claims.created_at) / 60)
        filter (where ${isRecent}))::float8 as "medianMinutes"
    from claims join merchants m on m.id = claims.merchant_id
    where ${db.narrow('claims')} and ${hasFeature(db, 'customerMedia', 'claims')}
      and (claims.state = 'open' or ${isRecent})`.execute(db.query)
  const [row] = rows
  return {
    open: row?.open ?? 0,
    answered: row?.answered ?? 0,
    medianMinutes: row && row.medianMinutes !== null ? Math.round(row.medianMinutes) : null,
  }
}
