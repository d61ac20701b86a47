import type { RolloutMachineState, RolloutReason } from '#contract/updates/rollout-state.ts'
import {
  remoteCommandResults as results,
  remoteCommandStatuses as statuses,
} from '#contract/vocabulary/remote-command.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import { isDowngrade } from './downgrade.ts'
import type { RolloutPlan } from './rollout.ts'
import { isOpenAt } from './rollout-window.ts'

/** A machine that has its command, or has reported the new version and is watched. */
export interface MachineInFlight {
  state: 'sent' | 'watching'
  /** The version that it must report. */
  toVersion: string
  /** The version of its last own report. */
  version: string | null
  isOnline: boolean
  lastSeenAt: Date | null
  /** Its last report of a version. */
  versionAt: Date | null
  command: {
    status: number
    result: number | null
    info: string | null
    startedAt: Date | null
    executedAt: Date | null
    /** The end of the window in which the machine may install. */
    expiresAt: Date
    /** The last step that it reported. */
    phase: UpdatePhase | null
  } | null
  /** The beginning and the end of its watch. */
  watchedSince: Date | null
  watchUntil: Date | null
  /** New blocking alarms since the report, and in an equal time before the command. */
  alarmsAfter: number
  alarmsBefore: number
}

export interface Outcome {
  state: RolloutMachineState
  reason: RolloutReason
  /** The machine's own words. */
  detail?: string | null
}

const minute = 60_000
/** So much may a machine's clock be ahead of ours when it ends an update at the end of its window. */
const clockToleranceMs = 5 * minute
const isAfter = (one: Date | null, other: Date) => one !== null && one > other

/** Absent for longer than the plan allows. */
const isSilent = (machine: MachineInFlight, { silentMinutes }: RolloutPlan, since: Date, now: Date) =>
  !machine.isOnline &&
  now.getTime() - Math.max(since.getTime(), machine.lastSeenAt?.getTime() ?? 0) >= silentMinutes * minute

/** A command that ended before the machine took it. The machine was never at risk. */
function untaken({ status, result, info }: NonNullable<MachineInFlight['command']>): Outcome | null {
  if (status === statuses.scheduled || status === statuses.running) return null
  if (result === results.unsupported) return { state: 'failed', reason: 'unsupported', detail: info }
  if (result === results.cancelledByUser) return { state: 'held', reason: 'cancelled' }
  if (result === results.expired || result === results.retriesExceeded)
    return { state: 'waiting', reason: 'commandExpired' }
  return { state: 'failed', reason: 'refusedByMachine', detail: info }
}

/** Whether the window closed before the machine began to install: it has kept its version and can start again. */
function hasRunOutOfWindow(
  { status, phase, executedAt, expiresAt }: NonNullable<MachineInFlight['command']>,
  now: Date,
) {
  const isEnded = status === statuses.receivedWithErrors || status === statuses.notExecuted
  return isEnded && phase !== 'installing' && expiresAt.getTime() - clockToleranceMs <= (executedAt ?? now).getTime()
}

function afterGo(machine: MachineInFlight, startedAt: Date, plan: RolloutPlan, now: Date): Outcome | null {
  if (machine.command && machine.command.result !== results.unsupported && hasRunOutOfWindow(machine.command, now))
    return { state: 'waiting', reason: 'windowOver', detail: machine.command.info }
  const { status = statuses.running, result = null, info = null, executedAt = null } = machine.command ?? {}
  if (status === statuses.receivedWithErrors) return { state: 'failed', reason: 'refusedByMachine', detail: info }
  if (isSilent(machine, plan, startedAt, now)) return { state: 'silent', reason: 'silentAfterGo' }
  if (status === statuses.notExecuted)
    return result === results.unsupported
      ? { state: 'failed', reason: 'unsupported', detail: info }
      : { state: 'failed', reason: 'noResult' }
  if (status === statuses.scheduled || status === statuses.running || !executedAt) return null
  const isBackWithOld = isAfter(machine.versionAt, executedAt)
  const isOverdue = now.getTime() - executedAt.getTime() >= plan.silentMinutes * minute
  if (!isBackWithOld && !isOverdue) return null
  return machine.isOnline ? { state: 'failed', reason: 'oldVersion' } : null
}

function watched(machine: MachineInFlight, plan: RolloutPlan, now: Date): Outcome | null {
  if (machine.version !== machine.toVersion) return { state: 'failed', reason: 'oldVersion' }
  if (machine.alarmsAfter > machine.alarmsBefore) return { state: 'alarmed', reason: 'newAlarms' }
  const since = machine.watchedSince ?? machine.lastSeenAt ?? new Date(0)
  if (isSilent(machine, plan, since, now)) return { state: 'silent', reason: 'silentAfterUpdate' }
  const isOver = machine.watchUntil !== null && machine.watchUntil <= now
  // A machine that is absent at the end of its watch is watched until it answers or is silent.
  return isOver && machine.isOnline ? { state: 'confirmed', reason: 'healthy' } : null
}

/**
 * The outcome of a machine; null while it is open. Success is the new version in the machine's own report and health after it. An
 * acknowledged command alone is nothing.
 */
export function outcomeOf(machine: MachineInFlight, plan: RolloutPlan, now: Date): Outcome | null {
  if (machine.state === 'watching') return watched(machine, plan, now)
  if (machine.version === machine.toVersion) return { state: 'watching', reason: 'healthy' }
  const { command } = machine
  if (!command) return { state: 'waiting', reason: 'commandExpired' }
  return command.startedAt ? afterGo(machine, command.startedAt, plan, now) : untaken(command)
}

/**
 * Whether the rollout has brought the version to a machine, judged with its outcome: it reported the version, or it took the command and may
 * have installed it. It goes back with the others, whatever becomes of it.
 */
export function hasReceived({ version, toVersion, command }: MachineInFlight, outcome: Outcome): boolean {
  if (version === toVersion) return true
  if (!command?.startedAt || outcome.state === 'waiting') return false
  return outcome.reason !== 'refusedByMachine' && outcome.reason !== 'unsupported'
}

/**
 * Whether a machine without a reported version gets its first one: a cash database only. Every machine reports its firmware, and a machine
 * that reports no version of a peripheral may not have the peripheral.
 */
export const mayBeFirst = ({ kind, peripheral }: { kind: string; peripheral: string | null }): boolean =>
  kind === 'cashDatabase' && peripheral === null

/** The version of a rollout, and whether machines with a newer version get it too. */
interface Aimed {
  toVersion: string
  allowDowngrade: boolean
}

/** Whether a machine has a newer version, which it keeps. */
export const keepsNewer = (version: string | null, { toVersion, allowDowngrade }: Aimed): boolean =>
  version !== null && !allowDowngrade && isDowngrade(version, toVersion)

/**
 * The state of a machine that joins a rollout. With the version, or a newer version that it keeps, it needs nothing. A machine that has the
 * version from this rollout, late or after it left, is watched as a member.
 */
export function entryOf(
  { version, wasSent }: { version: string | null; wasSent: boolean },
  aimed: Aimed,
): { state: RolloutMachineState; reason: RolloutReason | null } {
  if (version === aimed.toVersion)
    return wasSent ? { state: 'watching', reason: 'healthy' } : { state: 'current', reason: null }
  return keepsNewer(version, aimed) ? { state: 'current', reason: 'newerVersion' } : { state: 'waiting', reason: null }
}

/** A machine that waits. */
export interface WaitingMachine extends Aimed {
  version: string | null
  mayBeFirst: boolean
  isOnline: boolean
  /** The versions from which it may start; null: any. */
  fromVersions: readonly string[] | null
  /** Whether it is among the targets still, with a device type of the version. */
  isTarget: boolean
  isElsewhere: boolean
  hasCommand: boolean
}

/** Why a waiting machine cannot start; null if it can, once its window is open and its cohort has room. */
export function hindranceOf(machine: WaitingMachine): RolloutReason | null {
  const { version, fromVersions } = machine
  if (!machine.isTarget) return 'movedAway'
  if (version === null && !machine.mayBeFirst) return 'versionUnknown'
  if (version === machine.toVersion) return 'hasVersion'
  if (keepsNewer(version, machine)) return 'newerVersion'
  if (fromVersions && (version === null || !fromVersions.includes(version))) return 'otherVersion'
  if (machine.isElsewhere) return 'otherRollout'
  if (machine.hasCommand) return 'commandPending'
  return machine.isOnline ? null : 'offline'
}

/** Why the window holds a machine; null if it is open, with the usual time of the update left. */
export function windowHindrance(
  { installWindow }: Pick<RolloutPlan, 'installWindow'>,
  timeZone: string,
  now: Date,
  usualMinutes: number,
): RolloutReason | null {
  if (isOpenAt(installWindow, timeZone, now, usualMinutes)) return null
  return isOpenAt(installWindow, timeZone, now) ? 'windowTooShort' : 'outsideWindow'
}
