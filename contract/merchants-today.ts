import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MachineCounts } from './machine.ts'
import { MinorUnits, paged, pageOf, Search } from './shapes.ts'
import { Currency } from './vocabulary/currencies.ts'

/**
 * A merchant at a glance, of the machines that the caller may see. Amounts are minor units of `currency`; `usual…ByNow` is the
 * mean of the last four same weekdays up to this time of the merchant's day.
 */
export const MerchantToday = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  isDemo: z.boolean(),
  currency: Currency,
  timeZone: z.string(),
  machines: MachineCounts,
  /** Open ones. */
  blockingAlarms: z.int(),
  value: MinorUnits,
  vends: z.int(),
  usualValueByNow: MinorUnits,
  usualVendsByNow: z.number(),
  /** The last 14 local days, oldest first. */
  valueByDay: z.array(MinorUnits),
})
export type MerchantToday = z.infer<typeof MerchantToday>

export const MerchantTodayFilters = z.strictObject({ search: Search.optional() })
export type MerchantTodayFilters = z.infer<typeof MerchantTodayFilters>

/** `attention`: by blocking alarms, then by machines that are blocked, silent or warned of. */
export const merchantTodayOrds = ['attention', 'name', 'machines', 'silent', 'blockingAlarms'] as const

export const merchantsToday = {
  listMerchantsToday: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/merchants-dashboard',
    summary: 'Each merchant of the scope at a glance, those that need somebody most first',
    needs: 'dashboard.read',
    query: MerchantTodayFilters.extend(paged(merchantTodayOrds)),
    ok: pageOf(MerchantToday),
  }),
}
