import { ProductError } from '#contract/errors.ts'
import { type adminStats, longestStats } from '#contract/insight/admin-stats.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { userStatuses } from '#contract/vocabulary/user.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import {
  countMerchants,
  countOpenAlarms,
  countOperations,
  countUsers,
  growthOfMerchants,
  machineStats,
  salesByCurrency,
} from '#database/insight/admin-stats.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'

/** Work on every merchant of the deployment, for super admins. */
const overall = <T>({ doors, user }: UserCall, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  doors.withTenant(user.scope, work, 'read')

const dayMs = 86_400_000
/** A period above one year and a day would slow down all other users. */
function refuseLong(
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  now: Date,
) {
  if (!startDate) return
  const end = endDate ? Date.parse(endDate) : now.getTime()
  if ((end - Date.parse(startDate)) / dayMs > longestStats) throw new ProductError('PeriodTooLong')
}

export const adminStatsHandlers: Handlers<typeof adminStats> = {
  getMerchantStats: (call) =>
    overall(call, async (db) => ({
      ...(await countMerchants(db)),
      growth: await growthOfMerchants(db, call.now, call.query.months),
    })),

  getMachineStats: (call) =>
    overall(call, async (db) => {
      const { months, withoutDataDays } = call.query
      return machineStats(db, call.now, { months, withoutDataDays })
    }),

  getUserStats: ({ doors }) => countUsers(doors, roles, userStatuses),

  getSalesStats: (call) => {
    refuseReversed(call.query)
    refuseLong(call.query, call.now)
    return overall(call, async (db) => {
      const sold = await salesByCurrency(db, call.now, 'today')
      const inPeriod = await salesByCurrency(db, call.now, call.query)
      return sold.map(({ currency, ...today }, index) => {
        const { value = 0, vends = 0 } = inPeriod[index] ?? {}
        return { currency, today, period: { value, vends } }
      })
    })
  },

  getAlarmStats: (call) => overall(call, countOpenAlarms),

  getOperationStats: ({ doors, now }) => countOperations(doors, now),
}
