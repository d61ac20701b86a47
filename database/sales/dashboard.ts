import { sql } from 'kysely'
import type { NeedsYou } from '#contract/sales/dashboard.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { attentionStatuses, connections } from '#contract/vocabulary/device.ts'
import { failedResults, failedStatuses } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { usualPeriods } from '#domain/time/comparison.ts'
import { type BoxesRecord, isShown, isSoldOut, needsWork, posStatusOf } from '../facts/machine-state.ts'
import { gathered } from '../frame/apart/apart.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { seesBoxes } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
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
  const each = await gathered(
    db,
    sql`select d.currency, d.week as "weeksAgo", extract(hour from x.hour at time zone d.time_zone)::int as hour,
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
    group by 1, 2, 3, 4`,
  )
  const { rows } = await sql<HourRecord>`
    select currency, "weeksAgo", hour, passed, sum(value)::bigint as value, sum(vends)::int as vends,
      sum("failedCharge")::bigint as "failedCharge"
    from ${each} h group by 1, 2, 3, 4`.execute(db.query)
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
  const each = await gathered(
    db,
    sql`select m.currency, m.day - s.day as age, sum(s.value)::bigint as value, ${vends('s')} as vends
    from (
      select m.id, m.currency, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')}
    ) m
    cross join lateral (${groupSumsWithin(db, stretch, db.scope, isSale)}) s
    group by 1, 2`,
  )
  const { rows } = await sql<DayRecord>`
    select currency, age, sum(value)::bigint as value, sum(vends)::int as vends from ${each} d group by 1, 2`.execute(
    db.query,
  )
  return rows
}

export interface CurrencyRecord {
  currency: Currency
  cashInBoxes: number
  /** Whether the reader sees none of the cash boxes. */
  isCashHidden: boolean
  /** The number of full cash boxes. */
  fullCashBoxes: number
  /** The local hour of its first merchant by name. */
  hourNow: number
}

/** Currencies of the scope's merchants with the cash in their machines' cash boxes. */
export async function currenciesInUse(
  db: TenantDb,
  now: Date,
  boxes: readonly BoxesRecord[],
): Promise<CurrencyRecord[]> {
  const merchants = await db
    .from('merchants')
    .select(['merchants.id', 'merchants.currency'])
    .select(sql<number>`extract(hour from ${now}::timestamptz at time zone merchants.time_zone)::int`.as('hour'))
    .orderBy(sql`lower(merchants.name)`)
    .execute()
  const boxesOf = new Map(boxes.map((one) => [one.merchantId, one]))
  return [...Map.groupBy(merchants, ({ currency }) => currency as Currency)]
    .map(([currency, own]) => ({
      currency,
      cashInBoxes: own.reduce((sum, { id }) => sum + (boxesOf.get(id)?.cash ?? 0), 0),
      isCashHidden: !own.some(({ id }) => seesBoxes(db, id)),
      fullCashBoxes: own.reduce((sum, { id }) => sum + (boxesOf.get(id)?.fullBoxes ?? 0), 0),
      hourNow: own[0]?.hour ?? 0,
    }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

export interface DashboardCounts {
  openBlockingAlarms: number
  soldOut: number
  stockFindings: number
  expiredPieces: number
  failedCommands: number
}

/**
 * The number of open blocking alarms, of machines with a sold-out selection or a stock finding, of expired pieces, and of failed commands today. Hidden machines are
 * few: their alarms are left out, instead of looking up the machine of each. The machine of a finding is looked up by key: for few findings the
 * planner would read all machines.
 */
export async function countProblems(db: TenantDb, now: Date): Promise<DashboardCounts> {
  const each = await gathered(
    db,
    sql`select
      (select count(*)::int from alarms a where ${db.narrow('alarms', 'a')} and ${isShown(db, 'a')}
          and a.status in ('active', 'notification') and a.criticity = ${sql.lit(alarmCriticities.blocking)}) as "openBlockingAlarms",
      (select count(*)::int from machines p where ${db.narrow('machines', 'p')} and not p.hidden and ${isSoldOut(db, 'p')}
          and ${hasFeature(db, 'productStock', 'p')})
        as "soldOut",
      (select count(*)::int from machine_supplies s cross join lateral (
          select 1 from machines p where ${db.own('p')} and p.merchant_id = s.merchant_id and p.id = s.machine_id
            and not p.hidden and p.manage_stock offset 0
        ) p
        where ${db.narrow('machine_supplies', 's')} and (s.differing > 0 or s.waiting > 0) and ${hasFeature(db, 'productStock', 's')})
        as "stockFindings",
      (select coalesce(sum(held.pieces), 0)::int from place_lots held join merchants m on m.id = held.merchant_id
          join product_lots lot on ${db.own('lot')} and lot.merchant_id = held.merchant_id and lot.id = held.lot_id
        where ${db.own('held')} and held.pieces > 0 and lot.expires_on < (${now}::timestamptz at time zone m.time_zone)::date
          and ${hasFeature(db, 'warehouse', 'held')})
        as "expiredPieces",
      (select count(*)::int from remote_commands c join merchants m on m.id = c.merchant_id
        join machines p on p.merchant_id = c.merchant_id and p.id = c.machine_id
        where ${db.narrow('remote_commands', 'c')} and c.status = any(${[...failedStatuses]}::int[])
          and c.result = any(${[...failedResults]}::int[])
          -- Every local day began within the last two; the index is by this time.
          and c.created_at >= ${now}::timestamptz - interval '2 days'
          and c.created_at >= date_trunc('day', ${now}::timestamptz at time zone m.time_zone) at time zone m.time_zone)
        as "failedCommands"`,
  )
  const names = ['openBlockingAlarms', 'soldOut', 'stockFindings', 'expiredPieces', 'failedCommands'] as const
  const sums = sql.join(names.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))
  const { rows } = await sql<DashboardCounts>`select ${sums} from ${each} c`.execute(db.query)
  return rows[0] as DashboardCounts
}

export interface NeedsYouRecord extends Omit<NeedsYou, 'since'> {
  since: Date
}

/**
 * The machines that need attention with their worst problem, worst first and at most `size`: blocking alarms, then offline machines, then
 * other alarms. The worst open alarm of each machine is found once, not machine by machine: both sides are sorted by merchant and machine, or the
 * planner, which expects few of them, would compare each with all alarms of its merchant.
 */
export async function whatNeedsYou(db: TenantDb, size: number): Promise<NeedsYouRecord[]> {
  const each = await gathered(
    db,
    sql`select worst.merchant_id as "merchantId", worst.id as "posId", worst.name as "posName", g.name as "groupName",
      worst.status as "posStatus", worst.code, worst.since,
      coalesce(worst.criticity, 0) as criticity
    from (
      select needing.merchant_id, needing.id, needing.name, needing.group_id, needing.status, a.code, a.criticity,
        coalesce(a.created_at, needing.last_seen_at, needing.created_at) as since
      from (
        select machines.merchant_id, machines.id, machines.name, machines.group_id, machines.connection, machines.last_seen_at,
          machines.created_at, ${posStatusOf} as status
        from machines
        where ${db.narrow('machines')} and not machines.hidden and ${posStatusOf} = any(${[...attentionStatuses]}::int[])
        order by machines.merchant_id, machines.id
      ) needing
      left join (
        select distinct on (open.merchant_id, open.machine_id) open.merchant_id, open.machine_id, open.code, open.created_at, open.criticity
        from alarms open
        where ${db.narrow('alarms', 'open')} and open.status in ('active', 'notification') and ${needsWork('open')}
        order by open.merchant_id, open.machine_id, open.criticity desc, open.created_at
      ) a on a.merchant_id = needing.merchant_id and a.machine_id = needing.id
        and (needing.connection <> ${sql.lit(connections.offline)} or a.criticity = ${sql.lit(alarmCriticities.blocking)})
      order by needing.status desc, coalesce(a.criticity, 0) desc, since desc, needing.id limit ${size}
    ) worst
    left join (select * from groups g where ${db.own('g')}) g on g.merchant_id = worst.merchant_id and g.id = worst.group_id`,
  )
  const { rows } = await sql<NeedsYouRecord>`
    select "merchantId", "posId", "posName", "groupName", "posStatus", code, since from ${each} n
    order by "posStatus" desc, criticity desc, since desc, "posId" limit ${size}`.execute(db.query)
  return rows
}

/** Today's date in the zone of the scope's first merchant by name. */
export async function localDay(db: TenantDb, now: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${now}::timestamptz at time zone time_zone, 'YYYY-MM-DD') as day
    from merchants where ${db.narrow('merchants')} order by lower(name) limit 1`.execute(db.query)
  return rows[0]?.day ?? now.toISOString().slice(0, 10)
}
