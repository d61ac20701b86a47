import { z } from 'zod'
import type { Feature } from '../vocabulary/feature.ts'

/** What a rule brings to machines. */
export const ruleKinds = ['firmware', 'cashDatabase'] as const
export const RuleKind = z.enum(ruleKinds)
export type RuleKind = z.infer<typeof RuleKind>

/** The feature of each kind of rule. */
export const featureOfRule = {
  firmware: 'firmwareUpdate',
  cashDatabase: 'cashDatabaseUpdate',
} as const satisfies Record<RuleKind, Feature>

/** Forward to the new version, or back to the version that each machine had. */
export const rolloutDirections = ['forward', 'back'] as const
export const RolloutDirection = z.enum(rolloutDirections)
export type RolloutDirection = z.infer<typeof RolloutDirection>
