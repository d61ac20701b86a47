import { sql } from 'kysely'
import type { Growth, MachineStats, OperationStats, PeopleCount } from '#contract/insight/admin-stats.ts'
import type { MachineState } from '#contract/machines/machine-state.ts'
import type { AlarmCriticity } from '#contract/vocabulary/alarm.ts'
import { type Connection, connections, type PosStatus } from '#contract/vocabulary/device.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { machineStateOf } from '#domain/machines/machine-state.ts'
import { isShown } from '../facts/machine-state.ts'
import { gathered } from '../frame/apart/apart.ts'
import type { Period } from '../frame/conditions.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { isWithoutData } from '../machines/machine.ts'
import { isDemoIn } from '../merchants/merchant.ts'
import { isSale, vends } from '../sales/sales.ts'
import { type DayStretch, groupSumsWithin } from '../sales/summed-sales.ts'

/** Things that were created in a month, in UTC as `YYYY-MM`. */
interface Made {
  month: string
  n: number
}

const monthOf = (column: string) => sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM')`

/** New and total things by month, over the last months including this one; months in UTC. */
function growthBy(made: readonly Made[], now: Date, months: number): Growth[] {
  const sum = (some: readonly Made[]) => some.reduce((total, { n }) => total + n, 0)
  return Array.from({ length: months }, (_, at) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1 - at), 1))
    const month = first.toISOString().slice(0, 7)
    return {
      month,
      added: sum(made.filter((one) => one.month === month)),
      total: sum(made.filter((one) => one.month <= month)),
    }
  })
}

/** New and total merchants by month. */
export async function growthOfMerchants(db: TenantDb, now: Date, months: number): Promise<Growth[]> {
  const made = await db
    .from('merchants')
    .select([monthOf('merchants.created_at').as('month'), sql<number>`count(*)::int`.as('n')])
    .groupBy(sql`1`)
    .execute()
  return growthBy(made, now, months)
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

const inOrder = [connections.online, connections.offline, connections.unknown]

/**
 * Machines by state and connection, with hidden machines and machines without data counted separately, and the growth by month of all. Each machine
 * is read once.
 */
export async function machineStats(
  db: TenantDb,
  now: Date,
  { months, withoutDataDays }: { months: number; withoutDataDays: number },
): Promise<MachineStats> {
  const rows = await db
    .from('machines')
    .select([
      monthOf('machines.created_at').as('month'),
      'machines.connection',
      'machines.pos_status',
      'machines.hidden',
    ])
    .select([
      sql<number>`count(*)::int`.as('n'),
      sql<number>`(count(*) filter (where ${isWithoutData('machines', withoutDataDays)}))::int`.as('withoutData'),
    ])
    .groupBy([sql`1`, 'machines.connection', 'machines.pos_status', 'machines.hidden'])
    .execute()
  const sum = (of: typeof rows, what: 'n' | 'withoutData' = 'n') => of.reduce((total, row) => total + row[what], 0)
  const visible = rows.filter(({ hidden }) => !hidden)
  const stateOf = (row: (typeof rows)[number]) =>
    machineStateOf({ byAlarms: row.pos_status as PosStatus, connection: row.connection as Connection })
  const inState = (state: MachineState) => sum(visible.filter((row) => stateOf(row) === state))
  return {
    states: {
      total: sum(visible),
      blocked: inState('blocked'),
      silent: inState('silent'),
      warning: inState('warning'),
      selling: inState('selling'),
    },
    connections: inOrder.map((connection) => ({
      connection,
      count: sum(visible.filter((row) => row.connection === connection)),
    })),
    hidden: sum(rows.filter(({ hidden }) => hidden)),
    withoutData: sum(visible, 'withoutData'),
    growth: growthBy(rows, now, months),
  }
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
  const each = await gathered(
    db,
    sql`select m.currency, coalesce(sum(s.value), 0)::bigint as value, coalesce(${vends('s')}, 0) as vends
    from (
      select m.id, m.currency, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from merchants m where ${db.narrow('merchants', 'm')}
    ) m
    left join lateral (
      ${groupSumsWithin(db, stretch, db.scope, isSale)}
    ) s on true
    group by 1`,
  )
  const { rows } = await sql<SoldRecord>`
    select currency, sum(value)::bigint as value, sum(vends)::int as vends from ${each} s group by 1 order by 1`.execute(
    db.query,
  )
  return rows
}

/** Open alarms of machines that are not hidden, by severity. */
export async function countOpenAlarms(db: TenantDb): Promise<{ criticity: AlarmCriticity; count: number }[]> {
  const { rows } = await sql<{ criticity: AlarmCriticity; count: number }>`
    select c.criticity, coalesce(open.n, 0)::int as count
    from unnest(array[4, 2, 0]) as c (criticity)
    left join (
      select a.criticity, count(*) as n from alarms a
      where ${db.narrow('alarms', 'a')} and a.status in ('active', 'notification') and ${isShown(db, 'a')} group by 1
    ) open on open.criticity = c.criticity
    order by 1 desc`.execute(db.query)
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
