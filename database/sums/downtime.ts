import { type RawBuilder, sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { when } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface DowntimeRecord {
  machineId: string
  /** The start of the stretch. */
  from: Date
  blockedSeconds: number
  absentSeconds: number
}

/**
 * Downtime of a merchant's machines in stretches of time that do not overlap: the union of their blocking alarms and, separately, of
 * their offline times. An alarm whose fault went and came back is no downtime in between. Stretches without either are left out. Open alarms and offline times last until the end of the last stretch.
 */
export async function downtimeWithin(
  db: TenantDb,
  { merchantId, machineId }: { merchantId: string; machineId?: string },
  stretches: readonly { from: number; to: number }[],
): Promise<DowntimeRecord[]> {
  if (stretches.length === 0) return []
  const instants = (of: 'from' | 'to') => stretches.map((stretch) => new Date(stretch[of]).toISOString())
  const first = new Date(Math.min(...stretches.map(({ from }) => from))).toISOString()
  const last = new Date(Math.max(...stretches.map(({ to }) => to))).toISOString()
  /** Intervals that overlap the stretches, merged per machine. */
  const united = (
    table: 'alarms' | 'absences',
    began: RawBuilder<Date>,
    ended: RawBuilder<Date>,
    without = sql`'{}'::tstzmultirange`,
  ) => sql`
    select t.machine_id, range_agg(tstzmultirange(tstzrange(${began}, coalesce(${ended}, ${last}::timestamptz))) - ${without}) as span from ${sql.table(table)} t
    where ${db.narrow(table, 't')} and t.merchant_id = ${merchantId}
      and ${when(machineId, (one) => sql<boolean>`t.machine_id = ${one}`)}
      and ${began} < ${last}::timestamptz and coalesce(${ended}, 'infinity') > ${first}::timestamptz
      and (${ended} is null or ${ended} > ${began})`
  const pauses = sql`coalesce((select range_agg(tstzrange(p.ended_at, p.raised_at)) from alarm_pauses p
    where ${db.own('p')} and p.merchant_id = t.merchant_id and p.alarm_id = t.id), '{}')`
  const { rows } = await sql<DowntimeRecord>`
    with stretch as (
      select * from unnest(${instants('from')}::timestamptz[], ${instants('to')}::timestamptz[]) as s (begins, ends)
    ), down as (
      select machine_id, true as is_blocked, span from (
        ${united('alarms', sql`t.created_at`, sql`t.repaired_at`, pauses)}
        and t.criticity = ${sql.lit(alarmCriticities.blocking)} group by 1) blocked
      union all
      select machine_id, false, span from (${united('absences', sql`t.began_at`, sql`t.ended_at`)} group by 1) absent
    )
    select down.machine_id as "machineId", stretch.begins as "from",
      round(coalesce(sum(extract(epoch from upper(part) - lower(part))) filter (where is_blocked), 0))::int as "blockedSeconds",
      round(coalesce(sum(extract(epoch from upper(part) - lower(part))) filter (where not is_blocked), 0))::int as "absentSeconds"
    from down cross join stretch
    cross join lateral unnest(down.span * tstzmultirange(tstzrange(stretch.begins, stretch.ends))) as part
    group by 1, 2 order by 2, 1`.execute(db.query)
  return rows
}
