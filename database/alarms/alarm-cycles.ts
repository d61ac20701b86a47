import { sql } from 'kysely'
import { kpiIntervalDefault } from '#contract/rules/number.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { type AlarmSetting, settingOf } from '#domain/alarms/alarm-setting.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'
import { isSale, vends } from '../sales/sales.ts'
import { settingsOf } from './alarm-setting.ts'
import { mcbf } from './mcbf.ts'

interface Raised {
  merchantId: string
  id: string
  code: string
  category: string
  criticity: number
}

const month = sql`make_interval(hours => ${sql.lit(kpiIntervalDefault * 24)})`
const isFailure = sql`a.category = 'fault' and a.criticity = ${sql.lit(alarmCriticities.blocking)}`

/**
 * Stores on new alarms the machine's MCBF of the 30 days before (as `mcbfOf`), for a blocking fault, and the cycles left until the next
 * service, where the merchant has set an interval. A service is the last repair of the same code, or the attachment of the machine. A statement
 * for each merchant scans the hours and faults of each machine once, in order of time, however many alarms it has.
 */
export async function noteCycles(
  db: TenantDb,
  alarms: readonly Raised[],
  settings: ReadonlyMap<string, ReadonlyMap<string, AlarmSetting>>,
): Promise<void> {
  const serviceCyclesOf = ({ merchantId, code }: Raised) =>
    settingOf(settingsOf(settings, merchantId), code).serviceCycles
  const noted = alarms.filter(
    (alarm) =>
      (alarm.category === 'fault' && alarm.criticity === alarmCriticities.blocking) || serviceCyclesOf(alarm) !== null,
  )
  // Few alarms have cycles, and each merchant's statement reads its rows alone: so it runs on several nodes too.
  for (const [merchantId, own] of Map.groupBy(noted, (alarm) => alarm.merchantId)) {
    const scope = db.scope.filter((pair) => pair.merchantId === merchantId)
    await noteCyclesOf(withinScope(db, scope), own, serviceCyclesOf)
  }
}

async function noteCyclesOf(
  db: TenantDb,
  noted: readonly Raised[],
  serviceCyclesOf: (alarm: Raised) => number | null,
): Promise<void> {
  await sql`
    with noted as materialized (
      select a.merchant_id, a.machine_id, a.id, a.created_at, given.service_cycles,
        case when ${isFailure} then a.created_at - ${month} end as failing_since,
        case when given.service_cycles is not null then coalesce((select max(r.repaired_at) from alarms r
          where ${db.own('r')} and r.merchant_id = a.merchant_id and r.machine_id = a.machine_id and r.code = a.code
            and r.id <> a.id and r.repaired_at <= a.created_at), m.created_at) end as serviced_at
      from unnest(${noted.map(({ merchantId }) => merchantId)}::uuid[], ${noted.map(({ id }) => id)}::uuid[],
        ${noted.map(serviceCyclesOf)}::int[]) as given (merchant_id, id, service_cycles)
      join alarms a on a.merchant_id = given.merchant_id and a.id = given.id
      join machines m on m.merchant_id = a.merchant_id and m.id = a.machine_id
      where ${db.narrow('alarms', 'a')}
    ), spans as materialized (
      select merchant_id, machine_id, min(least(failing_since, serviced_at)) as since, min(failing_since) as failing_since,
        max(created_at) as until
      from noted group by 1, 2
    ), points as (
      select s.merchant_id, s.machine_id, s.hour as at, ${vends('s')} as vends, null::uuid as id, null as bound
      from spans join sales_hourly s on s.merchant_id = spans.merchant_id and s.machine_id = spans.machine_id
        -- The day of an hour is at most a day apart from that of UTC.
        and s.day >= (spans.since at time zone 'UTC')::date - 1 and s.hour >= spans.since and s.hour < spans.until
      where ${db.narrow('sales_hourly', 's')} and ${isSale('s')} group by 1, 2, 3
      union all
      select n.merchant_id, n.machine_id, b.at, 0, n.id, b.bound from noted n cross join lateral (
        values ('failing', n.failing_since), ('serviced', n.serviced_at), ('raised', n.created_at)) as b (bound, at)
    ), totals as (
      select merchant_id, id, bound,
        sum(vends) over (partition by merchant_id, machine_id order by at, id nulls last rows unbounded preceding) as total
      from points where at is not null
    ), cycles as materialized (
      select merchant_id, id, min(total) filter (where bound = 'raised') - min(total) filter (where bound = 'failing') as failing,
        min(total) filter (where bound = 'raised') - min(total) filter (where bound = 'serviced') as serviced
      from totals where id is not null group by 1, 2
    ), faults as materialized (
      select a.merchant_id, a.id, count(*) over (partition by a.merchant_id, a.machine_id order by a.created_at
        range between ${month} preceding and current row) as count
      from spans join alarms a on a.merchant_id = spans.merchant_id and a.machine_id = spans.machine_id
        and a.created_at between spans.failing_since and spans.until
      where ${db.narrow('alarms', 'a')} and ${isFailure}
    ), counted as materialized (
      select n.merchant_id, n.id, ${mcbf(sql`cycles.failing`, sql`faults.count`)} as mcbf,
        n.service_cycles - cycles.serviced as remaining_cycles
      from noted n join cycles on cycles.merchant_id = n.merchant_id and cycles.id = n.id
      left join faults on faults.merchant_id = n.merchant_id and faults.id = n.id
    )
    update alarms set mcbf = counted.mcbf, remaining_cycles = counted.remaining_cycles
    from counted where alarms.merchant_id = counted.merchant_id and alarms.id = counted.id
      and ${db.narrow('alarms')}`.execute(db.query)
}
