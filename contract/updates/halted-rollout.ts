import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant } from '../frame/shapes.ts'
import { RolloutHalt } from './rollout-halt.ts'
import { RolloutDirection, RuleKind } from './rollout-kind.ts'

/** A halted rollout waits for a user's decision: a finding of its merchant, beside the alarms of machines. */
export const HaltedRollout = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  kind: RuleKind,
  name: z.string(),
  release: z.string(),
  direction: RolloutDirection,
  halt: RolloutHalt,
  haltedAt: Instant,
})
export type HaltedRollout = z.infer<typeof HaltedRollout>

/** At most so many are listed, the latest first. */
export const mostHaltedRollouts = 20

export const haltedRollouts = {
  listHaltedRollouts: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/halted-rollouts',
    summary: 'List halted rollouts of firmware and cash databases, which wait for a decision',
    needs: 'firmwareRule.read',
    topics: ['firmwareRule', 'cashDatabaseRule'],
    ok: z.array(HaltedRollout),
  }),
}
