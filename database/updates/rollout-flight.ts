import { sql } from 'kysely'
import type { RolloutDirection } from '#contract/updates/rollout-state.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { type MachineInFlight, type Outcome, outcomeOf } from '#domain/updates/rollout-machine.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type RolloutRecord, scopeOf } from './rollout.ts'
import { reportedVersion } from './rule-target.ts'

/** Machines checked per rollout and minute, the longest unchecked first. Those whose watch ends are first of all. */
const mostChecked = 500

interface FlightRow extends Omit<MachineInFlight, 'command'> {
  machineId: string
  direction: RolloutDirection
  status: number | null
  result: number | null
  info: string | null
  startedAt: Date | null
  executedAt: Date | null
}

/** Blocking alarms of a machine that began between two instants. */
const alarmsBetween = (db: TenantDb, from: ReturnType<typeof sql>, to: ReturnType<typeof sql>) =>
  sql`(select count(*)::int from alarms a where a.merchant_id = rm.merchant_id and a.machine_id = rm.machine_id and ${db.own('a')}
    and a.criticity = ${sql.lit(alarmCriticities.blocking)} and a.created_at >= ${from} and a.created_at < ${to})`

async function flights(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<FlightRow[]> {
  const { merchantId, id } = rollout
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<FlightRow>`
    select rm.machine_id as "machineId", rm.state, rm.direction, rm.to_version as "toVersion",
      v.version, v.reported_at as "versionAt", m.connection = ${sql.lit(connections.online)} as "isOnline",
      m.last_seen_at as "lastSeenAt", rm.watch_until as "watchUntil",
      c.status, c.result, c.result_info as info, c.started_at as "startedAt", c.executed_at as "executedAt",
      case when rm.state = 'watching' then ${alarmsBetween(db, sql`rm.reported_at`, sql`${at} + interval '1 second'`)} else 0 end
        as "alarmsAfter",
      case when rm.state = 'watching'
        then ${alarmsBetween(db, sql`rm.sent_at - (${at} - rm.reported_at)`, sql`rm.sent_at`)} else 0 end as "alarmsBefore"
    from rollout_machines rm
    join machines m on m.merchant_id = rm.merchant_id and m.id = rm.machine_id and ${db.own('m')}
    ${reportedVersion(db, scopeOf(rollout), 'm')}
    left join remote_commands c on c.merchant_id = rm.merchant_id and c.id = rm.command_id and ${db.own('c')}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.state in ('sent', 'watching')
    order by coalesce(rm.watch_until <= ${at}, false) desc, rm.checked_at, rm.machine_id
    limit ${mostChecked}`.execute(db.query)
  return rows
}

interface MachineChange extends Outcome {
  machineId: string
}

/** Writes outcomes; a machine that reported the new version is watched from now on. */
async function writeOutcomes(db: TenantDb, rollout: RolloutRecord, changes: readonly MachineChange[], now: Date) {
  if (changes.length === 0) return
  const watchUntil = new Date(now.getTime() + rollout.plan.healthMinutes * 60_000)
  await sql`update rollout_machines rm set state = given.state, reason = given.reason, detail = given.detail,
      reported_at = case when given.state = 'watching' then ${now}::timestamptz else rm.reported_at end,
      watch_until = case when given.state = 'watching' then ${watchUntil}::timestamptz end,
      cohort = case when given.state in ('waiting', 'held') then null else rm.cohort end,
      changed_at = ${now}, checked_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as given ("machineId" uuid, state text, reason text, detail text)
    where ${db.own('rm')} and rm.merchant_id = ${rollout.merchantId} and rm.rollout_id = ${rollout.id}
      and rm.machine_id = given."machineId"`.execute(db.query)
}

/** Finds the outcomes of machines in flight. Returns the machines whose state changed. */
export async function checkFlights(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<string[]> {
  const rows = await flights(db, rollout, now)
  if (rows.length === 0) return []
  const changes = rows.flatMap(({ machineId, status, result, info, startedAt, executedAt, ...rest }) => {
    const command = status === null ? null : { status, result, info, startedAt, executedAt }
    const outcome = outcomeOf({ ...rest, command }, rollout.plan, now)
    return outcome ? [{ machineId, ...outcome }] : []
  })
  await writeOutcomes(db, rollout, changes, now)
  const changed = new Set(changes.map(({ machineId }) => machineId))
  const unchanged = rows.map(({ machineId }) => machineId).filter((id) => !changed.has(id))
  if (rows.length === mostChecked)
    await sql`update rollout_machines rm set checked_at = ${now} where ${db.own('rm')} and rm.merchant_id = ${rollout.merchantId}
      and rm.rollout_id = ${rollout.id} and rm.machine_id = any(${unchanged}::uuid[])`.execute(db.query)
  return [...changed]
}
