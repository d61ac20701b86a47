import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { connections } from '#contract/vocabulary/device.ts'
import { updateCommands } from '#contract/vocabulary/update.ts'
import { mayBeFirst } from '#domain/updates/rollout-machine.ts'
import { isOpenAt, windowAt } from '#domain/updates/rollout-window.ts'
import { cancelRemoteCommands, insertRemoteCommands, type NewCommand } from '../commands/remote-command.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type RolloutRecord, scopeOf } from './rollout.ts'
import { isTarget, partOf, reportedVersion } from './rule-target.ts'

/** Machines started per rollout and minute. */
export const mostStarted = 200
/** Without a window, a command waits this long for its machine. */
const lifetimeMs = 24 * 3_600_000

/** The parameters of a machine's command. */
export type ParametersOf = (
  machine: { serial: string; timeZone: string },
  window: { notBefore: Date; expiresAt: Date },
) => object

/** A version for a device type, ready to be sent; null if it is not registered or has no file. */
export type ReleaseOf = (
  db: TenantDb,
  wanted: { rollout: RolloutRecord; release: string; deviceType: string },
) => Promise<ParametersOf | null>

interface Candidate {
  machineId: string
  serial: string
  /** Null: the machine gets its first version. */
  version: string | null
  toVersion: string
  deviceType: string
  attempts: number
}

async function candidates(db: TenantDb, rollout: RolloutRecord, room: number): Promise<Candidate[]> {
  const { merchantId, id, plan, direction } = rollout
  const scope = scopeOf(rollout)
  const type = updateCommands[partOf(scope)]
  const from = plan.fromVersions
  const { rows } = await sql<Candidate>`
    select rm.machine_id as "machineId", m.serial, v.version, rm.to_version as "toVersion", m.device_type as "deviceType", rm.attempts
    from rollout_machines rm
    join machines m on m.merchant_id = rm.merchant_id and m.id = rm.machine_id and ${db.own('m')}
    ${reportedVersion(db, scope, 'm')}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}
      and rm.state = 'waiting' and rm.direction = ${direction}
      and m.connection = ${sql.lit(connections.online)} and ${mayBeFirst(scope) ? sql`v.version is distinct from rm.to_version` : sql`v.version <> rm.to_version`}
      and ${direction === 'back' ? sql`m.deleted_at is null` : isTarget(scope, 'm')}
      and ${direction === 'back' || from.length === 0 ? sql`true` : sql`v.version = any(${from}::text[])`}
      and not exists (select 1 from rollout_machines other where other.merchant_id = rm.merchant_id
        and other.machine_id = rm.machine_id and other.rollout_id <> rm.rollout_id and ${db.own('other')}
        and other.state in ('sent', 'watching'))
      and not exists (select 1 from remote_commands c where c.merchant_id = rm.merchant_id and c.machine_id = rm.machine_id
        and ${db.own('c')} and c.type = ${sql.lit(type)} and c.status in (0, 1))
    order by rm.position, rm.machine_id
    limit ${Math.min(room, mostStarted)}`.execute(db.query)
  return rows
}

/** The id of a machine's command: the same for the same attempt, so that no decision sends it twice. */
function commandIdOf(rolloutId: string, { machineId, attempts }: Candidate, direction: string): string {
  const hex = createHash('sha256').update(`${rolloutId} ${machineId} ${direction} ${attempts}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Sends the update to waiting machines, at most `room`, in their order. Nothing is sent outside the window. Returns the machines that got
 * a command.
 */
export async function startMachines(
  db: TenantDb,
  rollout: RolloutRecord,
  room: number,
  releaseOf: ReleaseOf,
  now: Date,
): Promise<string[]> {
  const { plan, timeZone, merchantId, id, direction } = rollout
  if (room === 0 || !isOpenAt(plan.installWindow, timeZone, now)) return []
  const waiting = await candidates(db, rollout, room)
  const expiresAt = windowAt(plan.installWindow, timeZone, now)?.closesAt ?? new Date(now.getTime() + lifetimeMs)
  const window = { notBefore: now, expiresAt }
  const releases = new Map<string, ParametersOf | null>()
  const commands: { machine: Candidate; command: NewCommand }[] = []
  const withoutFile: string[] = []
  for (const machine of waiting) {
    const key = `${machine.toVersion} ${machine.deviceType}`
    const wanted = { rollout, release: machine.toVersion, deviceType: machine.deviceType }
    if (!releases.has(key)) releases.set(key, await releaseOf(db, wanted))
    const parametersOf = releases.get(key)
    if (!parametersOf) {
      withoutFile.push(machine.machineId)
      continue
    }
    commands.push({
      machine,
      command: {
        merchant_id: merchantId,
        id: commandIdOf(id, machine, direction),
        order_id: id,
        machine_id: machine.machineId,
        type: updateCommands[partOf(rollout)],
        parameters: JSON.stringify(parametersOf({ serial: machine.serial, timeZone }, window)),
        created_at: now,
        created_by: rollout.startedBy,
        created_by_name: rollout.startedByName ?? '',
        not_before: now,
        expires_at: expiresAt,
      },
    })
  }
  const stored = await insertRemoteCommands(
    db,
    commands.map(({ command }) => command),
  )
  const sent = commands.filter(({ command }) => stored.has(command.id))
  await writeSent(db, rollout, sent, now)
  await hold(db, rollout, withoutFile, now)
  return sent.map(({ machine }) => machine.machineId)
}

async function writeSent(
  db: TenantDb,
  { merchantId, id, cohort }: RolloutRecord,
  sent: readonly { machine: Candidate; command: NewCommand }[],
  now: Date,
): Promise<void> {
  if (sent.length === 0) return
  const rows = sent.map(({ machine, command }) => ({ ...machine, commandId: command.id }))
  await sql`update rollout_machines rm set state = 'sent', reason = 'notClaimed', detail = null, cohort = ${cohort},
      from_version = case when rm.direction = 'forward' then given.version else rm.from_version end,
      command_id = given."commandId", attempts = rm.attempts + 1, sent_at = ${now}, reported_at = null,
      changed_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("machineId" uuid, version text, "commandId" uuid)
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}
      and rm.machine_id = given."machineId"`.execute(db.query)
}

async function hold(db: TenantDb, { merchantId, id }: RolloutRecord, machines: readonly string[], now: Date) {
  if (machines.length === 0) return
  await sql`update rollout_machines rm set state = 'held', reason = 'noPreviousFile', changed_at = ${now}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}
      and rm.machine_id = any(${machines}::uuid[])`.execute(db.query)
}

/** Takes back commands that no machine has claimed: those machines wait again. Returns them. */
export async function takeBack(db: TenantDb, { merchantId, id }: RolloutRecord, now: Date): Promise<string[]> {
  const { rows: sent } = await sql<{ commandId: string; machineId: string }>`
    select rm.command_id as "commandId", rm.machine_id as "machineId" from rollout_machines rm
    join remote_commands c on c.merchant_id = rm.merchant_id and c.id = rm.command_id and ${db.own('c')}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.state = 'sent'
      and c.status in (0, 1) and c.started_at is null`.execute(db.query)
  if (sent.length === 0) return []
  const cancelled = await cancelRemoteCommands(
    db,
    sent.map(({ commandId }) => commandId),
  )
  const machines = sent.filter(({ commandId }) => cancelled.has(commandId)).map(({ machineId }) => machineId)
  await sql`update rollout_machines rm set state = 'waiting', reason = null, cohort = null, changed_at = ${now}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.state = 'sent'
      and rm.machine_id = any(${machines}::uuid[])`.execute(db.query)
  return machines
}

/** Machines that got the update return to the version before it. Machines that report it already have returned. */
export async function turnBack(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<void> {
  const { merchantId, id } = rollout
  await sql`update rollout_machines rm set direction = 'back', is_accepted = false, watch_until = null, detail = null,
      to_version = coalesce(rm.from_version, rm.to_version), attempts = 0,
      state = case when rm.from_version is null then 'held' else 'waiting' end,
      reason = case when rm.from_version is null then 'noPreviousFile' end, changed_at = ${now}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.direction = 'forward'
      and rm.state in ('watching', 'confirmed', 'failed', 'silent', 'alarmed')`.execute(db.query)
  await sql`update rollout_machines rm set state = 'confirmed', reason = 'healthy', changed_at = ${now}
    from machines m ${reportedVersion(db, scopeOf(rollout), 'm')}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.direction = 'back'
      and rm.state = 'waiting' and ${db.own('m')} and m.merchant_id = rm.merchant_id and m.id = rm.machine_id
      and v.version = rm.to_version`.execute(db.query)
}
