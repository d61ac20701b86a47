import { sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, type Period } from '#domain/time/period.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isSale, vends } from '../sales/sales.ts'
import { openStretches, stretchOf, summedSales } from '../sales/summed-sales.ts'
import { downtimeWithin } from '../sums/downtime.ts'

interface KpiMachine {
  id: string
  merchantId: string
  timeZone: string
}

/** Successful vends of a machine, by local day. */
export async function cyclesByDay(db: TenantDb, machine: KpiMachine, period: Period) {
  const filters = { ...period, posIds: [machine.id] }
  const { rows } = await sql<{ day: string; cycles: number }>`
    select s.day::text as day, ${vends('s')} as cycles from ${summedSales(db, filters)}
      and m.id = ${machine.merchantId} and ${isSale('s')} group by 1`.execute(db.query)
  return rows
}

/** Accepted and rejected cash of a machine, by local day and denomination. */
export async function cashByDay(db: TenantDb, machine: KpiMachine, { startDate, endDate }: Period) {
  const { rows } = await sql<{ day: string; denomination: number; accepted: number; rejected: number }>`
    select (c.hour at time zone ${machine.timeZone})::date::text as day, c.denomination,
      sum(c.accepted)::bigint as accepted, sum(c.rejected)::bigint as rejected
    from cash_hourly c where ${db.narrow('cash_hourly', 'c')}
      and c.merchant_id = ${machine.merchantId} and c.machine_id = ${machine.id}
      and c.hour >= start_of_day(${startDate}::date, ${machine.timeZone})
      and c.hour < start_of_day(${endDate}::date + 1, ${machine.timeZone})
    group by 1, 2 order by 2, 1`.execute(db.query)
  return rows
}

/** Blocking alarms of a machine by the local day of their start, and how many of them are faults. */
export async function blockingByDay(db: TenantDb, machine: KpiMachine, { startDate, endDate }: Period) {
  const { rows } = await sql<{ day: string; faults: number; blockingAlarms: number }>`
    select (a.created_at at time zone ${machine.timeZone})::date::text as day, count(*)::int as "blockingAlarms",
      count(*) filter (where a.category = 'fault')::int as faults
    from alarms a where ${db.narrow('alarms', 'a')}
      and a.merchant_id = ${machine.merchantId} and a.machine_id = ${machine.id}
      and a.criticity = ${sql.lit(alarmCriticities.blocking)}
      and a.created_at >= start_of_day(${startDate}::date, ${machine.timeZone})
      and a.created_at < start_of_day(${endDate}::date + 1, ${machine.timeZone})
    group by 1`.execute(db.query)
  return rows
}

/** Seconds of a machine's downtime by local day until `now`: from the sums of ended days, else computed from the intervals. */
export async function downtimeByDay(db: TenantDb, machine: KpiMachine, period: Period, now: Date) {
  const { startDate, endDate } = period
  const open = await openDays(db, machine, period)
  const { rows } = await sql<{ day: string; blockedSeconds: number; absentSeconds: number }>`
    select (d.hour at time zone ${machine.timeZone})::date::text as day,
      sum(d.blocked_seconds)::int as "blockedSeconds", sum(d.absent_seconds)::int as "absentSeconds"
    from downtime_hourly d where ${db.narrow('downtime_hourly', 'd')}
      and d.merchant_id = ${machine.merchantId} and d.machine_id = ${machine.id}
      and d.hour >= start_of_day(${startDate}::date, ${machine.timeZone})
      and d.hour < start_of_day(${endDate}::date + 1, ${machine.timeZone})
    group by 1`.execute(db.query)
  const stretches = open.flatMap((day) => {
    const from = startOfLocalDay(day, machine.timeZone)
    const to = Math.min(now.getTime(), startOfLocalDay(addDays(day, 1), machine.timeZone))
    return from < to ? { day, from, to } : []
  })
  const dayOf = new Map(stretches.map(({ day, from }) => [from, day]))
  const down = await downtimeWithin(db, { merchantId: machine.merchantId, machineId: machine.id }, stretches)
  return [
    ...rows.filter(({ day }) => !open.includes(day)),
    ...down.map(({ from, blockedSeconds, absentSeconds }) => ({
      day: dayOf.get(from.getTime()) ?? '',
      blockedSeconds,
      absentSeconds,
    })),
  ]
}

/** Days of a period without valid sums. */
async function openDays(db: TenantDb, { merchantId }: KpiMachine, period: Period): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select d.day::date::text as day from merchants m cross join lateral (${openStretches(db, stretchOf(period))}) o
    cross join lateral generate_series(o.first::timestamp, o.last::timestamp, '1 day') as d (day)
    where ${db.narrow('merchants', 'm')} and m.id = ${merchantId}`.execute(db.query)
  return rows.map(({ day }) => day)
}
