import { roleMay } from '#contract/access.ts'
import type { Dashboard, dashboards } from '#contract/sales/dashboard.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { hasFirstSteps } from '#database/merchants/first-steps.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { haltedRolloutsOf } from '../updates/halted-rollout.ts'
import { dashboardFigures } from './dashboard-figures.ts'

/** The dashboard of a merchant, or of all. */
export async function dashboardOf(
  call: Pick<TenantCall, 'db' | 'now' | 'user'>,
  merchantId: string,
): Promise<Dashboard> {
  const { db, now, user } = call
  return {
    ...(await dashboardFigures(db, now)),
    hasFirstSteps:
      merchantId !== allMerchants && roleMay(user.role, 'settings.read') && (await hasFirstSteps(db, merchantId)),
    haltedRollouts: await haltedRolloutsOf(call),
  }
}

export const dashboardHandlers: Handlers<typeof dashboards> = {
  getDashboard: (call) => dashboardOf(call, call.params.merchantId),
}
