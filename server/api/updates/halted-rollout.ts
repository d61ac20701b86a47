import { roleMay } from '#contract/access.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type HaltedRollout, type haltedRollouts, mostHaltedRollouts } from '#contract/updates/halted-rollout.ts'
import { findHaltedRollouts } from '#database/updates/halted-rollout.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'

/** The halted rollouts that a user may see. */
export async function haltedRolloutsOf({ db, user }: Pick<TenantCall, 'db' | 'user'>): Promise<HaltedRollout[]> {
  if (!roleMay(user.role, 'firmwareRule.read')) return []
  const rows = await findHaltedRollouts(db, mostHaltedRollouts)
  return rows.map((row) => ({ ...row, haltedAt: toWire(row.haltedAt) }))
}

export const haltedRolloutHandlers: Handlers<typeof haltedRollouts> = {
  listHaltedRollouts: (call) => haltedRolloutsOf(call),
}
