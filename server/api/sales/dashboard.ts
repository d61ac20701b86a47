import { roleMay } from '#contract/access.ts'
import type { dashboards } from '#contract/sales/dashboard.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { hasFirstSteps } from '#database/merchants/first-steps.ts'
import type { Handlers } from '#server/http/handler.ts'
import { haltedRolloutsOf } from '../updates/halted-rollout.ts'
import { dashboardFigures } from './dashboard-figures.ts'

export const dashboardHandlers: Handlers<typeof dashboards> = {
  getDashboard: async (call) => {
    const { db, now, user, params } = call
    return {
      ...(await dashboardFigures(db, now)),
      hasFirstSteps:
        params.merchantId !== allMerchants &&
        roleMay(user.role, 'settings.read') &&
        (await hasFirstSteps(db, params.merchantId)),
      haltedRollouts: await haltedRolloutsOf(call),
    }
  },
}
