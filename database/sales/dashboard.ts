import { sql } from 'kysely'
import type { NeedsYou } from '#contract/sales/dashboard.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { attentionStatuses, connections } from '#contract/vocabulary/device.ts'
import { failedResults, failedStatuses } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { usualPeriods } from '#domain/insight/comparison.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isCashBoxFull, isSoldOut, needsWork, posStatusOf } from '../machines/machine.ts'
import { isSale, salesByHour, vends } from './sales.ts'
import { groupSumsWithin } from './summed-sales.ts'

/** Sums of one local hour of today (weeksAgo 0) or of the same weekday before, over the machines of one currency. */
export interface HourRecord {
  currency: Currency
  weeksAgo: number
  hour: number
  /** The share of this hour of the day that has passed today in the zone of the sale: 0 to 1. */
  passed: number
  value: number
  vends: number
  /** Charged for failed vends. */
  failedCharge: number
}

/**
 * The hours of today and of the last four same weekdays, so five days are read whatever the history. Each merchant's days use the index
 * separately: with a plain join the planner would read the whole table.
 */
export async function hoursOfSales(db: TenantDb, now: Date): Promise<HourRecord[]> {
  const { rows } = await sql<HourRecord>`
    select d.currency, d.week as "weeksAgo", extract(hour from x.hour at time zone d.time_zone)::int as hour,
      least(1, greatest(0, d.hours_passed - extract(hour from x.hour at time zone d.time_zone)))::float8 as passed,
      sum(x.value)::bigint as value, sum(x.vends)::int as vends,
      sum(x.error_value)::bigint as "failedCharge"
    from (
      select m.id, m.currency, m.time_zone, week, extract(epoch from local.now - local.day) / 3600 as hours_passed,
        local.day - 7 * week as day
      from merchants m
      cross join lateral (select ${now}::timestamptz at time zone m.time_zone as now,
        (${now}::timestamptz at time zone m.time_zone)::date as day) as local
      cross join generate_series(0, ${sql.lit(usualPeriods)}) as week
      where ${db.narrow('merchants', 'm')}
    ) d
    cross join lateral (${salesByHour(db)}) x
    group by 1, 2, 3, 4`.execute(db.query)
  return rows
}

export interface DayRecord {
  currency: Currency
  /** 0 is today. */
  age: number
  value: number
  vends: number
}

/** The last `days` local days, including today. */
export async function daysOfSales(db: TenantDb, now: Date, days: number): Promise<DayRecord[]> {
  const stretch = { from: sql<string>`m.day - ${days - 1}::int`, to: sql<string>`m.day` }
  const { rows } = await sql<DayRecord>`
    select m.currency, m.day - s.day as age, sum(s.value)::bigint as value, ${vends('s')} as vends
    from (
      select m.id, m.currency, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')}
    ) m
    cross join lateral (${groupSumsWithin(db, stretch, db.scope, isSale)}) s
    group by 1, 2`.execute(db.query)
  return rows
}

export interface CurrencyRecord {
  currency: Currency
  cashInBoxes: number
  /** The number of full cash boxes. */
  fullCashBoxes: number
  /** The local hour of its first merchant by name. */
  hourNow: number
}

/** Currencies of the scope's merchants with the cash in their machines' cash boxes; each machine is read once. */
export async function currenciesInUse(db: TenantDb, now: Date): Promise<CurrencyRecord[]> {
  const { rows } = await sql<CurrencyRecord>`
    select m.currency, coalesce(sum(p.cash), 0)::bigint as "cashInBoxes", coalesce(sum(p.full_boxes), 0)::int as "fullCashBoxes",
      (array_agg(extract(hour from ${now}::timestamptz at time zone m.time_zone)::int order by lower(m.name)))[1] as "hourNow"
    from merchants m left join (
      select p.merchant_id, sum(p.cash_in_box) as cash, count(*) filter (where ${isFull}) as full_boxes
      from machines p where not p.hidden and ${db.narrow('machines', 'p')} group by 1
    ) p on p.merchant_id = m.id
    where ${db.narrow('merchants', 'm')} group by 1 order by 1`.execute(db.query)
  return rows
}

const isFull = isCashBoxFull('p')

export interface DashboardCounts {
  openBlockingAlarms: number
  soldOut: number
  stockFindings: number
  failedCommands: number
}

/**
 * The number of open blocking alarms, of machines with a sold-out selection or a stock finding, and of failed commands today. A lookup finds an alarm's
 * machine by key: for few alarms the planner would read all machines.
 */
export async function countProblems(db: TenantDb, now: Date): Promise<DashboardCounts> {
  const { rows } = await sql<DashboardCounts>`
    select
      (select count(*)::int from alarms a cross join lateral (
          select from machines p where ${db.own('p')} and p.merchant_id = a.merchant_id and p.id = a.machine_id and not p.hidden offset 0
        ) p
        where ${db.narrow('alarms', 'a')} and a.status in ('active', 'notification') and a.criticity = ${sql.lit(alarmCriticities.blocking)}) as "openBlockingAlarms",
      (select count(*)::int from machines p where ${db.narrow('machines', 'p')} and not p.hidden and ${isSoldOut(db, 'p')}
          and ${hasFeature(db, 'productStock', 'p')})
        as "soldOut",
      (select count(*)::int from machine_supplies s
        join machines p on p.merchant_id = s.merchant_id and p.id = s.machine_id and not p.hidden and p.manage_stock
        where ${db.narrow('machine_supplies', 's')} and (s.differing > 0 or s.waiting > 0) and ${hasFeature(db, 'productStock', 's')})
        as "stockFindings",
      (select count(*)::int from remote_commands c join merchants m on m.id = c.merchant_id
        join machines p on p.merchant_id = c.merchant_id and p.id = c.machine_id
        where ${db.narrow('remote_commands', 'c')} and c.status = any(${[...failedStatuses]}::int[])
          and c.result = any(${[...failedResults]}::int[])
          and c.created_at >= date_trunc('day', ${now}::timestamptz at time zone m.time_zone) at time zone m.time_zone)
        as "failedCommands"`.execute(db.query)
  return rows[0] as DashboardCounts
}

export interface NeedsYouRecord extends Omit<NeedsYou, 'since'> {
  since: Date
}

/**
 * The machines that need attention with their worst problem, worst first and at most `size`: blocking alarms, then offline machines, then
 * other alarms. The worst open alarm of each machine is found once, not machine by machine.
 */
export async function whatNeedsYou(db: TenantDb, size: number): Promise<NeedsYouRecord[]> {
  const { rows } = await sql<NeedsYouRecord>`
    select needing.merchant_id as "merchantId", needing.id as "posId", needing.name as "posName", g.name as "groupName",
      needing.status as "posStatus", a.code, coalesce(a.created_at, needing.last_seen_at, needing.created_at) as since
    from (
      select machines.*, ${posStatusOf} as status from machines
      where ${db.narrow('machines')} and not machines.hidden and ${posStatusOf} = any(${[...attentionStatuses]}::int[])
    ) needing
    left join (
      select distinct on (open.merchant_id, open.machine_id) open.merchant_id, open.machine_id, open.code, open.created_at, open.criticity
      from alarms open
      where ${db.narrow('alarms', 'open')} and open.status in ('active', 'notification') and ${needsWork('open')}
      order by open.merchant_id, open.machine_id, open.criticity desc, open.created_at
    ) a on a.merchant_id = needing.merchant_id and a.machine_id = needing.id
      and (needing.connection <> ${sql.lit(connections.offline)} or a.criticity = ${sql.lit(alarmCriticities.blocking)})
    left join groups g on ${db.own('g')} and g.merchant_id = needing.merchant_id and g.id = needing.group_id
    order by needing.status desc, coalesce(a.criticity, 0) desc, since desc, needing.id limit ${size}`.execute(db.query)
  return rows
}

/** Today's date in the zone of the scope's first merchant by name. */
export async function localDay(db: TenantDb, now: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${now}::timestamptz at time zone time_zone, 'YYYY-MM-DD') as day
    from merchants where ${db.narrow('merchants')} order by lower(name) limit 1`.execute(db.query)
  return rows[0]?.day ?? now.toISOString().slice(0, 10)
}
