import type { ExportOrder } from '#contract/export.ts'
import type { TenantDb } from '#database/tenant.ts'
import { machineOf, refuseForeign, refuseManyDays, refuseReversed } from '../api/refuse.ts'

type Filter = Parameters<typeof refuseReversed>[0] & Parameters<typeof refuseForeign>[1]

/** What the list itself would refuse: a period whose end lies before its start, more days than it compares, and whatever is not in the scope. */
export async function refuseUnsound(db: TenantDb, order: ExportOrder): Promise<void> {
  // Every list has some of them; what it has not is not there.
  const filter = order.filter as Filter
  refuseReversed(filter)
  if (order.list === 'reconciledDays') refuseManyDays(order.filter)
  await refuseForeign(db, filter)
  if ('posId' in order) await machineOf(db, order.posId)
}
