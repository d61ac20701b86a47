import { reconciledDaysAtMost } from '#contract/audits/reconciliation.ts'
import { ProductError } from '#contract/errors.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { seesBoxes } from '#database/frame/sights/blind-count.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { findMachine } from '#database/machines/machine.ts'
import { daysIn } from '#domain/time/period.ts'

/** Settings belong to one merchant; there are none for all merchants. */
export function refuseAll(merchantId: string): void {
  if (merchantId === allMerchants) throw new ProductError('MerchantNotFoundException')
}

/** Refuses a period that ends before its start. */
export function refuseReversed(period: { startDate?: string | undefined; endDate?: string | undefined }): void {
  if (period.startDate && period.endDate && period.endDate < period.startDate) throw new ProductError('PeriodReversed')
}

/** Refuses more days than a reconciliation compares at once. */
export function refuseManyDays(period: { startDate: string; endDate: string }): void {
  refuseReversed(period)
  if (daysIn(period) > reconciledDaysAtMost) throw new ProductError('PeriodTooLong')
}

type Days = Parameters<typeof refuseReversed>[0] | undefined

/** Periods of machines that end before they start. */
export function refuseReversedRanges(
  filters: { [Range in 'createdRangeDate' | 'lastUpdateRangeDate' | 'warrantyRangeDate']?: Days },
): void {
  for (const days of [filters.createdRangeDate, filters.lastUpdateRangeDate, filters.warrantyRangeDate])
    if (days) refuseReversed(days)
}

/** Refuses what machines say of their cash boxes to readers who count blind. */
export function refuseBoxes(db: TenantDb, merchantId: string): void {
  if (!seesBoxes(db, merchantId)) throw new ProductError('CountedBlind')
}

/** The machine of a path. A machine out of scope answers as if it did not exist. */
export async function machineOf(db: TenantDb, posId: string) {
  const machine = await findMachine(db, posId)
  if (!machine) throw new ProductError('MachineNotFound')
  return machine
}

/** Refuses a field of the body by a broken rule, with the rule's facts. */
export function refuseFault(path: string, { key, values }: BrokenRule): never {
  throw new ProductError('ValidationFailed', {
    errors: [{ path, code: 'custom', message: '', rule: key, ...(values && { values }) }],
  })
}
