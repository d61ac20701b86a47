import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, LineText, oneOrMany, Search } from '../frame/shapes.ts'
import { DeviceType } from '../vocabulary/device.ts'
import { Peripheral } from '../vocabulary/remote-command.ts'
import { RolloutDirection } from './rollout-kind.ts'
import { Cohorts, defaultCohorts, HaltLimits, RolloutHealth, RolloutWindow } from './rollout-plan.ts'
import { RolloutState } from './rollout-state.ts'

/* A rule brings one version to machines in a rollout. Firmware and cash databases have rules of the same form. */

const isUnique = (all: readonly unknown[]) => new Set(all).size === all.length
const some = <T extends z.ZodType>(item: T, most: number) =>
  z.array(item).min(1).max(most).refine(isUnique, saying('choice'))

/** The most machines that a rule names one by one. */
export const mostChosenMachines = 2_000
export const mostChosenClients = 200

/** The machines of a rule. Machines that join a group, a client or a device type later follow. */
export const RuleTarget = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('groups'), groupIds: some(ids.groupId, 200) }),
  z.strictObject({ by: z.literal('clients'), clientIds: some(ids.clientId, mostChosenClients) }),
  z.strictObject({ by: z.literal('deviceTypes'), deviceTypes: some(DeviceType, 20) }),
  z.strictObject({ by: z.literal('machines'), posIds: some(ids.posId, mostChosenMachines) }),
])
export type RuleTarget = z.infer<typeof RuleTarget>

/** The fields of both kinds of rules beside their firmware or database. */
export const ruleFields = {
  name: LineText.trim().min(1).max(120),
  target: RuleTarget,
  /** The versions that are updated; none: all. */
  fromVersions: z.array(LineText.trim().min(1).max(40)).max(50).refine(isUnique, saying('choice')).default([]),
  installWindow: RolloutWindow.nullable().default({ from: '02:00', to: '05:00' }),
  cohorts: Cohorts.default([...defaultCohorts]),
  goodPercent: RolloutHealth.shape.goodPercent.default(95),
  healthMinutes: RolloutHealth.shape.healthMinutes.default(1440),
  silentMinutes: RolloutHealth.shape.silentMinutes.default(60),
  failedPercent: HaltLimits.shape.failedPercent.default(2),
  silentPercent: HaltLimits.shape.silentPercent.default(2),
  alarmedPercent: HaltLimits.shape.alarmedPercent.default(5),
  /** Whether machines with a newer version get this older one. */
  allowDowngrade: z.boolean().default(false),
}

/** What is read of a rule beside its fields. */
export const shownOfRule = {
  /** The version that it brings, and what it is for. */
  release: z.string(),
  peripheral: Peripheral.nullable(),
  deviceTypes: z.array(DeviceType),
  state: RolloutState,
  direction: RolloutDirection,
  /** Machines of the rollout, machines with the new version that stayed healthy, and machines that failed, fell silent or have alarms. */
  machines: z.int(),
  confirmed: z.int(),
  bad: z.int(),
}

export const ruleFilters = {
  search: Search.optional(),
  states: oneOrMany(RolloutState),
  /** Whether a machine failed, fell silent or has new alarms. */
  hasBad: Flag.optional(),
}

export const ruleColumns = {
  name: { kind: 'text', heading: 'update-rule:field.name' },
  merchant: { kind: 'text', heading: 'update-rule:column.merchant' },
  release: { kind: 'text', heading: 'update-rule:column.release' },
  state: { kind: 'status', heading: 'update-rule:column.state', of: 'rolloutState' },
  machines: { kind: 'number', heading: 'update-rule:column.machines' },
  confirmed: { kind: 'number', heading: 'update-rule:column.confirmed' },
  bad: { kind: 'number', heading: 'update-rule:column.bad' },
  createdAt: { kind: 'instant', heading: 'update-rule:column.created' },
  id: { kind: 'plain', heading: 'update-rule:column.id' },
} as const satisfies ListColumns

export const ruleOrds = ordsOf(ruleColumns, 'name')

/** At most so many rules are named in a refusal. */
export const mostNamedRules = 20

export const ruleFaults = ['RuleContradicts', 'UpdateDowngrade', 'UpdateNotForTargets', 'RuleOfOtherGroups'] as const
export const ruleTargetFaults = ['GroupNotFound', 'ClientNotFound', 'MachineNotFound'] as const
