import { ProductError } from '#contract/errors.ts'
import { type Dashboard, dashboards } from '#contract/sales/dashboard.ts'
import type { firstScreens } from '#contract/sales/first-screen.ts'
import { noteVisit } from '#database/people/user.ts'
import { firstMerchant } from '#domain/merchants/first-merchant.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { withoutGated } from '#server/http/features.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { scopeOf } from '#server/http/scope.ts'
import { merchantsOf, presentMe } from '../people/user.ts'
import { dashboardOf } from './dashboard.ts'

/** The dashboard as its own call answers it; null where that call is refused. */
async function dashboardAt(call: UserCall, merchantId: string): Promise<Dashboard | null> {
  const { doors, user } = call
  if (!userMay(user, 'dashboard.read')) return null
  try {
    return await doors.withTenant(
      scopeOf(user, merchantId),
      async (db) => withoutGated(db, dashboards.getDashboard, await dashboardOf({ ...call, db }, merchantId)),
      'read',
    )
  } catch (error) {
    // Its merchant is closed to the user.
    if (error instanceof ProductError) return null
    throw error
  }
}

export const firstScreenHandlers: Handlers<typeof firstScreens> = {
  getFirstScreen: async (call) => {
    const { doors, user, now, query } = call
    await noteVisit(doors, user.id, now)
    const merchants = await merchantsOf(call)
    const merchantId = firstMerchant(merchants, [query.merchant]) ?? null
    const dashboard = query.dashboard && merchantId ? await dashboardAt(call, merchantId) : null
    return { me: presentMe(user), merchants, merchantId, dashboard }
  },
}
