import { rolloutTopic } from '#contract/updates/rollout-state.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { dueRollouts, passRollout } from '#database/updates/rollout-pass.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Vault } from '../secrets/vault.ts'
import { rolloutReleases } from '../updates/rollout-release.ts'

export interface RolloutDeps {
  doors: Doors
  vault: Vault
  live: Pick<LiveHub, 'announce' | 'announceToGateways'>
  config: { publicUrl: string }
}

/** Lets each rollout decide. A rollout that fails does not stop the others; the first failure is thrown at the end. */
export async function runRollouts(deps: RolloutDeps, now: Date): Promise<void> {
  const { doors, live } = deps
  const releaseOf = rolloutReleases(deps)
  const failures: unknown[] = []
  for (const key of await dueRollouts(doors)) {
    const pass = await passRollout(doors, key, releaseOf, now).catch((error: unknown) => {
      failures.push(error)
    })
    if (!pass) continue
    const { rollout, changed, sent } = pass
    if (changed.length > 0 || pass.hasDecided) live.announce(rollout.merchantId, rolloutTopic[rollout.kind])
    for (const posId of sent) {
      live.announce(rollout.merchantId, 'command', posId)
      live.announceToGateways(rollout.merchantId, 'commandWaiting', posId)
    }
  }
  if (failures.length > 0) throw failures[0]
}
