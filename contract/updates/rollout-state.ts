import { z } from 'zod'
import type { RuleKind } from './rollout-kind.ts'

/** A rollout is `complete` when no machine waits; machines that join its targets later start it again. */
export const rolloutStates = ['draft', 'running', 'paused', 'halted', 'complete', 'ended'] as const
export const RolloutState = z.enum(rolloutStates)
export type RolloutState = z.infer<typeof RolloutState>

/**
 * A machine in a rollout. `sent` has its command, `watching` has reported the new version itself, `confirmed` stayed healthy after it.
 * `held` waits for a user, `current` has the version already, `left` is outside the rule's targets.
 */
export const rolloutMachineStates = [
  'failed',
  'silent',
  'alarmed',
  'held',
  'sent',
  'watching',
  'waiting',
  'confirmed',
  'current',
  'left',
] as const
export const RolloutMachineState = z.enum(rolloutMachineStates)
export type RolloutMachineState = z.infer<typeof RolloutMachineState>

/** Machines that the update harmed or may have harmed. */
export const badStates = ['failed', 'silent', 'alarmed'] as const satisfies readonly RolloutMachineState[]
export type BadState = (typeof badStates)[number]

/** Why a machine is in its state. The ones of `waiting` are derived when they are read. */
export const rolloutReasons = [
  'offline',
  'outsideWindow',
  'windowTooShort',
  'windowOver',
  'laterCohort',
  'inTurn',
  'notRunning',
  'hasVersion',
  'keepsVersion',
  'otherRollout',
  'otherVersion',
  'versionUnknown',
  'wrongDeviceType',
  'commandPending',
  'commandExpired',
  'next',
  'notClaimed',
  'installing',
  'restarting',
  'healthy',
  'unsupported',
  'cancelled',
  'refusedByMachine',
  'noResult',
  'oldVersion',
  'silentAfterGo',
  'silentAfterUpdate',
  'newAlarms',
  'noPreviousFile',
  'newerVersion',
  'movedAway',
] as const
export const RolloutReason = z.enum(rolloutReasons)
export type RolloutReason = z.infer<typeof RolloutReason>

/** What happens next in a rollout. */
export const rolloutSteps = [
  'start',
  'decide',
  'resume',
  'window',
  'install',
  'report',
  'health',
  'contact',
  'nextCohort',
  'follow',
  'none',
] as const
export const RolloutStep = z.enum(rolloutSteps)
export type RolloutStep = z.infer<typeof RolloutStep>

/** The history of a rollout. */
export const rolloutActs = [
  'created',
  'started',
  'cohortOpened',
  'paused',
  'resumed',
  'halted',
  'retried',
  'wentBack',
  'completed',
  'returned',
  'ended',
] as const
export const RolloutAct = z.enum(rolloutActs)
export type RolloutAct = z.infer<typeof RolloutAct>

/** The live topic of each kind of rule, which is also its subject in the change log. */
export const rolloutTopic = { firmware: 'firmwareRule', cashDatabase: 'cashDatabaseRule' } as const satisfies Record<
  RuleKind,
  string
>
