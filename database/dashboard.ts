import { sql } from 'kysely'
import type { NeedsYou } from '#contract/dashboard.ts'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { isCashBoxFull, isSoldOut } from './machine.ts'
import { isSale, salesByHour, vends } from './sales.ts'
import { sumsWithin } from './summed-sales.ts'
import type { TenantDb } from './tenant.ts'

/** Weeks back that make "the usual". */
export const usualWeeks = 4

/** Sums of one local hour of today (weeksAgo 0) or of a same weekday before, over the machines of one currency. */
export interface HourRecord {
  currency: Currency
  weeksAgo: number
  hour: number
  /** How much of this hour of the day has passed today where it was sold: 0 to 1. */
  passed: number
  value: number
  vends: number
}

/**
 * Today's hours and those of the last four same weekdays; five days are read whatever the history. Each merchant's days are
 * entered through the index one by one: as a plain join the planner would read the whole table.
 */
export async function hoursOfSales(db: TenantDb, now: Date): Promise<HourRecord[]> {
  const { rows } = await sql<HourRecord>`
    select d.currency, d.week as "weeksAgo", extract(hour from x.hour at time zone d.time_zone)::int as hour,
      least(1, greatest(0, d.hours_passed - extract(hour from x.hour at time zone d.time_zone)))::float8 as passed,
      sum(x.value)::bigint as value, sum(x.vends)::int as vends
    from (
      select m.id, m.currency, m.time_zone, week, extract(epoch from local.now - local.day) / 3600 as hours_passed,
        (local.day - 7 * week)::timestamp at time zone m.time_zone as since,
        (local.day - 7 * week + 1)::timestamp at time zone m.time_zone as until
      from merchants m
      cross join lateral (select ${now}::timestamptz at time zone m.time_zone as now,
        (${now}::timestamptz at time zone m.time_zone)::date as day) as local
      cross join generate_series(0, ${sql.lit(usualWeeks)}) as week
      where ${db.narrow('merchants', 'm')}
    ) d
    cross join lateral (${salesByHour(db, sql`s.merchant_id = d.id and s.hour >= d.since and s.hour < d.until`)}) x
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

/** The last `days` local days, today included. */
export async function daysOfSales(db: TenantDb, now: Date, days: number): Promise<DayRecord[]> {
  const stretch = { from: sql<string>`m.day - ${days - 1}::int`, to: sql<string>`m.day` }
  const { rows } = await sql<DayRecord>`
    select m.currency, m.day - s.day as age, sum(s.value)::bigint as value, ${vends('s')} as vends
    from (
      select m.id, m.currency, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')}
    ) m
    cross join lateral (${sumsWithin(stretch, (table) => sql`${db.narrow(table, 't')} and ${isSale('t')}`)}) s
    group by 1, 2`.execute(db.query)
  return rows
}

export interface CurrencyRecord {
  currency: Currency
  cashInBoxes: number
  /** The local hour at the first of its merchants by name. */
  hourNow: number
}

/** Currencies of the scope's merchants with what lies in their machines' cash boxes. */
export async function currenciesInUse(db: TenantDb, now: Date): Promise<CurrencyRecord[]> {
  const { rows } = await sql<CurrencyRecord>`
    select m.currency, coalesce(sum(p.cash_in_box), 0)::bigint as "cashInBoxes",
      (array_agg(extract(hour from ${now}::timestamptz at time zone m.time_zone)::int order by lower(m.name)))[1] as "hourNow"
    from merchants m left join machines p on p.merchant_id = m.id and not p.hidden and ${db.narrow('machines', 'p')}
    where ${db.narrow('merchants', 'm')} group by 1 order by 1`.execute(db.query)
  return rows
}

const isFull = isCashBoxFull('p')

export interface DashboardCounts {
  openBlockingAlarms: number
  soldOut: number
  fullCashBoxes: number
}

/** How many blocking alarms are open, machines are sold out somewhere, and cash boxes are full. */
export async function countProblems(db: TenantDb): Promise<DashboardCounts> {
  const { rows } = await sql<DashboardCounts>`
    select
      (select count(*)::int from alarms a join machines p on p.merchant_id = a.merchant_id and p.id = a.machine_id
        where ${db.narrow('alarms', 'a')} and not p.hidden
          and a.status in ('active', 'notification') and a.criticity = 4) as "openBlockingAlarms",
      (select count(*)::int from machines p where ${db.narrow('machines', 'p')} and not p.hidden and ${isSoldOut(db, 'p')})
        as "soldOut",
      (select count(*)::int from machines p where ${db.narrow('machines', 'p')} and not p.hidden and ${isFull})
        as "fullCashBoxes"`.execute(db.query)
  return rows[0] as DashboardCounts
}

export interface NeedsYouRecord extends Omit<NeedsYou, 'since'> {
  since: Date
}

/**
 * What wants a person, worst first and at most `size` of each kind: open alarms, machines that fell silent, full cash boxes,
 * commands of the last day that failed.
 */
export async function whatNeedsYou(
  db: TenantDb,
  now: Date,
  size: number,
): Promise<{ rows: NeedsYouRecord[]; total: number }> {
  const { rows } = await sql<NeedsYouRecord & { total: number }>`
    with needs as (
      select 'alarm' as kind, a.id, a.merchant_id, a.machine_id, a.code, a.criticity, a.created_at as since
      from alarms a where ${db.narrow('alarms', 'a')} and a.status in ('active', 'notification') and a.criticity >= 2
      union all
      select 'silent', p.id, p.merchant_id, p.id, null, 2, coalesce(p.last_seen_at, p.created_at)
      from machines p where ${db.narrow('machines', 'p')} and p.connection <> 1
      union all
      select 'cashBox', p.id, p.merchant_id, p.id, null, 2, coalesce(p.last_seen_at, p.created_at)
      from machines p where ${db.narrow('machines', 'p')} and ${isFull}
        and not exists (select from alarms a where a.merchant_id = p.merchant_id and a.machine_id = p.id
          and a.status in ('active', 'notification') and a.code like 'ENE%')
      union all
      select 'command', c.id, c.merchant_id, c.machine_id, c.type::text, 0, coalesce(c.executed_at, c.created_at)
      from remote_commands c where ${db.narrow('remote_commands', 'c')} and c.status in (3, 5) and c.result <> -3
        and c.created_at > ${now}::timestamptz - interval '1 day'
    )
    select n.kind, n.id::text, n.merchant_id as "merchantId", n.machine_id as "posId", p.name as "posName",
      g.name as "groupName", n.code, n.criticity, n.since, count(*) over ()::int as total
    from needs n
    join machines p on p.merchant_id = n.merchant_id and p.id = n.machine_id and not p.hidden
    left join groups g on g.merchant_id = p.merchant_id and g.id = p.group_id
    order by n.criticity desc, n.since desc, n.id limit ${size}`.execute(db.query)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** The local day now, in the zone of the scope's first merchant by name. */
export async function localDay(db: TenantDb, now: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${now}::timestamptz at time zone time_zone, 'YYYY-MM-DD') as day
    from merchants where ${db.narrow('merchants')} order by lower(name) limit 1`.execute(db.query)
  return rows[0]?.day ?? now.toISOString().slice(0, 10)
}
