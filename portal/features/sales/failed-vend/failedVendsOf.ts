import type { Machine } from '#contract/machines/machine.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { periodOf } from '#domain/time/period.ts'

/** The days in which a machine's failed vends are shown. */
export const failurePeriod = 'last7Days'

/** The call for the last failed vends of a machine, the newest first. */
export const failedVendsOf = (machine: Pick<Machine, 'id' | 'merchantId' | 'timeZone'>, size: number) => ({
  params: { merchantId: machine.merchantId },
  query: {
    ...periodOf(failurePeriod, new Date(), machine.timeZone),
    posIds: [machine.id],
    types: [...saleTypes],
    errorSale: 'true' as const,
    page: 1,
    size,
    ord: 'createdAt' as const,
    ordType: 'DESC' as const,
  },
})
