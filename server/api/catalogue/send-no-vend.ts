import { applyNoVend } from '#database/catalogue/no-vend-target.ts'
import type { TenantCall } from '#server/http/handler.ts'

type Call = Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>

/** Writes the profiles of a merchant's machines into their target configurations, sends them and announces both after the commit. */
export async function sendProfiles(
  { db, user, now, live }: Call,
  merchantId: string,
  machineIds: readonly string[],
  again?: ReadonlySet<string>,
): Promise<void> {
  const { written, sent } = await applyNoVend(db, merchantId, machineIds, user, now, again)
  db.afterCommit(() => {
    for (const id of new Set([...written, ...sent])) live.announce(merchantId, 'configuration', id)
    for (const id of sent) {
      live.announce(merchantId, 'command', id)
      live.announceToGateways(merchantId, 'commandWaiting', id)
    }
  })
}
