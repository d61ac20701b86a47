import { type RawBuilder, sql } from 'kysely'
import type { Agreement, IntervalKind } from '#contract/vocabulary/audit.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { cash } from '#domain/sales/paid-with.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { cashMoved, isVend, paidWith } from '../sales/sales.ts'

/**
 * Audited against transmitted and reported money. The audited side is stored in audit_intervals; the other side is summed at each call,
 * so that late data counts.
 */

/** The sums of both sides; null where they are unknown. */
export interface Sums {
  sold_count: number | null
  sold_value: number | null
  cash_count: number | null
  cash_value: number | null
  other_count: number | null
  other_value: number | null
  free_count: number | null
  test_count: number | null
  cash_in: number | null
  to_box: number | null
  sent_count: number | null
  sent_value: number | null
  sent_cash_count: number | null
  sent_cash_value: number | null
  sent_other_count: number | null
  sent_other_value: number | null
  sent_free: number | null
  sent_test: number | null
  taken: number | null
  boxed: number | null
}

export interface IntervalSums extends Sums {
  audit_id: string
  kind: IntervalKind
  begins_at: Date | null
  begin_audit_id: string | null
  ends_at: Date
  state: Agreement
}

const freeType = transactionTypes.freeSale
const isPaid = sql`(${isVend('t')} and t.type <> ${sql.lit(freeType)} and not t.free_sale)`
const isCash = sql`${paidWith('t')} = ${sql.lit(cash)}`
const movesCash = sql`${cashMoved('t')} <> 0`

/** The sums of transactions `t`. */
export const sentSums = sql`count(*) filter (where ${isPaid}) as sent_count,
  coalesce(sum(t.value) filter (where ${isPaid}), 0)::bigint as sent_value,
  count(*) filter (where ${isPaid} and ${isCash}) as sent_cash_count,
  coalesce(sum(t.value) filter (where ${isPaid} and ${isCash}), 0)::bigint as sent_cash_value,
  count(*) filter (where ${isPaid} and not ${isCash}) as sent_other_count,
  coalesce(sum(t.value) filter (where ${isPaid} and not ${isCash}), 0)::bigint as sent_other_value,
  count(*) filter (where (t.type = ${sql.lit(freeType)} or t.free_sale) and not t.error_sale) as sent_free,
  count(*) filter (where t.type = ${sql.lit(transactionTypes.testSale)}) as sent_test`

/** The clock may be set between two readings, by an hour for daylight saving; the machine's numbers decide which rows belong. */
const slack = sql`interval '1 hour'`

/**
 * Whether a row comes before or after a reading. Machines number their items in order; within one association the numbers decide,
 * otherwise the time.
 */
const precedes = (row: string, at: string, read: { at: string; epoch: string; seq: string }) =>
  sql`(case when ${sql.ref(`${row}.epoch`)} = ${sql.ref(read.epoch)} and ${sql.ref(`${row}.seq`)} is not null and ${sql.ref(read.seq)} is not null
    then ${sql.ref(`${row}.seq`)} < ${sql.ref(read.seq)} else ${sql.ref(`${row}.${at}`)} <= ${sql.ref(read.at)} end)`

const end = { at: 'i.ends_at', epoch: 'i.epoch', seq: 'i.seq' }
const begin = { at: 'i.begins_at', epoch: 'i.begin_epoch', seq: 'i.begin_seq' }

/** Transactions `t` that lie in the interval `i`. */
const inInterval = (
  db: TenantDb,
) => sql`${db.own('t')} and t.merchant_id = i.merchant_id and t.machine_id = i.machine_id
  and t.created_at > i.begins_at - ${slack} and t.created_at <= i.ends_at + ${slack}
  and ${precedes('t', 'created_at', end)} and not ${precedes('t', 'created_at', begin)}`

/** The last report of the cash devices before a reading, and its position. */
const readingBefore = (db: TenantDb, read: typeof end) => sql`(
  select c.at, c.epoch, c.seq, c.box from cash_readings c
  where ${db.own('c')} and c.merchant_id = i.merchant_id and c.machine_id = i.machine_id and c.at <= ${sql.ref(read.at)} + ${slack}
    and ${precedes('c', 'at', read)}
  order by c.at desc limit 1)`

/** Without cash movement between a report and the next reading, the report counts for the reading. */
const speaksFor = (
  db: TenantDb,
  reading: string,
  read: typeof end,
) => sql`(${sql.ref(`${reading}.at`)} is not null and not exists (
  select 1 from transactions t where ${db.own('t')} and t.merchant_id = i.merchant_id and t.machine_id = i.machine_id
    and t.created_at > ${sql.ref(`${reading}.at`)} - ${slack} and t.created_at <= ${sql.ref(read.at)} + ${slack}
    and ${movesCash} and ${precedes('t', 'created_at', read)}
    and not ${precedes('t', 'created_at', { at: `${reading}.at`, epoch: `${reading}.epoch`, seq: `${reading}.seq` })}))`

const fromReading = { at: 'first.at', epoch: 'first.epoch', seq: 'first.seq' }
const toReading = { at: 'last.at', epoch: 'last.epoch', seq: 'last.seq' }
/** Up to and including the report: its own number does not precede it. */
const upTo = (row: string, at: string, reading: typeof end) =>
  sql`(${precedes(row, at, reading)} or coalesce(${sql.ref(`${row}.epoch`)} = ${sql.ref(reading.epoch)} and ${sql.ref(`${row}.seq`)} = ${sql.ref(reading.seq)}, false))`

/**
 * Rows of `source` (audit_intervals as `i`) with the money transmitted and reported in them. A machine that never reports accepted cash
 * has no reported side, unless there was no cash.
 */
export const reconciled = (db: TenantDb, source: RawBuilder<unknown>) => sql`
  select i.*, s.*,
    case when reported.aligned then coalesce(taken.amount, case when i.cash_in = 0 then 0 end) end as taken,
    case when reported.aligned and last.box is not null and first.box is not null
      then last.box - first.box + coalesce(moved.collected, 0) end as boxed
  from ${source}
  left join lateral (
    select ${sentSums}
    from transactions t where ${inInterval(db)}
  ) s on i.begins_at is not null
  left join lateral ${readingBefore(db, end)} last on i.begins_at is not null
  left join lateral ${readingBefore(db, begin)} first on i.begins_at is not null
  left join lateral (
    select i.kind in ('counted', 'sinceReset', 'rolledOver', 'partlyReset') and ${speaksFor(db, 'last', end)} and ${speaksFor(db, 'first', begin)} as aligned
  ) reported on true
  left join lateral (
    select sum(piece.value * piece.count)::bigint as amount
    from cash_readings c, jsonb_to_recordset(c.accepted) piece (value bigint, count bigint)
    where ${db.own('c')} and reported.aligned and c.merchant_id = i.merchant_id and c.machine_id = i.machine_id
      and c.at > first.at - ${slack} and c.at <= last.at + ${slack}
      and ${upTo('c', 'at', toReading)} and not ${upTo('c', 'at', fromReading)}
  ) taken on true
  left join lateral (
    select -sum(${cashMoved('t')})::bigint as collected from transactions t
    where ${db.own('t')} and reported.aligned and t.merchant_id = i.merchant_id and t.machine_id = i.machine_id
      and t.created_at > first.at - ${slack} and t.created_at <= last.at + ${slack}
      and t.type = ${sql.lit(transactionTypes.collection)}
      and ${precedes('t', 'created_at', toReading)} and not ${upTo('t', 'created_at', fromReading)}
  ) moved on true`

/** Money decides; a missing value is not a mismatch. */
export const stateOf = (row: string) => {
  const differs = (audited: string, other: string) =>
    sql`coalesce(${sql.ref(`${row}.${audited}`)} <> ${sql.ref(`${row}.${other}`)}, false)`
  return sql<Agreement>`case
    when ${differs('sold_count', 'sent_count')} or ${differs('sold_value', 'sent_value')}
      or ${differs('cash_count', 'sent_cash_count')} or ${differs('cash_value', 'sent_cash_value')}
      or ${differs('other_count', 'sent_other_count')} or ${differs('other_value', 'sent_other_value')}
      or ${differs('cash_in', 'taken')} or ${differs('to_box', 'boxed')} then 'differs'
    when ${sql.ref(`${row}.sold_count`)} is null and ${sql.ref(`${row}.sold_value`)} is null then 'unknown'
    else 'agrees' end`
}

export const sumColumns = [
  'sold_count',
  'sold_value',
  'cash_count',
  'cash_value',
  'other_count',
  'other_value',
  'free_count',
  'test_count',
  'cash_in',
  'to_box',
  'sent_count',
  'sent_value',
  'sent_cash_count',
  'sent_cash_value',
  'sent_other_count',
  'sent_other_value',
  'sent_free',
  'sent_test',
  'taken',
  'boxed',
] as const
const sums = (row: string) => sql.join(sumColumns.map((column) => sql.ref(`${row}.${column}`)))

/** The intervals that end with these audits of a machine, with both sides. */
export async function reconcileAudits(
  db: TenantDb,
  machineId: string,
  auditIds: readonly string[],
): Promise<Map<string, IntervalSums>> {
  if (auditIds.length === 0) return new Map()
  const source = sql`(select * from audit_intervals where ${db.narrow('audit_intervals')}
    and machine_id = ${machineId}::uuid and audit_id = any(${auditIds}::uuid[])) i`
  const { rows } = await sql<IntervalSums>`
    select r.audit_id, r.kind, r.begins_at, r.begin_audit_id, r.ends_at, ${sums('r')}, ${stateOf('r')} as state
    from (${reconciled(db, source)}) r`.execute(db.query)
  return new Map(rows.map((row) => [row.audit_id, row]))
}

/** The transmitted sales per selection in the interval that ends with an audit. */
export async function transmittedBySelection(db: TenantDb, machineId: string, auditId: string) {
  const { rows } = await sql<{ line: number; count: number; value: number; product: string | null }>`
    select t.price_line as line, count(*) as count, sum(t.value)::bigint as value,
      (array_agg(t.product order by t.created_at desc) filter (where t.product is not null))[1] as product
    from audit_intervals i join transactions t on ${inInterval(db)}
    where ${db.narrow('audit_intervals', 'i')} and i.machine_id = ${machineId}::uuid and i.audit_id = ${auditId}::uuid
      and ${isPaid} and t.price_line is not null
    group by t.price_line`.execute(db.query)
  return new Map(rows.map((row) => [String(row.line), row]))
}
