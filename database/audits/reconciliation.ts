import { type RawBuilder, sql } from 'kysely'
import type { ReconciledDayFilters } from '#contract/audits/reconciliation.ts'
import type { Agreement, DayAgreement, IntervalKind } from '#contract/vocabulary/audit.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { cash } from '#domain/sales/paid-with.ts'
import { addDays, daysIn } from '#domain/time/period.ts'
import { eachOf, gathered, isApart } from '../frame/apart/apart.ts'
import { among, anyOf } from '../frame/conditions.ts'
import {
  cappedAt,
  countLimit,
  type Directed,
  limitedTo,
  offsetOf,
  type Page,
  rowsWithin,
  type Stretch,
} from '../frame/list.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'
import { cashMoved, isVend, paidWith } from '../sales/sales.ts'
import { isCompared } from './compared-audits.ts'
import { type DayCount, type PartOfDay, partsOf } from './day-parts.ts'

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
const sentSums = sql`count(*) filter (where ${isPaid}) as sent_count,
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
const reconciled = (db: TenantDb, source: RawBuilder<unknown>) => sql`
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
const stateOf = (row: string) => {
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

const sumColumns = [
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

export interface DayRecord extends Sums {
  machine_id: string
  machine_name: string
  serial: string
  merchant_id: string
  merchant_name: string
  time_zone: string
  currency: string
  local_day: string
  state: DayAgreement
  reads: number
  kinds: IntervalKind[] | null
  begins_at: Date | null
  ends_at: Date | null
  audit_id: string | null
  spanned_by: string | null
  spanned_at: Date | null
}

/** The machines `m` whose days are listed. */
const isListed = (db: TenantDb, { posIds, groupIds }: ReconciledDayFilters) => sql`
  ${db.narrow('machines', 'm')} and ${posIds?.length ? sql`true` : sql`not m.hidden`}
    and ${anyOf('m.id', posIds, 'uuid')} and ${anyOf('m.group_id', groupIds, 'uuid')}`

/**
 * Machines × days of the period, newest first, without future days and days before the machine existed. Days of a hidden machine are
 * listed only if the machine is named. The days of a merchant begin and end once for all of its machines (`offset 0`).
 */
const spine = (db: TenantDb, filters: ReconciledDayFilters) => sql`
  select m.merchant_id, m.id as machine_id, m.name as machine_name, m.name_order, m.serial, d.merchant_name, d.time_zone, d.currency,
    d.day, d.day_begins, d.day_ends
  from (
    select o.id as merchant_id, o.name as merchant_name, o.time_zone, o.currency, each.day::date as day,
      each.day at time zone o.time_zone as day_begins, (each.day + interval '1 day') at time zone o.time_zone as day_ends
    from merchants o
    cross join generate_series(${filters.startDate}::date::timestamp, ${filters.endDate}::date::timestamp, interval '1 day') each (day)
    where ${db.narrow('merchants', 'o')} and each.day at time zone o.time_zone <= now() offset 0
  ) d
  join machines m on m.merchant_id = d.merchant_id
  where ${isListed(db, filters)} and d.day_ends > m.created_at`

const sumOfDay = (column: string) =>
  // One interval with an unknown sum makes the day's sum unknown.
  sql`case when count(*) = count(r.${sql.raw(column)}) then sum(r.${sql.raw(column)})::bigint end as ${sql.raw(column)}`

/** The days of `days` with both sides of the readings that end on them. */
const comparedDays = (db: TenantDb, days: RawBuilder<unknown>) => sql`
  with days as materialized (${days}),
  compared as (
    select r.merchant_id, r.machine_id, r.day, min(r.begins_at) as begins_at,
      (array_agg(r.audit_id order by r.ends_at desc) filter (where ${stateOf('r')} = 'differs'))[1] as differing_audit_id,
      ${sql.join(sumColumns.map(sumOfDay))}
    from (${reconciled(
      db,
      sql`(select i.*, days.day from days join audit_intervals i on ${db.own('i')} and i.merchant_id = days.merchant_id
      and i.machine_id = days.machine_id and i.ends_at >= days.day_begins and i.ends_at < days.day_ends
      and i.begins_at is not null) i`,
    )}) r
    group by r.merchant_id, r.machine_id, r.day
  )
  select days.*, c.begins_at, ${sql.join(
    sumColumns.filter((column) => !column.startsWith('sent_')).map((column) => sql.ref(`c.${column}`)),
  )}, ${sql.join(
    sumColumns
      .filter((column) => column.startsWith('sent_'))
      .map(
        (column) =>
          sql`case when ends.reads > 0 then ${sql.ref(`c.${column}`)} else sent.${sql.raw(column)} end as ${sql.raw(column)}`,
      ),
  )},
    ends.reads, ends.kinds, ends.ends_at, spanning.audit_id as spanned_by, spanning.ends_at as spanned_at,
    case when ends.reads = 0 then 'notRead' else ${stateOf('c')} end as state,
    case when ${stateOf('c')} = 'differs' then coalesce(c.differing_audit_id, ends.last_audit_id) else ends.last_audit_id end as audit_id
  from days
  left join compared c on c.merchant_id = days.merchant_id and c.machine_id = days.machine_id and c.day = days.day
  left join lateral (
    select count(*)::int as reads, array_agg(distinct i.kind) as kinds, max(i.ends_at) as ends_at,
      (array_agg(i.audit_id order by i.ends_at desc, i.audit_id desc))[1] as last_audit_id
    from audit_intervals i where ${db.own('i')} and i.merchant_id = days.merchant_id and i.machine_id = days.machine_id
      and i.ends_at >= days.day_begins and i.ends_at < days.day_ends and ${isCompared('i')}
  ) ends on true
  left join lateral (
    select i.audit_id, i.ends_at from audit_intervals i
    where ${db.own('i')} and ends.reads = 0 and i.merchant_id = days.merchant_id and i.machine_id = days.machine_id
      and i.ends_at >= days.day_ends and ${isCompared('i')} and i.begins_at < days.day_begins
    order by i.ends_at limit 1
  ) spanning on true
  left join lateral (
    select ${sentSums}
    from transactions t where ${db.own('t')} and ends.reads = 0 and t.merchant_id = days.merchant_id and t.machine_id = days.machine_id
      and t.created_at >= days.day_begins and t.created_at < days.day_ends
  ) sent on true`

interface Part extends Directed {
  limits: RawBuilder<unknown>
}

/** The newest days first, unless asked otherwise; each by machine. */
export const dayOrder = ({ ordType }: Directed) =>
  sql`listed.day ${sql.raw(ordType === 'ASC' ? 'asc' : 'desc')}, listed.name_order, listed.machine_id`

/**
 * Days by machine, as `listed`, in order. A page is compared alone. A filter by state compares all days of the period, so it requires a
 * period.
 */
export function reconciledDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
  what: RawBuilder<unknown>,
  { ordType, limits }: Part,
) {
  const order = dayOrder({ ordType })
  const all = spine(db, filters)
  return filters.states?.length
    ? sql`select ${what} from (${comparedDays(db, all)}) listed
        where ${among('listed.state', filters.states, 'text')} order by ${order} ${limits}`
    : sql`select ${what} from (${comparedDays(db, sql`select * from (${all}) listed order by ${order} ${limits}`)}) listed
        order by ${order}`
}

/** How many days match the filters. */
export const reconciledDayCount = (db: TenantDb, filters: ReconciledDayFilters) =>
  filters.states?.length
    ? sql<{ n: number }>`select count(*)::bigint as n from (${comparedDays(db, spine(db, filters))}) listed
        where ${among('listed.state', filters.states, 'text')}`
    : sql<{ n: number }>`select count(*)::bigint as n from (${spine(db, filters)}) counted`

/** The days of the period with the number of their machines, as the spine has them. Machines are counted once, not day by day. */
async function machinesByDay(db: TenantDb, filters: ReconciledDayFilters): Promise<DayCount[]> {
  const { startDate, endDate } = filters
  const { rows } = await sql<{ since: string; today: string; machines: number }>`
    select greatest((m.created_at at time zone o.time_zone)::date, ${startDate}::date)::text as since,
      (now() at time zone o.time_zone)::date::text as today, count(*)::int as machines
    from machines m join merchants o on o.id = m.merchant_id where ${isListed(db, filters)} group by 1, 2`.execute(
    db.query,
  )
  const days = Array.from({ length: daysIn({ startDate, endDate }) }, (_, after) => addDays(startDate, after))
  return days.map((day) => ({
    day,
    machines: rows.reduce((all, row) => all + (row.since <= day && day <= row.today ? row.machines : 0), 0),
  }))
}

/** A page of days without a filter by state, and how many there are: only the page's days are put in order and compared. */
async function pageOfDays(db: TenantDb, filters: ReconciledDayFilters, page: Page & Directed) {
  const days = await machinesByDay(db, filters)
  const parts = partsOf(page.ordType === 'ASC' ? days : days.toReversed(), page)
  const total = cappedAt(
    countLimit,
    days.reduce((all, { machines }) => all + machines, 0),
  )
  if (parts.length === 0) return { ...total, rows: [] }
  if (isApart(db)) return { ...total, rows: await daysOfMerchants(db, filters, parts, page) }
  const chosen = parts.map(
    ({ day, after, rows }) => sql`(select * from (${spine(db, { ...filters, startDate: day, endDate: day })}) spine
      order by spine.name_order, spine.machine_id limit ${rows} offset ${after})`,
  )
  const { rows } = await sql<DayRecord>`
    select listed.*, listed.day::text as local_day from (${comparedDays(db, sql.join(chosen, sql` union all `))}) listed
    order by ${dayOrder(page)}`.execute(eachOf(db).query)
  return { ...total, rows }
}

/** The same days where merchants are read apart: their machines are put in order first. */
async function daysOfMerchants(
  db: TenantDb,
  filters: ReconciledDayFilters,
  parts: readonly PartOfDay[],
  { ordType }: Directed,
): Promise<DayRecord[]> {
  const found: { merchant_id: string; machine_id: string; day: string }[] = []
  for (const { day, after, rows } of parts) {
    const ofDay = spine(db, { ...filters, startDate: day, endDate: day })
    const stretch = { offset: after, length: rows }
    const select = ({ offset, length }: Stretch) => sql<(typeof found)[number] & { name_order: string }>`
      select merchant_id, machine_id, day, name_order from (${ofDay}) spine
      order by spine.name_order, spine.machine_id limit ${length} offset ${offset}`
    found.push(...(await rowsWithin(db, stretch, select, sql`r.name_order, r.machine_id`)))
  }
  const merchants = new Set(found.map(({ merchant_id }) => merchant_id))
  const those = withinScope(
    db,
    db.scope.filter(({ merchantId }) => merchants.has(merchantId)),
  )
  const keys = sql`select * from unnest(${found.map(({ machine_id }) => machine_id)}::uuid[], ${found.map(({ day }) => day)}::date[])`
  const days = sql`select * from (${spine(those, filters)}) spine where (spine.machine_id, spine.day) in (${keys})`
  const each = await gathered(those, comparedDays(those, days))
  const { rows } = await sql<DayRecord>`
    select listed.*, listed.day::text as local_day from ${each} listed order by ${dayOrder({ ordType })}`.execute(
    db.query,
  )
  return rows
}

/** Days with these states where merchants are read apart. */
async function daysInStates(db: TenantDb, filters: ReconciledDayFilters, page: Page & Directed) {
  const limits = sql`limit ${offsetOf(page) + page.size}`
  const what = sql`listed.*, (count(*) over ())::int as of_merchant`
  const each = await gathered(db, reconciledDays(db, filters, what, { ordType: page.ordType, limits }))
  return sql<DayRecord & { n: number }>`with listed as materialized (select * from ${each} r)
    select listed.*, listed.day::text as local_day,
      (select sum(of_merchant)::int from (select distinct merchant_id, of_merchant from listed) counted) as n
    from listed order by ${dayOrder(page)} ${limitedTo(page)}`
}

/** A page of days, and how many there are. */
export async function listReconciledDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
  page: Page & Directed,
): Promise<{ rows: DayRecord[]; total: number; capped: boolean }> {
  if (!filters.states?.length) return pageOfDays(db, filters, page)
  const part = { ordType: page.ordType, limits: limitedTo(page) }
  const counting = sql`listed.*, listed.day::text as local_day, (count(*) over ())::int as n`
  const { rows } = isApart(db)
    ? await (await daysInStates(db, filters, page)).execute(db.query)
    : await sql<DayRecord & { n: number }>`${reconciledDays(db, filters, counting, part)}`.execute(eachOf(db).query)
  const n = rows[0]?.n ?? 0
  return { rows, total: Math.min(n, countLimit), capped: n > countLimit }
}
