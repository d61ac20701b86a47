import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { RolloutReason } from '#contract/updates/rollout-state.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { updateCommands } from '#contract/vocabulary/update.ts'
import { mostAtOnce } from '#domain/updates/rollout.ts'
import { keepsNewer, mayBeFirst } from '#domain/updates/rollout-machine.ts'
import { startedStates } from '#domain/updates/rollout-tally.ts'
import { isOpenAt, windowAt } from '#domain/updates/rollout-window.ts'
import { usualMinutesOf } from '#domain/updates/usual-minutes.ts'
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
  machine: { serial: string; timeZone: string; updateKey: string | null },
  window: { notBefore: Date; expiresAt: Date },
) => object

/** A version for a device type, ready to be sent; null if it is not registered or has no file. A version is never sent to another type. */
export type ReleaseOf = (
  db: TenantDb,
  target: { rollout: RolloutRecord; release: string; deviceType: string },
) => Promise<ParametersOf | 'wrongDeviceType' | null>

interface Candidate {
  machineId: string
  serial: string
  /** Null: the machine gets its first version. */
  version: string | null
  toVersion: string
  deviceType: string
  attempts: number
  /** The key that signs its updates; null: the first. */
  updateKey: string | null
}

/** Whether a rollout takes machines back to an older version: a user allowed it, or all machines return. */
export const doesDowngrade = ({ plan, direction }: RolloutRecord): boolean =>
  plan.allowDowngrade || direction === 'back'

/**
 * The versions of the merchant's machines that are newer than the rollout's, so that these machines keep them. All versions of the part are read,
 * from the index alone: those of the waiting machines would have to be looked up machine by machine.
 */
export async function newerVersions(db: TenantDb, rollout: RolloutRecord): Promise<string[]> {
  if (doesDowngrade(rollout)) return []
  const part = scopeOf(rollout)
  const { rows } = await sql<{ version: string }>`select distinct v.version from machine_versions v
    where ${db.own('v')} and v.merchant_id = ${rollout.merchantId} and v.kind = ${partOf(part)} and v.peripheral = ${part.peripheral ?? ''}
      and v.version <> ${rollout.release}`.execute(db.query)
  const aimed = { toVersion: rollout.release, allowDowngrade: false }
  return rows.flatMap(({ version }) => (keepsNewer(version, aimed) ? [version] : []))
}

/**
 * The condition that a waiting machine `rm`, `m` can start as soon as the window is open and the cohort has room, as `hindranceOf` says it, with
 * its reported version as `v`. The starter, the list and the next steps use it.
 */
function isStartable(db: TenantDb, rollout: RolloutRecord, newer: readonly string[]): RawBuilder<boolean> {
  const { direction } = rollout
  const scope = scopeOf(rollout)
  const from = rollout.plan.fromVersions
  const isOther = mayBeFirst(scope) ? sql`v.version is distinct from rm.to_version` : sql`v.version <> rm.to_version`
  return sql<boolean>`(rm.state = 'waiting' and rm.direction = ${direction}
    and m.connection = ${sql.lit(connections.online)} and ${isOther} and ${isStillTarget(rollout)}
    and ${direction === 'back' || from.length === 0 ? sql`true` : sql`v.version = any(${from}::text[])`}
    and ${newer.length === 0 ? sql`true` : sql`(v.version is null or v.version <> all(${[...newer]}::text[]))`}
    and not ${isElsewhere(db)} and not ${hasCommand(db, rollout)})`
}

/** Whether a machine of a rollout may get its version: deleted machines never do. */
export const isStillTarget = (rollout: RolloutRecord): RawBuilder<boolean> =>
  rollout.direction === 'back' ? sql<boolean>`m.deleted_at is null` : isTarget(scopeOf(rollout), 'm')

/** Whether a machine is under way in another rollout. */
export const isElsewhere = (db: TenantDb): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from rollout_machines other where other.merchant_id = rm.merchant_id
    and other.machine_id = rm.machine_id and other.rollout_id <> rm.rollout_id and ${db.own('other')}
    and other.state in ('sent', 'watching'))`

/** Whether a command of the same kind waits for a machine. */
export const hasCommand = (db: TenantDb, rollout: RolloutRecord): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from remote_commands pending where pending.merchant_id = rm.merchant_id
    and pending.machine_id = rm.machine_id and ${db.own('pending')}
    and pending.type = ${sql.lit(updateCommands[partOf(rollout)])} and pending.status in (0, 1))`

const ofWaiting = (
  db: TenantDb,
  rollout: RolloutRecord,
  newer: readonly string[],
  machines: RawBuilder<unknown> = sql`rollout_machines`,
) => sql`from ${machines} rm
    join machines m on m.merchant_id = rm.merchant_id and m.id = rm.machine_id and ${db.own('m')}
    ${reportedVersion(db, scopeOf(rollout), 'm')}
    where ${db.own('rm')} and rm.merchant_id = ${rollout.merchantId} and rm.rollout_id = ${rollout.id}
      and ${isStartable(db, rollout, newer)}`

/** The first waiting machines in their order, from the index; most of them can usually start. */
const firstWaiting = (db: TenantDb, { merchantId, id, direction }: RolloutRecord, most: number) => sql`(
  select * from rollout_machines one
  where ${db.own('one')} and one.merchant_id = ${merchantId} and one.rollout_id = ${id} and one.state = 'waiting'
    and one.direction = ${direction}
  order by one.position, one.machine_id limit ${most})`

/** The machines that start next, in their order: of the first that wait if enough of them can, otherwise of all. */
export async function candidates(db: TenantDb, rollout: RolloutRecord, room: number): Promise<Candidate[]> {
  const newer = await newerVersions(db, rollout)
  const most = Math.min(room, mostStarted)
  const amongThese = async (machines?: RawBuilder<unknown>) => {
    const { rows } = await sql<Candidate>`
      select rm.machine_id as "machineId", m.serial, v.version, rm.to_version as "toVersion", m.device_type as "deviceType", rm.attempts,
        (select s.update_key from machine_secrets s where ${db.own('s')} and s.merchant_id = rm.merchant_id
          and s.machine_id = rm.machine_id) as "updateKey"
      ${ofWaiting(db, rollout, newer, machines)}
      order by rm.position, rm.machine_id
      limit ${most}`.execute(db.query)
    return rows
  }
  const first = await amongThese(firstWaiting(db, rollout, 2 * most))
  return first.length === most ? first : amongThese()
}

/** Waiting machines that could start in the window, counted as far as they may download at once. */
export async function countReady(db: TenantDb, rollout: RolloutRecord): Promise<number> {
  const newer = await newerVersions(db, rollout)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from (select 1 ${ofWaiting(db, rollout, newer)} limit ${mostAtOnce}) ready`.execute(db.query)
  return rows[0]?.n ?? 0
}

/** Rollouts of the same kind, and machines of each, whose updates say how long one takes. */
const pastRollouts = 5
const pastMachines = 40

/**
 * The usual minutes of a rollout's update, by its own machines and those of the merchant's last rollouts for the same part. Those of the same
 * file alone count, if they are enough.
 */
export async function usualMinutes(db: TenantDb, rollout: RolloutRecord): Promise<number> {
  const { rows } = await sql<{ minutes: number; isSame: boolean }>`
    select extract(epoch from past.reported_at - past.sent_at) / 60 as minutes, r.update_id = ${rollout.updateId} as "isSame"
    from (select one.merchant_id, one.id, one.update_id from rollouts one
      where ${db.own('one')} and one.merchant_id = ${rollout.merchantId} and one.kind = ${rollout.kind}
        and one.peripheral is not distinct from ${rollout.peripheral}::text and one.started_at is not null
      order by one.update_id = ${rollout.updateId} desc, one.started_at desc, one.id limit ${pastRollouts}) r
    cross join lateral (select rm.reported_at, rm.sent_at from rollout_machines rm
      where ${db.own('rm')} and rm.merchant_id = r.merchant_id and rm.rollout_id = r.id
        and rm.state in ('confirmed', 'watching') and rm.reported_at > rm.sent_at
      limit ${pastMachines}) past`.execute(db.query)
  const minutesOf = (past: typeof rows) => past.map(({ minutes }) => Number(minutes))
  return usualMinutesOf(minutesOf(rows.filter(({ isSame }) => isSame)), minutesOf(rows))
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
  // A file that cannot be loaded and installed before the window closes is not sent.
  const open = plan.installWindow && windowAt(plan.installWindow, timeZone, now, await usualMinutes(db, rollout))
  if (open && open.opensAt > now) return []
  const waiting = await candidates(db, rollout, room)
  const expiresAt = open?.closesAt ?? new Date(now.getTime() + lifetimeMs)
  const window = { notBefore: now, expiresAt }
  const releases = new Map<string, Awaited<ReturnType<ReleaseOf>>>()
  const commands: { machine: Candidate; command: NewCommand }[] = []
  const withoutFile: string[] = []
  const ofOtherType: string[] = []
  for (const machine of waiting) {
    const key = `${machine.toVersion} ${machine.deviceType}`
    const target = { rollout, release: machine.toVersion, deviceType: machine.deviceType }
    if (!releases.has(key)) releases.set(key, await releaseOf(db, target))
    const parametersOf = releases.get(key)
    if (!parametersOf || parametersOf === 'wrongDeviceType') {
      const held = parametersOf ? ofOtherType : withoutFile
      held.push(machine.machineId)
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
        parameters: JSON.stringify(
          parametersOf({ serial: machine.serial, timeZone, updateKey: machine.updateKey }, window),
        ),
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
  await hold(db, rollout, withoutFile, 'noPreviousFile', now)
  await hold(db, rollout, ofOtherType, 'wrongDeviceType', now)
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
      from_version = case when rm.direction = 'forward' and rm.received_at is null then given.version else rm.from_version end,
      command_id = given."commandId", attempts = rm.attempts + 1, sent_at = ${now}, reported_at = null,
      changed_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("machineId" uuid, version text, "commandId" uuid)
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}
      and rm.machine_id = given."machineId"`.execute(db.query)
}

async function hold(
  db: TenantDb,
  { merchantId, id }: RolloutRecord,
  machines: readonly string[],
  reason: RolloutReason,
  now: Date,
) {
  if (machines.length === 0) return
  await sql`update rollout_machines rm set state = 'held', reason = ${reason}, changed_at = ${now}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}
      and rm.machine_id = any(${machines}::uuid[])`.execute(db.query)
}

/** Takes back commands that no machine has claimed: those machines wait again. Returns them. */
export async function cancelUnclaimed(db: TenantDb, { merchantId, id }: RolloutRecord, now: Date): Promise<string[]> {
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

/** Failures after which a machine certainly runs its old version. */
const certain = sql`(rm.state = 'failed' and rm.reason in ('refusedByMachine', 'unsupported', 'oldVersion'))`

/**
 * Machines that have received the update at any time, or were harmed by it, return to the version before it (`doesReturn`). A machine that
 * reports the version before needs nothing, if it has said so since its update: until then a silent machine waits. Run each minute, because
 * machines that were installing end later.
 */
export async function beginReturn(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<void> {
  const { merchantId, id, plan } = rollout
  const ofRollout = sql`${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id}`
  const ofMachine = sql`machines m ${reportedVersion(db, scopeOf(rollout), 'm')}`
  const isMachine = sql`${db.own('m')} and m.merchant_id = rm.merchant_id and m.id = rm.machine_id`
  const hasOld = sql`(v.version = rm.from_version and (v.reported_at > rm.sent_at or ${certain}))`
  await sql`update rollout_machines rm set direction = 'back', is_accepted = false, watch_until = null, detail = null,
      to_version = coalesce(rm.from_version, rm.to_version), attempts = 0, cohort = null,
      state = case when m.deleted_at is not null then 'left' when rm.from_version is null then 'held'
        when ${hasOld} then 'current' else 'waiting' end,
      reason = case when m.deleted_at is not null then 'movedAway' when rm.from_version is null then 'noPreviousFile' end,
      changed_at = ${now}
    from ${ofMachine}
    where ${ofRollout} and ${isMachine} and rm.direction = 'forward' and rm.state <> 'sent'
      and (rm.state = any(${[...startedStates]}::text[]) or rm.received_at is not null)`.execute(db.query)
  // A machine that reports the version before: on its own word it needs nothing, or after its command it is watched.
  const watchUntil = new Date(now.getTime() + plan.healthMinutes * 60_000)
  const wasSent = sql`rm.attempts > 0`
  await sql`update rollout_machines rm set state = case when ${wasSent} then 'watching' else 'current' end,
      reason = case when ${wasSent} then 'healthy' end, changed_at = ${now},
      reported_at = case when ${wasSent} then ${now}::timestamptz else rm.reported_at end,
      watch_until = case when ${wasSent} then ${watchUntil}::timestamptz end
    from ${ofMachine}
    where ${ofRollout} and ${isMachine} and rm.direction = 'back' and rm.state = 'waiting' and v.version = rm.to_version
      and v.reported_at > rm.sent_at`.execute(db.query)
  // Machines that report another version after all, and machines that were deleted.
  await sql`update rollout_machines rm set state = case when m.deleted_at is null then 'waiting' else 'left' end,
      reason = case when m.deleted_at is null then null else 'movedAway' end, watch_until = null, changed_at = ${now}
    from ${ofMachine}
    where ${ofRollout} and ${isMachine} and rm.direction = 'back'
      and (m.deleted_at is not null and rm.state <> 'left'
        or m.deleted_at is null and rm.state = 'current' and v.version is distinct from rm.to_version)`.execute(
    db.query,
  )
}
