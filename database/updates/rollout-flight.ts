import { sql } from 'kysely'
import type { RolloutDirection } from '#contract/updates/rollout-kind.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { connections } from '#contract/vocabulary/device.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import { hasReceived, type MachineInFlight, type Outcome, outcomeOf } from '#domain/updates/rollout-machine.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { changeRollout, type RolloutRecord, scopeOf } from './rollout.ts'
import { reportedVersion } from './rule-target.ts'

/** Machines checked per rollout and minute: those whose watch ends, and the next ones in their order. */
const mostChecked = 500

interface FlightRow extends Omit<MachineInFlight, 'command'> {
  machineId: string
  position: number
  direction: RolloutDirection
  status: number | null
  result: number | null
  info: string | null
  startedAt: Date | null
  executedAt: Date | null
  expiresAt: Date | null
  phase: UpdatePhase | null
}

/**
 * Machines on their way, with the blocking alarms that began since their report of the version, and in an equal time before their command.
 */
async function flights(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<FlightRow[]> {
  const { merchantId, id, checkedPosition } = rollout
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<FlightRow>`
    select rm.machine_id as "machineId", rm.position, rm.state, rm.direction, rm.to_version as "toVersion",
      v.version, v.reported_at as "versionAt", m.connection = ${sql.lit(connections.online)} as "isOnline",
      m.last_seen_at as "lastSeenAt", rm.watch_until as "watchUntil",
      rm.reported_at as "watchedSince", c.expires_at as "expiresAt", c.progress_phase as phase,
      c.status, c.result, c.result_info as info, c.started_at as "startedAt", c.executed_at as "executedAt",
      coalesce(alarms.after, 0) as "alarmsAfter", coalesce(alarms.before, 0) as "alarmsBefore"
    from (select * from rollout_machines one
      where ${db.own('one')} and one.merchant_id = ${merchantId} and one.rollout_id = ${id} and one.state in ('sent', 'watching')
      order by coalesce(one.watch_until <= ${at}, false) desc, one.position <= ${checkedPosition}, one.position, one.machine_id
      limit ${mostChecked}) rm
    join machines m on m.merchant_id = rm.merchant_id and m.id = rm.machine_id and ${db.own('m')}
    ${reportedVersion(db, scopeOf(rollout), 'm')}
    left join remote_commands c on c.merchant_id = rm.merchant_id and c.id = rm.command_id and ${db.own('c')}
    left join lateral (
      select count(*) filter (where a.created_at >= rm.reported_at)::int as after,
        count(*) filter (where a.created_at < rm.sent_at)::int as before
      from alarms a where a.merchant_id = rm.merchant_id and a.machine_id = rm.machine_id and ${db.own('a')}
        and a.criticity = ${sql.lit(alarmCriticities.blocking)}
        and a.created_at >= rm.sent_at - (${at} - rm.reported_at) and a.created_at <= ${at}) alarms on rm.state = 'watching'
    where rm.merchant_id = ${merchantId}`.execute(db.query)
  return rows
}

const machineOf = ({
  status,
  result,
  info,
  startedAt,
  executedAt,
  expiresAt,
  phase,
  ...rest
}: FlightRow): MachineInFlight => ({
  ...rest,
  command:
    status === null || expiresAt === null ? null : { status, result, info, startedAt, executedAt, expiresAt, phase },
})

interface MachineChange extends Outcome {
  machineId: string
  hasReceived: boolean
}

/** Writes outcomes; a machine that reported the new version is watched from now on. */
async function writeOutcomes(db: TenantDb, rollout: RolloutRecord, changes: readonly MachineChange[], now: Date) {
  if (changes.length === 0) return
  const watchUntil = new Date(now.getTime() + rollout.plan.healthMinutes * 60_000)
  await sql`update rollout_machines rm set state = given.state, reason = given.reason, detail = given.detail,
      reported_at = case when given.state = 'watching' then ${now}::timestamptz else rm.reported_at end,
      watch_until = case when given.state = 'watching' then ${watchUntil}::timestamptz end,
      cohort = case when given.state in ('waiting', 'held') then null else rm.cohort end,
      received_at = coalesce(rm.received_at, case when given."hasReceived" and rm.direction = 'forward' then ${now}::timestamptz end),
      changed_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as given ("machineId" uuid, state text, reason text, detail text, "hasReceived" boolean)
    where ${db.own('rm')} and rm.merchant_id = ${rollout.merchantId} and rm.rollout_id = ${rollout.id}
      and rm.machine_id = given."machineId"`.execute(db.query)
}

/** Finds the outcomes of machines in flight. Returns the machines whose state changed. */
export async function checkFlights(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<string[]> {
  const rows = await flights(db, rollout, now)
  if (rows.length === 0) return []
  const changes = rows.flatMap((row) => {
    const machine = machineOf(row)
    const outcome = outcomeOf(machine, rollout.plan, now)
    return outcome ? [{ machineId: row.machineId, ...outcome, hasReceived: hasReceived(machine, outcome) }] : []
  })
  await writeOutcomes(db, rollout, changes, now)
  if (rows.length === mostChecked)
    await changeRollout(db, rollout, { checkedPosition: lastChecked(rows, rollout, now) })
  return changes.map(({ machineId }) => machineId)
}

/** The position of the last machine in order; the next minute continues after it, and starts again after the last of all. */
function lastChecked(rows: readonly FlightRow[], { checkedPosition }: RolloutRecord, now: Date): number {
  const inOrder = rows.filter(({ watchUntil }) => watchUntil === null || watchUntil > now)
  if (inOrder.length === 0) return checkedPosition
  const positions = inOrder.map(({ position }) => position)
  const again = positions.filter((position) => position <= checkedPosition)
  return Math.max(...(again.length > 0 ? again : positions))
}
