import { type RawBuilder, sql } from 'kysely'
import {
  type FleetKpiQuery,
  type merchantKpiOrds,
  noVersion,
  type PosKpiFilters,
  type posKpiOrds,
} from '#contract/insight/distributor-kpis.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { rejectionLimits } from '#domain/cash/rejection.ts'
import { kpiPeriod } from '#domain/insight/kpi-interval.ts'
import { kpiPartsOf } from '#domain/insight/kpi-spans.ts'
import { addDays, dayIn, daysIn, lastEndedDay, type Period } from '#domain/time/period.ts'
import { mcbf } from '../alarms/mcbf.ts'
import { anyOf, machinesFound, when } from '../frame/conditions.ts'
import { cappedAt, countLimit, limitedTo, type Page, type Sorted } from '../frame/list.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'
import { reachOf } from '../sums/group-sales.ts'
import { columnList, figureNames, type Kind, type KpiFigures, kinds, kpiColumns } from '../sums/kpi-columns.ts'

type Interval = Pick<FleetKpiQuery, 'days' | 'startDate' | 'endDate'>
type Filters = Pick<FleetKpiQuery, 'groupIds' | 'deviceTypes' | 'firmwareVersions'>

/** The ended days of an interval; without dates, the last ones. Under all merchants they have ended at each of them. */
export async function kpiPeriodOf(db: TenantDb, query: Interval, now: Date): Promise<Period> {
  const zones = await db.from('merchants').select('time_zone').distinct().execute()
  const ended = zones.map(({ time_zone }) => lastEndedDay(now, time_zone)).sort()
  return kpiPeriod(query, ended[0] ?? lastEndedDay(now, 'UTC'))
}

/** As many days before an interval. */
export const daysBefore = (period: Period): Period => ({
  startDate: addDays(period.startDate, -Math.max(0, daysIn(period))),
  endDate: addDays(period.startDate, -1),
})

const figures = (alias: string, where = sql`true`) =>
  sql.join(
    figureNames.map(
      (name) =>
        sql`coalesce(sum(${sql.ref(`${alias}.${name}`)}) filter (where ${where}), 0)::bigint as ${sql.ref(name)}`,
    ),
  )

const versionOf = (column: string) => sql`coalesce(nullif(${sql.ref(column)}, ''), ${sql.lit(noVersion)})`
const among = (value: RawBuilder<unknown>, values: readonly string[] | undefined) =>
  when(values, (some) => sql<boolean>`${value} = any(${some}::text[])`)

const isWanted = ({ deviceTypes, firmwareVersions }: Filters) => sql`
  ${anyOf('k.device_type', deviceTypes, 'text')} and ${among(versionOf('k.firmware_version'), firmwareVersions)}`

const between = ({ startDate, endDate }: Period) => sql`k.day between ${startDate}::date and ${endDate}::date`

/**
 * KPI days `k` of the scope by what machines were. Of merchants that are seen as a whole there are few rows; of some groups, one for
 * each machine and day.
 */
function kpiDays(db: TenantDb, filters: Filters, period: Period): RawBuilder<unknown> {
  const reach = reachOf(db.scope, filters.groupIds)
  const whole = reach.filter(({ groups }) => groups === 'all')
  const some = reach.filter(({ groups }) => groups !== 'all')
  const columns = columnList(['merchant_id', 'day', ...kpiColumns], 'k')
  const parts = (
    [
      ['merchant_kpis_daily', whole],
      ['machine_kpis_daily', some],
    ] as const
  )
    .filter(([, scope]) => scope.length > 0)
    .map(
      ([table, scope]) => sql`select ${columns} from ${sql.table(table)} k
        where ${withinScope(db, scope).narrow(table, 'k')} and ${between(period)} and ${isWanted(filters)}`,
    )
  return sql.join(parts, sql` union all `)
}

export type KpiKind = Kind & KpiFigures & { isNow: boolean }

const within = (period: Period): Period => ({ startDate: daysBefore(period).startDate, endDate: period.endDate })

/** Figures of an interval and of as many days before, by what machines were. */
export async function kpisByKind(db: TenantDb, filters: Filters, period: Period): Promise<KpiKind[]> {
  const { rows } = await sql<KpiKind>`
    select ${columnList(kinds, 'k')}, k.day >= ${period.startDate}::date as "isNow", ${figures('k')}
    from (${kpiDays(db, filters, within(period))}) k group by 1, 2, 3, 4, 5`.execute(db.query)
  return rows
}

/** Figures of each day of an interval. */
export async function kpisByDay(db: TenantDb, filters: Filters, period: Period) {
  const { rows } = await sql<KpiFigures & { day: string }>`
    select k.day, ${figures('k')} from (${kpiDays(db, filters, period)}) k group by 1 order by 1`.execute(db.query)
  return rows
}

/** Pieces by currency and denomination. */
export async function piecesByDenomination(db: TenantDb, filters: Filters, period: Period) {
  const { rows } = await sql<{
    currency: Currency
    denomination: number
    isNow: boolean
    accepted: number
    rejected: number
  }>`
    select m.currency, u.denomination, k.day >= ${period.startDate}::date as "isNow",
      sum(u.accepted)::bigint as accepted, sum(u.rejected)::bigint as rejected
    from (${kpiDays(db, filters, within(period))}) k join merchants m on m.id = k.merchant_id
    cross join lateral unnest(k.denominations, k.accepted, k.rejected) as u (denomination, accepted, rejected)
    group by 1, 2, 3`.execute(db.query)
  return rows
}

const share = (part: string, whole: string) => sql`x.${sql.ref(part)}::float8 / nullif(x.${sql.ref(whole)}, 0)`
const figureOrds = {
  rejectionRate: sql`x.rejected::float8 / nullif(x.accepted + x.rejected, 0)`,
  rejected: sql`x.rejected`,
  accepted: sql`x.accepted`,
  blockingAlarms: sql`x.blocking_alarms`,
  blocked: share('blocked_seconds', 'seconds'),
  absent: share('absent_seconds', 'seconds'),
  mcbf: mcbf(sql`x.cycles`, sql`x.faults`),
}
const posOrds = {
  ...figureOrds,
  posName: sql`lower(x.name)`,
  merchant: sql`lower(x.merchant_name)`,
  serial: sql`x.serial`,
  deviceType: sql`x.device_type`,
  firmware: sql`x.firmware_version`,
} satisfies Record<(typeof posKpiOrds)[number], unknown>
const merchantOrds = { ...figureOrds, merchant: sql`lower(x.name)` } satisfies Record<
  (typeof merchantKpiOrds)[number],
  unknown
>

/** The worst first by default: without a fault the MCBF is more than any other. */
function ordering<Ord extends string>(
  columns: Record<Ord | 'rejectionRate', RawBuilder<unknown>>,
  { ord, ordType }: Sorted<Ord>,
) {
  const by = ord ?? 'rejectionRate'
  const direction =
    ordType ?? (['mcbf', 'posName', 'merchant', 'serial', 'deviceType', 'firmware'].includes(by) ? 'ASC' : 'DESC')
  const nulls = by === 'mcbf' && direction === 'DESC' ? 'first' : 'last'
  return sql`${columns[by]} ${sql.raw(direction)} nulls ${sql.raw(nulls)}, x.rejected desc, lower(x.name), x.id`
}

export const posKpiOrdering = (order: Sorted<(typeof posKpiOrds)[number]>) => ordering(posOrds, order)

const bandOf = sql`case when x.accepted + x.rejected = 0 then 'none'
  when x.rejected * 100 < ${sql.lit(rejectionLimits.middling)} * (x.accepted + x.rejected) then 'good'
  when x.rejected * 100 <= ${sql.lit(rejectionLimits.bad)} * (x.accepted + x.rejected) then 'middling' else 'bad' end`

export interface PosKpiRecord extends KpiFigures {
  id: string
  name: string
  serial: string
  merchant_id: string
  merchant_name: string
  time_zone: string
  device_type: string
  firmware_version: string | null
  accepted: number
  rejected: number
}

/**
 * KPIs `k` of machines in the scope by spans and days: the sums of `sign` times their figures are those of the period. The sum
 * of `days` of machines without a day in it is 0.
 */
function machineKpis(
  scope: TenantDb,
  period: Period,
  today: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const columns = columnList(['merchant_id', 'machine_id', ...kpiColumns], 'k')
  const { spans, days } = kpiPartsOf(period, today)
  const signed = (sign: 1 | -1) => sql`${sql.lit(sign)} as sign`
  const ofSpans = spans.map(
    ({ sign, span, firsts }) => sql`
      select ${signed(sign)}, ${sql.lit(sign)} * k.days as days, ${columns} from machine_kpis_spans k
      where ${scope.narrow('machine_kpis_spans', 'k')} and k.span = ${sql.lit(span)} and k.first = any(${firsts}::date[]) and ${condition}`,
  )
  const ofDays = days.map(
    ({ sign, periods }) => sql`
      select ${signed(sign)}, ${sql.lit(sign)} as days, ${columns} from machine_kpis_daily k
      where ${scope.narrow('machine_kpis_daily', 'k')} and (${sql.join(periods.map(between), sql` or `)}) and ${condition}`,
  )
  const parts = [...ofSpans, ...ofDays]
  const none = sql`select 1 as sign, 1 as days, ${columns} from machine_kpis_daily k where ${scope.narrow('machine_kpis_daily', 'k')} and false`
  return sql.join(parts.length > 0 ? parts : [none], sql` union all `)
}

/** The pieces of a machine's rows `k` that the filters want. */
function piecesOf(side: 'accepted' | 'rejected', { validators, denominations }: PosKpiFilters): RawBuilder<unknown> {
  if (denominations?.length)
    return sql`sum(k.sign * (select coalesce(sum(u.pieces), 0) from unnest(k.denominations, ${sql.ref(`k.${side}`)}) as u (value, pieces)
      where m.currency || ':' || u.value = any(${denominations}::text[])))::bigint`
  const coins = sql.ref(`k.coins_${side}`)
  const bills = sql.ref(`k.bills_${side}`)
  if (!validators?.length) return sql`sum(k.sign * (${coins} + ${bills}))::bigint`
  return sql`sum(k.sign * (case when ${isOf('coin', validators)} then ${coins} else 0 end
    + case when ${isOf('bill', validators)} then ${bills} else 0 end))::bigint`
}

const isOf = (kind: 'coin' | 'bill', validators: readonly string[]) =>
  sql<boolean>`${sql.lit(`${kind}:`)} || ${versionOf(`k.${kind}_validator`)} = any(${validators}::text[])`

/** The figures by which machines are sorted, beside their pieces. */
const sortedBy: Record<(typeof posKpiOrds)[number], readonly (keyof KpiFigures)[]> = {
  rejectionRate: [],
  rejected: [],
  accepted: [],
  posName: [],
  merchant: [],
  serial: [],
  deviceType: [],
  firmware: [],
  blockingAlarms: ['blocking_alarms'],
  blocked: ['blocked_seconds', 'seconds'],
  absent: ['absent_seconds', 'seconds'],
  mcbf: ['cycles', 'faults'],
}

interface Detail {
  /** Fewer figures cost less. */
  figures: readonly (keyof KpiFigures)[]
  /** Only these machines. */
  ids?: readonly string[]
}

/** Machines `x` with their KPIs, unsorted. */
export async function posKpiRows(
  db: TenantDb,
  filters: PosKpiFilters,
  period: Period,
  now: Date,
  { figures, ids }: Detail = { figures: figureNames },
): Promise<RawBuilder<PosKpiRecord>> {
  const isFound = await machinesFound(db, filters.search)
  const scope = withinScope(db, reachOf(db.scope, filters.groupIds))
  const { validators, bands } = filters
  const days = machineKpis(
    scope,
    period,
    dayIn(now, 'UTC'),
    sql`${isWanted(filters)} and ${isFound('k.machine_id')} and ${anyOf('k.machine_id', ids, 'uuid')}
      and ${when(validators, (some) => sql<boolean>`(${isOf('coin', some)} or ${isOf('bill', some)})`)}`,
  )
  const sums = figures.map((name) => sql`sum(k.sign * ${sql.ref(`k.${name}`)})::bigint as ${sql.ref(name)}`)
  return sql<PosKpiRecord>`
    select x.* from (
      select p.id, p.name, p.serial, m.id as merchant_id, m.name as merchant_name, m.time_zone, p.device_type, p.firmware_version,
        ${columnList(['accepted', 'rejected', ...figures], 's')}
      from (
        select ${sql.join([
          sql`k.merchant_id`,
          sql`k.machine_id`,
          sql`${piecesOf('accepted', filters)} as accepted`,
          sql`${piecesOf('rejected', filters)} as rejected`,
          ...sums,
        ])}
        from (${days}) k join merchants m on m.id = k.merchant_id
        group by 1, 2 having sum(k.days) > 0
      ) s
      join merchants m on m.id = s.merchant_id
      join machines p on ${db.own('p')} and p.merchant_id = s.merchant_id and p.id = s.machine_id
    ) x where ${when(bands, (some) => sql<boolean>`${bandOf} = any(${some}::text[])`)}`
}

/** A page of machines with their KPIs. All machines are sorted, but only those of the page are added up in full. */
export async function listPosKpis(
  db: TenantDb,
  query: PosKpiFilters & Page & Sorted<(typeof posKpiOrds)[number]>,
  period: Period,
  now: Date,
) {
  const ordering = posKpiOrdering(query)
  const sorted = await posKpiRows(db, query, period, now, { figures: sortedBy[query.ord ?? 'rejectionRate'] })
  const page = await pageOf<PosKpiRecord>(db, sorted, ordering, query)
  const ids = page.rows.map(({ id }) => id)
  if (ids.length === 0) return page
  const full = await posKpiRows(db, query, period, now, { figures: figureNames, ids })
  const { rows } = await sql<PosKpiRecord>`select x.* from (${full}) x order by ${ordering}`.execute(db.query)
  return { ...page, rows }
}

export interface MerchantKpiRecord extends KpiFigures {
  id: string
  name: string
  accepted: number
  rejected: number
  before: KpiFigures
}

/** A page of merchants with their KPIs, and those of as many days before. */
export async function listMerchantKpis(
  db: TenantDb,
  query: Filters & Page & Sorted<(typeof merchantKpiOrds)[number]>,
  period: Period,
) {
  const days = kpiDays(db, query, within(period))
  const isNow = sql`k.day >= ${period.startDate}::date`
  const before = sql.join(
    figureNames.flatMap((name) => [
      sql.lit(name),
      sql`coalesce(sum(${sql.ref(`k.${name}`)}) filter (where not ${isNow}), 0)::bigint`,
    ]),
  )
  const merchants = sql<MerchantKpiRecord>`
    select y.*, y.coins_accepted + y.bills_accepted as accepted, y.coins_rejected + y.bills_rejected as rejected
    from (
      select m.id, m.name, ${figures('k', isNow)}, jsonb_build_object(${before}) as before
      from merchants m left join (${days}) k on k.merchant_id = m.id where ${db.narrow('merchants', 'm')} group by 1, 2
    ) y`
  return pageOf<MerchantKpiRecord>(db, merchants, ordering(merchantOrds, query), query)
}

async function pageOf<Row>(db: TenantDb, rows: RawBuilder<Row>, order: RawBuilder<unknown>, page: Page) {
  const { rows: items } = await sql<Row & { total: number; all_accepted: number; all_rejected: number }>`
    select x.*, count(*) over ()::int as total, (sum(x.accepted) over ())::bigint as all_accepted,
      (sum(x.rejected) over ())::bigint as all_rejected from (${rows}) x order by ${order}
    ${limitedTo(page)}`.execute(db.query)
  const total = items[0]?.total ?? 0
  const [first] = items
  const pieces = first && { accepted: Number(first.all_accepted), rejected: Number(first.all_rejected) }
  return { rows: items, ...cappedAt(countLimit, total), pieces }
}
