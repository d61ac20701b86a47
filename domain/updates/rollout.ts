import { type RolloutDirection } from '#contract/updates/rollout-kind.ts'
import type { Cohort, HaltLimits, RolloutHealth, RolloutWindow } from '#contract/updates/rollout-plan.ts'
import {
  type BadState,
  badStates,
  type RolloutMachineState,
  type RolloutState,
} from '#contract/updates/rollout-state.ts'

/*
 * A rollout decides once a minute: it counts its machines by state, halts when a limit is passed, opens the next cohort when this
 * one is good, and says how many machines may start. The count holds, in whatever order machines report. The way back is decided alike, with
 * the same cohorts and limits, from the first cohort on.
 */

export interface RolloutPlan extends RolloutHealth, HaltLimits {
  cohorts: readonly Cohort[]
  installWindow: RolloutWindow | null
}

/** Machines by state. Bad machines that a user accepted when the rollout was resumed are counted apart. */
export type Tally = Readonly<Record<RolloutMachineState, number>> & {
  readonly accepted: number
  /** Machines that wait, are on hold, need nothing or have left, and have received the version. They go back with the others. */
  readonly received: number
  /** On the way back: machines that still install the new version. They return when they have ended. */
  readonly outbound: number
}

export interface Rollout {
  state: RolloutState
  direction: RolloutDirection
  /** The open cohort, from 0. */
  cohort: number
}

/** At most so many machines of a rollout download at once. */
export const mostAtOnce = 500

/** The machines of a rollout: all that wait for the version, have it from the rollout, or were harmed by it. */
export const membersOf = (tally: Tally): number => startedOf(tally) + tally.waiting + tally.held

/** Machines that have begun: each of them is updated, being updated or harmed. */
export const startedOf = (tally: Tally): number =>
  tally.sent + tally.watching + tally.confirmed + tally.failed + tally.silent + tally.alarmed + tally.accepted

/** Machines of a cohort and those before it. A share is rounded up, so that no cohort is empty. */
export const sizeOf = (cohort: Cohort, members: number): number =>
  Math.min(members, cohort.by === 'machines' ? cohort.size : Math.ceil((cohort.size * members) / 100))

const limitOf = (plan: HaltLimits, state: BadState) =>
  ({ failed: plan.failedPercent, silent: plan.silentPercent, alarmed: plan.alarmedPercent })[state]

/** How many machines of a cohort may fail in a way: the share of its size, rounded down. */
export const allowedOf = (plan: HaltLimits, state: BadState, size: number): number =>
  Math.floor((limitOf(plan, state) * size) / 100)

/** Healthy machines that a cohort needs. Machines that a user accepted as bad do not count. */
export const neededOf = ({ goodPercent }: RolloutHealth, tally: Tally, size: number): number =>
  Math.ceil((goodPercent * Math.max(0, size - tally.accepted)) / 100)

export interface Halt {
  cause: BadState
  count: number
  allowed: number
  size: number
}

export type Decision =
  | { kind: 'halt'; halt: Halt }
  /** `cohort` is the open one afterwards; so many machines may start. */
  | { kind: 'go'; cohort: number; room: number }
  | { kind: 'complete'; cohort: number }
  | { kind: 'nothing' }

const isIdle = (tally: Tally) => tally.sent + tally.watching + tally.outbound === 0

/** How many machines may start in a cohort: as many as it lacks, while not too many download at once. */
const roomOf = (plan: RolloutPlan, cohort: number, tally: Tally) => {
  const size = sizeOf(plan.cohorts[cohort] as Cohort, membersOf(tally))
  return Math.max(0, Math.min(size - startedOf(tally), mostAtOnce - tally.sent - tally.outbound))
}

/** The limit that is passed, if any, counted on the open cohort. */
export function haltOf(plan: RolloutPlan, { cohort }: Pick<Rollout, 'cohort'>, tally: Tally): Halt | null {
  const open = plan.cohorts[cohort]
  if (!open) return null
  const size = sizeOf(open, membersOf(tally))
  for (const cause of badStates) {
    const allowed = allowedOf(plan, cause, size)
    if (tally[cause] > allowed) return { cause, count: tally[cause], allowed, size }
  }
  return null
}

/** What a rollout does now. Nothing starts but in a running rollout, and never more machines than its cohort has. */
export function decide(plan: RolloutPlan, rollout: Rollout, tally: Tally): Decision {
  const { state, direction } = rollout
  if (state !== 'running' && state !== 'paused' && state !== 'complete') return { kind: 'nothing' }
  const halt = haltOf(plan, rollout, tally)
  if (halt) return { kind: 'halt', halt }
  if (state === 'paused') return { kind: 'nothing' }
  const members = membersOf(tally)
  const started = startedOf(tally)
  let { cohort } = rollout
  for (; cohort < plan.cohorts.length - 1; cohort++) {
    const size = sizeOf(plan.cohorts[cohort] as Cohort, members)
    if (started < size || tally.confirmed < neededOf(plan, tally, size)) break
  }
  // A machine on hold keeps a rollout open, but not its way back: it cannot return.
  const isOver = tally.waiting === 0 && (tally.held === 0 || direction === 'back') && isIdle(tally)
  if (isOver) return { kind: 'complete', cohort }
  return { kind: 'go', cohort, room: roomOf(plan, cohort, tally) }
}
