import { type RawBuilder, sql } from 'kysely'
import type { MachineState } from '#contract/machines/machine-state.ts'
import type { MerchantOfDashboardFilters, merchantOfDashboardOrds } from '#contract/sales/merchants-dashboard.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isShown, stateOf } from '../facts/machine-state.ts'
import { eachOf, gathered } from '../frame/apart/apart.ts'
import { ofScope } from '../frame/apart/lanes.ts'
import { countUpTo, limitedTo, orderOf, type Page, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { weeksWithData } from './first-day.ts'
import { isSale, salesByHour } from './sales.ts'
import { groupSumsWithin } from './summed-sales.ts'

export interface MerchantRecord extends Record<MachineState, number> {
  id: string
  name: string
  isDemo: boolean
  currency: Currency
  timeZone: string
  machines: number
  blockingAlarms: number
}

type Ord = (typeof merchantOfDashboardOrds)[number]

const countOf = (state: MachineState) => sql`count(*) filter (where ${stateOf} = ${state})::int as ${sql.ref(state)}`

/** The scope's merchants that match. */
export const merchantsMatching = (db: TenantDb, { search }: MerchantOfDashboardFilters) =>
  db.from('merchants').where(holds(sql`merchants.name`, search))

/** The same with their machines by state, unsorted. */
export const merchantsDashboardRows = (db: TenantDb, filters: MerchantOfDashboardFilters) => sql<MerchantRecord>`
  select merchants.id, merchants.name, merchants.is_demo as "isDemo", merchants.currency, merchants.time_zone as "timeZone",
    coalesce(p.machines, 0) as machines, coalesce(p.blocked, 0) as blocked, coalesce(p.silent, 0) as silent,
    coalesce(p.warning, 0) as warning, coalesce(p.selling, 0) as selling, coalesce(a.n, 0) as "blockingAlarms"
  from (${merchantsMatching(db, filters).selectAll('merchants')}) merchants
  left join (
    select machines.merchant_id, count(*)::int as machines, ${countOf('blocked')}, ${countOf('silent')},
      ${countOf('warning')}, ${countOf('selling')}
    from machines where ${db.narrow('machines')} and not machines.hidden group by 1
  ) p on p.merchant_id = merchants.id
  left join (
    select a.merchant_id, count(*)::int as n
    from alarms a where ${db.narrow('alarms', 'a')} and ${isShown(db, 'a')} and a.status in ('active', 'notification') and a.criticity = ${sql.lit(alarmCriticities.blocking)} group by 1
  ) a on a.merchant_id = merchants.id`

/** By default the merchants with most machines needing attention first. */
export const merchantsDashboardOrdering = orderOf<Ord>({
  by: {
    attention: sql`x."blockingAlarms" desc, x.blocked desc, x.silent desc, x.warning`,
    name: sql`lower(x.name)`,
    isDemo: sql`x."isDemo"`,
    machines: sql`x.machines`,
    silent: sql`x.silent`,
    blockingAlarms: sql`x."blockingAlarms"`,
  },
  first: 'attention',
  full: ['attention', 'name', 'isDemo', 'machines', 'silent', 'blockingAlarms'],
  falling: ['attention', 'machines', 'silent', 'blockingAlarms'],
  ties: sql`lower(x.name), x.id`,
})

/** A page of the scope's merchants with their machines by state. */
export async function listMerchantsDashboard(db: TenantDb, query: MerchantOfDashboardFilters & Page & Sorted<Ord>) {
  const counted = await countUpTo(db, merchantsMatching(db, query))
  const { rows } = await sql<MerchantRecord>`
    select * from ${await gathered(db, merchantsDashboardRows(db, query))} x order by ${merchantsDashboardOrdering(query)}
    ${limitedTo(query)}`.execute(db.query)
  return { ...counted, rows }
}

export interface TodayRecord {
  merchantId: string
  value: number
  vends: number
  usualValueByNow: number
  usualVendsByNow: number
  /** The days of the average. */
  usualDays: number
}

/**
 * Today's sales of merchants `m`, and their average up to this time of day on the last same weekdays. Each merchant's days use the index
 * separately, as on the dashboard.
 */
export const soldToday = (db: TenantDb, isMeant: RawBuilder<boolean>, now: Date) => sql<TodayRecord>`
  select d.id as "merchantId",
    coalesce(sum(x.value) filter (where d.week = 0), 0)::bigint as value,
    coalesce(sum(x.vends) filter (where d.week = 0), 0)::int as vends,
    round(coalesce(sum(x.value * passed.share) filter (where d.week > 0), 0) / greatest(1, max(d.weeks)))::bigint as "usualValueByNow",
    (coalesce(sum(x.vends * passed.share) filter (where d.week > 0), 0) / greatest(1, max(d.weeks)))::float8 as "usualVendsByNow",
    max(d.weeks) as "usualDays"
  from (
    select m.id, m.time_zone, week, counted.weeks, extract(epoch from local.now - local.day) / 3600 as hours_passed,
      local.day - 7 * week as day
    from merchants m
    cross join lateral (select ${now}::timestamptz at time zone m.time_zone as now,
      (${now}::timestamptz at time zone m.time_zone)::date as day) as local
    cross join lateral (${weeksWithData(db, sql`local.day`)}) counted
    cross join generate_series(0, counted.weeks) as week
    where ${db.narrow('merchants', 'm')} and ${isMeant}
  ) d
  left join lateral (${salesByHour(db)}) x on true
  cross join lateral (
    select least(1, greatest(0, d.hours_passed - extract(hour from x.hour at time zone d.time_zone))) as share
  ) passed
  group by 1`

/** The same for some merchants. */
export async function soldTodayBy(db: TenantDb, merchantIds: readonly string[], now: Date): Promise<TodayRecord[]> {
  const { rows } = await soldToday(db, sql<boolean>`m.id = any(${ofScope(merchantIds)}::uuid[])`, now).execute(
    eachOf(db, merchantIds).query,
  )
  return rows
}

/** Turnover of some merchants over the last `days` local days, including today; 0 is today's age. */
export async function soldByDay(db: TenantDb, merchantIds: readonly string[], now: Date, days: number) {
  const stretch = { from: sql<string>`m.day - ${days - 1}::int`, to: sql<string>`m.day` }
  const { rows } = await sql<{ merchantId: string; age: number; value: number }>`
    select m.id as "merchantId", m.day - s.day as age, sum(s.value)::bigint as value
    from (
      select m.id, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')} and m.id = any(${ofScope(merchantIds)}::uuid[])
    ) m
    cross join lateral (${groupSumsWithin(db, stretch, db.scope, isSale)}) s
    group by 1, 2`.execute(eachOf(db, merchantIds).query)
  return rows
}
