import { reconciledDaysAtMost } from '#contract/audits/reconciliation.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { findMachine } from '#database/machines/machine.ts'
import { merchantsOfClients } from '#database/machines/machine-edit.ts'
import { foreignGroups, foreignMachines } from '#database/merchants/group.ts'
import { daysIn } from '#domain/time/period.ts'

/** What is set is set at one merchant; there is nothing of all distributors. */
export function refuseAll(merchantId: string): void {
  if (merchantId === allMerchants) throw new ProductError('MerchantNotFoundException')
}

/** A period whose end lies before its start is nobody's intention. */
export function refuseReversed(period: { startDate?: string | undefined; endDate?: string | undefined }): void {
  if (period.startDate && period.endDate && period.endDate < period.startDate) throw new ProductError('PeriodReversed')
}

/** A period of days to be reconciled, as long as they are compared at once. */
export function refuseManyDays(period: { startDate: string; endDate: string }): void {
  refuseReversed(period)
  if (daysIn(period) > reconciledDaysAtMost) throw new ProductError('PeriodTooLong')
}

type Days = Parameters<typeof refuseReversed>[0] | undefined

/**
 * Merchants, groups, clients and machines named in a filter must be in the caller's scope; a foreign one answers as if it did not exist. Periods
 * of machines that end before they start are refused as well, and so are filters by a merchant's features under several merchants.
 */
export async function refuseForeign(
  db: TenantDb,
  filters: {
    groupIds?: string[] | undefined
    posIds?: string[] | undefined
    ids?: string[] | undefined
    merchantIds?: string[] | undefined
    clientId?: string | undefined
    clientIds?: string[] | undefined
    planogramId?: string | undefined
    createdRangeDate?: Days
    lastUpdateRangeDate?: Days
    warrantyRangeDate?: Days
  },
): Promise<void> {
  // Planograms are a feature that one merchant has and the next has not.
  if (filters.planogramId && db.scope.length > 1) throw new ProductError('FeatureFilterOfAll')
  for (const days of [filters.createdRangeDate, filters.lastUpdateRangeDate, filters.warrantyRangeDate])
    if (days) refuseReversed(days)
  const clients = [...(filters.clientIds ?? []), ...(filters.clientId ? [filters.clientId] : [])]
  const known = await merchantsOfClients(db, clients)
  if (clients.some((id) => !known.has(id))) throw new ProductError('ClientNotFound')
  if (filters.merchantIds?.some((id) => !db.scope.some(({ merchantId }) => merchantId === id)))
    throw new ProductError('MerchantNotFoundException')
  const machines = [...(filters.posIds ?? []), ...(filters.ids ?? [])]
  if (filters.groupIds?.length && (await foreignGroups(db, filters.groupIds)).length > 0)
    throw new ProductError('GroupNotFound')
  if (machines.length > 0 && (await foreignMachines(db, machines)).length > 0) throw new ProductError('MachineNotFound')
}

/** The machine of a path; one outside the scope answers as if it did not exist. */
export async function machineOf(db: TenantDb, posId: string) {
  const machine = await findMachine(db, posId)
  if (!machine) throw new ProductError('MachineNotFound')
  return machine
}
