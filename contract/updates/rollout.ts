import { z } from 'zod'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, oneOrMany, paged, Search, Text } from '../frame/shapes.ts'
import { Connection, DeviceType } from '../vocabulary/device.ts'
import { Peripheral } from '../vocabulary/remote-command.ts'
import { UpdatePhase } from '../vocabulary/update.ts'
import { HaltCause, RolloutHalt } from './rollout-halt.ts'
import { RolloutDirection, RuleKind } from './rollout-kind.ts'
import { Cohort, RolloutWindow } from './rollout-plan.ts'
import { RolloutAct, RolloutMachineState, RolloutReason, RolloutState, RolloutStep } from './rollout-state.ts'

/** Machines by state; bad machines that a user accepted are counted in `accepted` only. */
export const RolloutCounts = z.strictObject({
  ...(Object.fromEntries(RolloutMachineState.options.map((state) => [state, z.int()])) as Record<
    RolloutMachineState,
    z.ZodInt
  >),
  accepted: z.int(),
  /** Machines that wait, are on hold, need nothing or have left, and have received the version. */
  received: z.int(),
  /** On the way back: machines that still install the new version. */
  outbound: z.int(),
})
export type RolloutCounts = z.infer<typeof RolloutCounts>

/** A cohort with those before it: its size in machines, and the machines that started in it by state. */
export const RolloutCohort = z.strictObject({
  cohort: Cohort,
  machines: z.int(),
  needed: z.int(),
  counts: RolloutCounts,
  openedAt: Instant.nullable(),
})
export type RolloutCohort = z.infer<typeof RolloutCohort>

export const RolloutEvent = z.strictObject({
  id: z.uuid(),
  at: Instant,
  act: RolloutAct,
  by: z.string().nullable(),
  note: z.string().nullable(),
  cohort: z.int().nullable(),
  machines: z.int().nullable(),
  halt: RolloutHalt.nullable(),
})

export const Rollout = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  kind: RuleKind,
  name: z.string(),
  release: z.string(),
  peripheral: Peripheral.nullable(),
  deviceTypes: z.array(DeviceType),
  fromVersions: z.array(z.string()),
  installWindow: RolloutWindow.nullable(),
  healthMinutes: z.int(),
  silentMinutes: z.int(),
  goodPercent: z.int(),
  state: RolloutState,
  direction: RolloutDirection,
  cohort: z.int(),
  startedAt: Instant.nullable(),
  startedBy: z.string().nullable(),
  haltedAt: Instant.nullable(),
  halt: RolloutHalt.nullable(),
  /** Machines of the rollout: machines that wait for the version, got it from the rollout, or were harmed. */
  members: z.int(),
  counts: RolloutCounts,
  cohorts: z.array(RolloutCohort),
  /** The limits of the open cohort, in machines. */
  limits: z.array(z.strictObject({ cause: HaltCause.exclude(['user']), count: z.int(), allowed: z.int() })),
  /** Machines that would install the version they had before. */
  canGoBack: z.int(),
  /** On the way back: the versions to which machines return, some of them. */
  backTo: z.array(z.string()),
  /** The usual minutes of this update, from the command to the machine's report. None starts in a window with less time left. */
  usualMinutes: z.int(),
  next: z.array(z.strictObject({ step: RolloutStep, at: Instant.nullable(), machines: z.int() })),
  /** The latest first, at most `mostRolloutEvents`. */
  history: z.array(RolloutEvent),
  /** Whether the reader may act: rules of other groups are read only. */
  mayAct: z.boolean(),
})
export type Rollout = z.infer<typeof Rollout>
export const mostRolloutEvents = 50
export const mostBackVersions = 5

export const RolloutMachine = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  deviceType: z.string(),
  groupName: z.string().nullable(),
  connection: Connection,
  lastSeenAt: Instant.nullable(),
  state: RolloutMachineState,
  /** A user accepted that this machine is bad and resumed the rollout. */
  isAccepted: z.boolean(),
  reason: RolloutReason.nullable(),
  /** What the machine said. */
  detail: z.string().nullable(),
  direction: RolloutDirection,
  cohort: z.int().nullable(),
  fromVersion: z.string().nullable(),
  toVersion: z.string().nullable(),
  /** What the machine last reported. */
  reported: z.string().nullable(),
  progress: z.strictObject({ phase: UpdatePhase, percent: z.int().nullable() }).nullable(),
  sentAt: Instant.nullable(),
  watchUntil: Instant.nullable(),
  changedAt: Instant,
  commandId: z.uuid().nullable(),
})
export type RolloutMachine = z.infer<typeof RolloutMachine>

export const rolloutMachineColumns = {
  state: { kind: 'status', heading: 'update-rule:column.state', of: 'rolloutMachineState' },
  posName: { kind: 'text', heading: 'update-rule:column.machine' },
  serial: { kind: 'text', heading: 'update-rule:column.serial', field: 'posSerial' },
  group: { kind: 'text', heading: 'update-rule:column.group', field: 'groupName' },
  reported: { sort: false, kind: 'text', heading: 'update-rule:column.reported' },
  reason: { kind: 'text', heading: 'update-rule:column.reason' },
  cohort: { kind: 'plain', heading: 'update-rule:column.cohort' },
  watchUntil: { kind: 'instant', as: 'minute', heading: 'update-rule:column.watchUntil' },
  lastSeenAt: { kind: 'instant', heading: 'update-rule:column.lastSeen' },
  changedAt: { kind: 'instant', heading: 'update-rule:column.changed' },
} as const satisfies ListColumns

/** `state` sorts the worst first. */
export const rolloutMachineOrds = ordsOf(rolloutMachineColumns, 'state')

export const RolloutMachineFilters = z.strictObject({
  search: Search.optional(),
  states: oneOrMany(RolloutMachineState),
  /** Machines that started in this cohort or one before it. */
  cohort: z.coerce.number().int().min(0).max(20).optional(),
})
export type RolloutMachineFilters = z.infer<typeof RolloutMachineFilters>
export const rolloutMachineQuery = RolloutMachineFilters.extend(paged(rolloutMachineOrds))

/** What users do with a rollout. */
export const rolloutCommands = ['start', 'pause', 'resume', 'halt', 'retry', 'back', 'end'] as const
export const RolloutCommand = z.enum(rolloutCommands)
export type RolloutCommand = z.infer<typeof RolloutCommand>

/**
 * `resume` accepts the bad machines of a halted rollout, `retry` lets them wait again, `back` returns updated machines to the version
 * before, `end` stops for good. The note is kept in the history.
 */
export const ControlRollout = z.strictObject({ command: RolloutCommand, note: Text.trim().max(500).optional() })
export type ControlRollout = z.infer<typeof ControlRollout>
