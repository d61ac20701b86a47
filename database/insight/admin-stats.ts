import { sql } from 'kysely'
import type { Growth, OperationStats, PeopleCount } from '#contract/insight/admin-stats.ts'
import type { AlarmCriticity } from '#contract/vocabulary/alarm.ts'
import type { Connection } from '#contract/vocabulary/device.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Period } from '../frame/conditions.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { isWithoutData } from '../machines/machine.ts'
import { isDemoIn } from '../merchants/merchant.ts'
import { isSale, vends } from '../sales/sales.ts'
import { type DayStretch, groupSumsWithin } from '../sales/summed-sales.ts'

/** New and total merchants or machines by month, over the last months including this one; months in UTC. */
export async function growthOf(
  db: TenantDb,
  table: 'merchants' | 'machines',
  now: Date,
  months: number,
): Promise<Growth[]> {
  const { rows } = await sql<Growth>`
    with made as (
      select date_trunc('month', t.created_at at time zone 'UTC') as month, count(*)::int as n
      from ${sql.table(table)} t where ${db.narrow(table, 't')} group by 1
    )
    select to_char(month, 'YYYY-MM') as month,
      coalesce((select n from made where made.month = g.month), 0) as added,
      (select coalesce(sum(n), 0)::int from made where made.month <= g.month) as total
    from (select date_trunc('month', ${now}::timestamptz at time zone 'UTC') as this_month) as today
    cross join generate_series(this_month - make_interval(months => ${months - 1}), this_month, '1 month') as g (month)
    order by 1`.execute(db.query)
  return rows
}

export interface MerchantTotals {
  total: number
  demo: number
  demoEnding: number
  demoEnded: number
}

/** The number of merchants, and of demos by phase. */
export async function countMerchants(db: TenantDb): Promise<MerchantTotals> {
  const { rows } = await sql<MerchantTotals>`
    select count(*)::int as total, count(*) filter (where merchants.is_demo)::int as demo,
      count(*) filter (where ${isDemoIn.ending})::int as "demoEnding",
      count(*) filter (where ${isDemoIn.ended})::int as "demoEnded"
    from merchants where ${db.narrow('merchants')}`.execute(db.query)
  return rows[0] as MerchantTotals
}

/** Machines by connection, with hidden machines and machines without data counted separately. */
export async function countConnections(db: TenantDb, withoutDataDays: number) {
  const { rows } = await sql<{ connection: Connection; hidden: boolean; count: number; withoutData: number }>`
    select p.connection, p.hidden, count(*)::int as count,
      count(*) filter (where ${isWithoutData('p', withoutDataDays)})::int as "withoutData"
    from machines p where ${db.narrow('machines', 'p')} group by 1, 2`.execute(db.query)
  const sum = (of: typeof rows, what: 'count' | 'withoutData') => of.reduce((total, row) => total + row[what], 0)
  const visible = rows.filter(({ hidden }) => !hidden)
  const connections = ([1, 0, 2] as const).map((connection) => ({
    connection,
    count: sum(
      visible.filter((row) => row.connection === connection),
      'count',
    ),
  }))
  const hidden = sum(
    rows.filter((row) => row.hidden),
    'count',
  )
  return { connections, hidden, withoutData: sum(visible, 'withoutData') }
}

export interface SoldRecord {
  currency: Currency
  value: number
  vends: number
}

/** Local days of each merchant, both inclusive; the default is from the first of the month until today. */
const stretchFrom = ({ startDate, endDate }: Period): DayStretch => ({
  from: startDate ? sql<string>`${startDate}::date` : sql<string>`date_trunc('month', m.day)::date`,
  to: endDate ? sql<string>`${endDate}::date` : sql<string>`m.day`,
})

/** Sales by currency in a period or today, with a row for every currency of the scope. */
export async function salesByCurrency(db: TenantDb, now: Date, when: Period | 'today'): Promise<SoldRecord[]> {
  const today = sql<string>`m.day`
  const stretch = when === 'today' ? { from: today, to: today } : stretchFrom(when)
  const { rows } = await sql<SoldRecord>`
    select m.currency, coalesce(sum(s.value), 0)::bigint as value, coalesce(${vends('s')}, 0) as vends
    from (
      select m.id, m.currency, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')}
    ) m
    left join lateral (
      ${groupSumsWithin(db, stretch, db.scope, isSale)}
    ) s on true
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** Open alarms of machines that are not hidden, by severity. */
export async function countOpenAlarms(db: TenantDb): Promise<{ criticity: AlarmCriticity; count: number }[]> {
  const { rows } = await sql<{ criticity: AlarmCriticity; count: number }>`
    select c.criticity, count(a.id)::int as count
    from unnest(array[4, 2, 0]) as c (criticity)
    left join (alarms a join machines p on p.merchant_id = a.merchant_id and p.id = a.machine_id and not p.hidden)
      on a.criticity = c.criticity and a.status in ('active', 'notification') and ${db.narrow('alarms', 'a')}
    group by 1 order by 1 desc`.execute(db.query)
  return rows
}

/** Users by role and status, including zeros. */
export async function countUsers(
  doors: Doors,
  roles: readonly string[],
  statuses: readonly string[],
): Promise<PeopleCount[]> {
  const { rows } = await doors.withSystem(
    'provider statistics',
    (db) =>
      sql<PeopleCount>`
        select r.role, s.status, count(u.id)::int as count
        from unnest(${roles}::text[]) with ordinality as r (role, place)
        cross join unnest(${statuses}::text[]) with ordinality as s (status, place)
        left join users u on u.role = r.role and u.status = s.status
        group by r.role, r.place, s.status, s.place order by r.place, s.place`.execute(db),
    'single statement',
  )
  return rows
}

/** Dead letters, and exports that wait, run or failed. */
export async function countOperations(doors: Doors, now: Date): Promise<OperationStats> {
  const { rows } = await doors.withSystem(
    'provider statistics',
    (db) =>
      sql<OperationStats>`
        select d.*, e.* from (
          select count(*)::int as "deadLetters",
            count(*) filter (where at > ${now}::timestamptz - interval '1 day')::int as "deadLettersToday"
          from dead_letters where replayed_at is null
        ) d
        cross join (
          select count(*) filter (where status = 'waiting')::int as "exportsWaiting",
            count(*) filter (where status = 'running')::int as "exportsRunning",
            count(*) filter (where status = 'failed' and ended_at > ${now}::timestamptz - interval '1 day')::int as "exportsFailed"
          from exports
        ) e`.execute(db),
    'single statement',
  )
  return rows[0] as OperationStats
}
