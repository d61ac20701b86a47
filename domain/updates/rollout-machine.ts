import type { RolloutMachineState, RolloutReason } from '#contract/updates/rollout-state.ts'
import {
  remoteCommandResults as results,
  remoteCommandStatuses as statuses,
} from '#contract/vocabulary/remote-command.ts'
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
  } | null
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

function afterGo(machine: MachineInFlight, startedAt: Date, plan: RolloutPlan, now: Date): Outcome | null {
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
  const since = machine.lastSeenAt ?? new Date(0)
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
 * Whether a machine without a reported version gets its first one: a cash database only. Every machine reports its firmware, and a machine
 * that reports no version of a peripheral may not have the peripheral.
 */
export const mayBeFirst = ({ kind, peripheral }: { kind: string; peripheral: string | null }): boolean =>
  kind === 'cashDatabase' && peripheral === null

/** A machine that waits. */
export interface WaitingMachine {
  version: string | null
  mayBeFirst: boolean
  isOnline: boolean
  timeZone: string
  /** The versions from which it may start; null: any. */
  fromVersions: readonly string[] | null
  isElsewhere: boolean
  hasCommand: boolean
}

/** Why a waiting machine cannot start now; null if it can. */
export function hindranceOf(machine: WaitingMachine, { installWindow }: RolloutPlan, now: Date): RolloutReason | null {
  const { version, fromVersions } = machine
  if (version === null && !machine.mayBeFirst) return 'versionUnknown'
  if (fromVersions && (version === null || !fromVersions.includes(version))) return 'otherVersion'
  if (machine.isElsewhere) return 'otherRollout'
  if (machine.hasCommand) return 'commandPending'
  if (!machine.isOnline) return 'offline'
  return isOpenAt(installWindow, machine.timeZone, now) ? null : 'outsideWindow'
}
