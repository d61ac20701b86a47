import { type RawBuilder, sql } from 'kysely'
import { mostComparedDays, type ReconciledDayFilters, type reconciledDayOrds } from '#contract/audits/reconciliation.ts'
import type { DayAgreement, IntervalKind } from '#contract/vocabulary/audit.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
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
  type Sorted,
  type Stretch,
} from '../frame/list.ts'
import { seenBox } from '../frame/sights/blind-count.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'
import { isCompared } from './compared-audits.ts'
import { type DayCount, type PartOfDay, partsOf } from './day-parts.ts'
import { reconciled, type Sums, sentSums, stateOf, sumColumns } from './reconciliation.ts'

/** Audited against transmitted and reported money, machine by machine and day by day. */

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

/** The sums that say what is in a cash box: who counts blind does not see them. */
const ofBoxes: ReadonlySet<(typeof sumColumns)[number]> = new Set(['cash_in', 'taken', 'to_box', 'boxed'])

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
    sumColumns
      .filter((column) => !column.startsWith('sent_'))
      .map((column) => {
        const sum = sql.ref(`c.${column}`)
        return ofBoxes.has(column) ? sql`${seenBox(db, sum, 'days')} as ${sql.raw(column)}` : sum
      }),
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

type Ord = (typeof reconciledDayOrds)[number]

interface Part extends Sorted<Ord> {
  limits: RawBuilder<unknown>
}

const distance = (one: string, other: string) => sql`abs(${sql.ref(`listed.${one}`)} - ${sql.ref(`listed.${other}`)})`

/** The orders by figures. A difference counts in either direction. */
const figureOrders = {
  audited: sql`listed.sold_value`,
  transmitted: sql`listed.sent_value`,
  difference: distance('sold_value', 'sent_value'),
  cashIn: sql`listed.cash_in`,
  cashReported: sql`listed.taken`,
  cashDifference: distance('cash_in', 'taken'),
  boxDifference: distance('to_box', 'boxed'),
  reads: sql`listed.reads`,
  stretch: sql`listed.begins_at`,
} as const satisfies Partial<Record<Ord, RawBuilder<unknown>>>

/** Mismatches are first, matches last. */
const stateRank = sql`array_position(array['differs', 'notRead', 'unknown', 'agrees'], listed.state)`

/** Orders for which every day of the question is compared. */
const comparesAll = (ord: Ord): boolean => ord !== 'day' && ord !== 'machine'

/**
 * The newest days first, unless asked otherwise; each by machine. By state, days with the largest differences are first. Unknown figures are
 * last.
 */
export function dayOrder({ ord = 'day', ordType }: Sorted<Ord>): RawBuilder<unknown> {
  const isRising = ordType === undefined ? ord === 'machine' || ord === 'state' : ordType === 'ASC'
  const direction = sql.raw(isRising ? 'asc' : 'desc')
  const newest = sql`listed.day desc, listed.name_order, listed.machine_id`
  switch (ord) {
    case 'day':
      return sql`listed.day ${direction}, listed.name_order, listed.machine_id`
    case 'machine':
      return sql`listed.name_order ${direction}, listed.machine_id, listed.day desc`
    case 'state':
      return sql`${stateRank} ${direction}, greatest(${figureOrders.difference}, ${figureOrders.cashDifference}, ${figureOrders.boxDifference}) desc nulls last, ${newest}`
    default:
      return sql`${figureOrders[ord]} ${direction} nulls last, ${newest}`
  }
}

/**
 * Days by machine, as `listed`, in order. A page is compared alone. A filter by state, or an order by state or figure, compares all days of the
 * period, so it requires a period.
 */
export function reconciledDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
  what: RawBuilder<unknown>,
  { ord = 'day', ordType, limits }: Part,
) {
  const order = dayOrder({ ord, ordType })
  const all = spine(db, filters)
  return filters.states?.length || comparesAll(ord)
    ? sql`select ${what} from (${comparedDays(db, all)}) listed
        where ${anyOf('listed.state', filters.states, 'text')} order by ${order} ${limits}`
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

const countOf = (days: readonly DayCount[]) => days.reduce((all, { machines }) => all + machines, 0)

/** A page of days without a filter by state, and how many there are: only the page's days are put in order and compared. */
async function pageOfDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
  page: Page & Directed,
  days: readonly DayCount[],
) {
  const parts = partsOf(page.ordType === 'ASC' ? days : days.toReversed(), page)
  const total = cappedAt(countLimit, countOf(days))
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

/** Days in an order or with states for which more than the page is compared, where merchants are read apart. */
async function comparedApart(db: TenantDb, filters: ReconciledDayFilters, page: Page & Sorted<Ord>) {
  const limits = sql`limit ${offsetOf(page) + page.size}`
  const what = sql`listed.*, (count(*) over ())::int as of_merchant`
  const each = await gathered(db, reconciledDays(db, filters, what, { ...page, limits }))
  return sql<DayRecord & { n: number }>`with listed as materialized (select * from ${each} r)
    select listed.*, listed.day::text as local_day,
      (select sum(of_merchant)::int from (select distinct merchant_id, of_merchant from listed) counted) as n
    from listed order by ${dayOrder(page)} ${limitedTo(page)}`
}

/** A page of them, and how many match a filter by state. */
async function comparedPage(db: TenantDb, filters: ReconciledDayFilters, page: Page & Sorted<Ord>) {
  const counting = sql`listed.*, listed.day::text as local_day, (count(*) over ())::int as n`
  const part = { ord: page.ord, ordType: page.ordType, limits: limitedTo(page) }
  const { rows } = isApart(db)
    ? await (await comparedApart(db, filters, page)).execute(db.query)
    : await sql<DayRecord & { n: number }>`${reconciledDays(db, filters, counting, part)}`.execute(eachOf(db).query)
  return { rows, n: rows[0]?.n ?? 0 }
}

/** A page of days, and how many there are. */
export async function listReconciledDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
  page: Page & Sorted<Ord>,
): Promise<{ rows: DayRecord[]; total: number; capped: boolean }> {
  if (filters.states?.length) {
    const { rows, n } = await comparedPage(db, filters, page)
    return { rows, total: Math.min(n, countLimit), capped: n > countLimit }
  }
  const { ord = 'day', ordType, ...stretch } = page
  const days = await machinesByDay(db, filters)
  if (ord === 'day') return pageOfDays(db, filters, { ...stretch, ordType }, days)
  if (comparesAll(ord) && countOf(days) > mostComparedDays) return pageOfDays(db, filters, stretch, days)
  const { rows } = await comparedPage(db, filters, page)
  return { rows, ...cappedAt(countLimit, countOf(days)) }
}

/** Sums of days in a currency; each of the known figures. */
export interface DayTotals {
  currency: Currency
  audited: number | null
  transmitted: number | null
  difference: number | null
  cash_in: number | null
  cash_reported: number | null
  cash_difference: number | null
  box_difference: number | null
  reads: number
}

/** The sums of all matching days by currency; undefined if they are too many to be compared for it. */
export async function totalReconciledDays(
  db: TenantDb,
  filters: ReconciledDayFilters,
): Promise<DayTotals[] | undefined> {
  if (countOf(await machinesByDay(db, filters)) > mostComparedDays) return undefined
  const figures = sql`listed.sold_value as audited, listed.sent_value as transmitted, listed.sold_value - listed.sent_value as difference,
    listed.cash_in, listed.taken as cash_reported, listed.cash_in - listed.taken as cash_difference,
    listed.to_box - listed.boxed as box_difference, listed.reads`
  const names = [
    'audited',
    'transmitted',
    'difference',
    'cash_in',
    'cash_reported',
    'cash_difference',
    'box_difference',
    'reads',
  ]
  const summed = (alias: string) =>
    sql.join(names.map((name) => sql`sum(${sql.ref(`${alias}.${name}`)})::bigint as ${sql.ref(name)}`))
  const each = await gathered(
    db,
    sql`select d.currency, ${summed('d')} from (${reconciledDays(db, filters, sql`listed.currency, ${figures}`, { ord: 'state', limits: sql`` })}) d
      group by 1`,
  )
  const { rows } = await sql<DayTotals>`select t.currency, ${summed('t')} from ${each} t group by 1 order by 1`.execute(
    db.query,
  )
  return rows
}
