import { type RawBuilder, sql } from 'kysely'
import type { TransmittedBasis } from '#contract/vocabulary/cash.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { isCompared } from '../audits/compared-audits.ts'
import { isCountedBlind } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { cashMoved } from '../sales/sales.ts'

/*
 * What counters and reports say about a collection `c`. The time of a machine is parted at the collections' `until`: every audit interval and
 * every sale is in exactly one of the parts. A closed collection has its figures in its row.
 */

type Condition = RawBuilder<unknown>

/** Figures of closed collections are final. */
export const isOpen: Condition = sql`c.status <> 'closed'`

/** Whether a collection `c` has no count yet and its merchant counts blind: its figures are shown to no user. */
export const isWithheld = (db: TenantDb): Condition => sql`(c.status = 'open' and ${isCountedBlind(db, 'c')})`
const isShownOpen = (db: TenantDb): Condition => sql`(${isOpen} and not ${isWithheld(db)})`

const ofMachine = (db: TenantDb, alias: string) =>
  sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = c.merchant_id and ${sql.ref(`${alias}.machine_id`)} = c.machine_id`

/** Filled tubes and taken boxes are not the customers' money. */
const ofService = sql.join([transactionTypes.tubeFill, transactionTypes.collection].map((type) => sql.lit(type)))

/** The collection before, as `previous`. */
export const previous = (db: TenantDb, isLive: Condition) => sql`(
  select p.at, p.until, p.audit_at from collections p
  where ${isLive} and ${ofMachine(db, 'p')} and (p.until, p.id) < (c.until, c.id)
  order by p.until desc, p.id desc limit 1)`

/** The counters of all audits in the part of time; unknown if one of them is. */
const audited = (db: TenantDb, isLive: Condition) => sql`(
  select case when bool_and(i.to_box is not null) then sum(i.to_box)::bigint end as total from audit_intervals i
  where ${isLive} and ${ofMachine(db, 'i')} and i.ends_at > previous.until and i.ends_at <= c.until and ${isCompared('i')})`

/** The machine itself reports the amount of the box: no other source is read for the total. */
const isReported = sql`coalesce(c.reported_total, 0) > 0`

/** The last report of the cash box before it was taken: its content and its pieces have one source and one moment. */
export const lastReport = (db: TenantDb, isNeeded: Condition) => sql`(
  select r.at, r.box, r.box_pieces as pieces from cash_readings r
  where ${isNeeded} and ${ofMachine(db, 'r')} and r.box is not null
    and r.at > coalesce(previous.until, '-infinity') and r.at <= least(c.reading_since, c.until)
  order by r.at desc, r.epoch desc nulls last, r.seq desc nulls last limit 1)`

/** Cash of sales, recharges and payouts since that report, or since the previous collection. */
const sold = (db: TenantDb, isLive: Condition) => sql`(
  select coalesce(sum(${cashMoved('t')}), 0)::bigint as value
  from transactions t
  where ${isLive} and not ${isReported} and ${ofMachine(db, 't')} and t.type not in (${ofService})
    and t.created_at > coalesce(base.at, previous.until) and t.created_at <= c.until)`

/** What was left in the box, if the report of the emptied box belongs to this part of time. */
export const remaining = (db: TenantDb, isNeeded: Condition) => sql`(
  select r.box, r.box_pieces as pieces from cash_readings r
  where ${isNeeded} and ${ofMachine(db, 'r')} and r.at = c.reading_at and c.reading_at <= c.until limit 1)`

export interface Figures {
  previous_at: Date | null
  audited: number | null
  is_audit_exact: boolean
  transmitted: number | null
  transmitted_basis: TransmittedBasis | null
  expected: number | null
}

/**
 * The figures of a collection `c` as a lateral query. `isLive` says for which collections they are computed; the others have those of their
 * closing. By default an open collection that is counted blind has none.
 */
export const figuresOf = (db: TenantDb, isLive: Condition = isShownOpen(db)): RawBuilder<Figures> => sql<Figures>`(
  select known.*, coalesce(case when known.is_audit_exact then known.audited end, known.transmitted, known.audited) as expected
  from (select 1) nothing
  left join lateral ${previous(db, isLive)} previous on true
  left join lateral ${audited(db, isLive)} audited on true
  left join lateral ${lastReport(db, sql`${isLive} and not ${isReported}`)} base on true
  left join lateral ${sold(db, isLive)} sold on true
  left join lateral ${remaining(db, isLive)} remaining on true
  cross join lateral (
    select case when ${isReported} then 'transaction' when base.at is not null then 'reading'
      when previous.until is not null then 'sales' end as basis
  ) way
  cross join lateral (
    select
      case when ${isLive} then previous.at else (c.frozen ->> 'previousAt')::timestamptz end as previous_at,
      case when ${isLive} then audited.total else c.audited_total end as audited,
      coalesce(case when ${isLive} then c.audit_at is not null and previous.audit_at is not null
        else (c.frozen -> 'audited' ->> 'isExact')::boolean end, false) as is_audit_exact,
      case when ${isLive} then case when way.basis = 'transaction' then c.reported_total
          when way.basis is not null then greatest(coalesce(base.box, 0) + sold.value - coalesce(remaining.box, 0), 0) end
        else c.transmitted_total end as transmitted,
      case when ${isLive} then way.basis else c.frozen -> 'transmitted' ->> 'basis' end as transmitted_basis
  ) known)`
