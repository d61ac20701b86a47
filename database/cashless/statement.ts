import { sql } from 'kysely'
import type { MediaFinding, MediaOperation, MediaReservation } from '#contract/cashless/media.ts'
import { when } from '../frame/conditions.ts'
import { type Directed, limitedTo, type Page } from '../frame/list.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'

/* What happened to the credit of one medium: its operations, reservations and findings. */

export interface Of {
  merchant_id: string
  id: string
}
type Newest = Page & Directed

const direction = ({ ordType }: Newest) => sql.raw(ordType === 'ASC' ? 'asc' : 'desc')

/** The machine `p` of a row, if the reader may see it. */
const machineOf = (db: TenantDb, alias: string) => sql`left join machines p on ${db.narrow('machinesEver', 'p')}
  and p.merchant_id = ${sql.ref(`${alias}.merchant_id`)} and p.id = ${sql.ref(`${alias}.pos_id`)}`

const pageOf = <Row extends { total: number }>(rows: Row[]) => ({ rows, total: rows[0]?.total ?? 0, capped: false })

export type OperationRow = Omit<RowOf<typeof MediaOperation>, 'currency'> & { total: number }

/** The operations of a medium, in the order in which they were booked. */
export async function operationsOf(db: TenantDb, media: Of, page: Newest, seesInvisible: boolean) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const { rows } = await sql<OperationRow>`
    with booked as (
      select e.operation_id, coalesce(sum(e.amount) filter (where a.kind = 'credit'), 0)::bigint as credit,
        coalesce(sum(e.amount) filter (where a.kind = 'bonus'), 0)::bigint as bonus
      from ledger_accounts a
      join ledger_entries e on ${db.own('e')} and e.merchant_id = a.merchant_id and e.account_id = a.id
      where ${db.own('a')} and a.merchant_id = ${media.merchant_id} and a.owner_id = ${media.id} and a.kind in ('credit', 'bonus')
      group by e.operation_id
    ), summed as (
      select b.*, (sum(b.credit + b.bonus) over (order by b.operation_id))::bigint as balance, (count(*) over ())::int as total
      from booked b
    )
    select s.credit, s.bonus, s.balance, s.total, o.id, o.kind, o.at, o.booked_at, p.id as pos_id, p.name as pos_name,
      o.transaction_id, o.refund_id, o.reservation_id, o.order_id, o.note,
      ${redactedName(sql`o.user_id`, sql`o.user_name`, hidden)} as by,
      coalesce((
        select jsonb_agg(jsonb_build_object('account', oa.kind, 'amount', oe.amount, 'serial', om.serial) order by oa.kind, oa.id)
        from ledger_entries oe
        join ledger_accounts oa on ${db.own('oa')} and oa.merchant_id = oe.merchant_id and oa.id = oe.account_id
        left join medias om on ${db.own('om')} and om.merchant_id = oa.merchant_id and om.id = oa.owner_id
        where ${db.own('oe')} and oe.merchant_id = o.merchant_id and oe.operation_id = o.id and oa.owner_id <> ${media.id}
      ), '[]') as others
    from summed s
    join ledger_operations o on ${db.own('o')} and o.merchant_id = ${media.merchant_id} and o.id = s.operation_id
    ${machineOf(db, 'o')}
    order by o.id ${direction(page)} ${limitedTo(page)}`.execute(db.query)
  return pageOf(rows)
}

export type MediaReservationRow = Omit<RowOf<typeof MediaReservation>, 'currency'> & { total: number }

/** What machines hold or held of a medium. */
export async function reservationsOfMedia(db: TenantDb, media: Of, page: Newest) {
  const { rows } = await sql<MediaReservationRow>`
    select r.id, r.purpose, r.state, r.credit, r.bonus, r.settled, r.refund_id, r.created_at, r.expires_at, r.ended_at,
      p.id as pos_id, p.name as pos_name, (count(*) over ())::int as total
    from credit_reservations r ${machineOf(db, 'r')}
    where ${db.own('r')} and r.merchant_id = ${media.merchant_id} and r.media_id = ${media.id}
    order by r.created_at ${direction(page)}, r.id ${direction(page)} ${limitedTo(page)}`.execute(db.query)
  return pageOf(rows)
}

export type FindingRow = Omit<RowOf<typeof MediaFinding>, 'currency'> & { total: number }

/** The findings on a medium, open ones first; `id`: one of them. */
export async function findingsOfMedia(db: TenantDb, media: Of, page: Newest, seesInvisible: boolean, id?: string) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const { rows } = await sql<FindingRow>`
    select f.id, f.kind, f.at, f.amount, f.closed_at, ${redactedName(sql`f.closed_by`, sql`f.closed_by_name`, hidden)} as closed_by,
      p.id as pos_id, p.name as pos_name, (count(*) over ())::int as total,
      case when kept.id is not null then jsonb_build_object('state', kept.state, 'brokenLimit', kept.broken_limit,
        'allowed', kept.allowed, 'reversed', kept.reversed, 'orderId', kept.order_id) end as kept
    from media_findings f ${machineOf(db, 'f')}
    left join kept_recharges kept on ${db.own('kept')} and kept.merchant_id = f.merchant_id and kept.id = f.id
    where ${db.own('f')} and f.merchant_id = ${media.merchant_id} and f.media_id = ${media.id}
      and ${when(id, (one) => sql<boolean>`f.id = ${one}`)}
    order by f.closed_at is not null, f.at ${direction(page)}, f.id ${direction(page)}
    ${limitedTo(page)}`.execute(db.query)
  return pageOf(rows)
}
