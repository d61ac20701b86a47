import { ProductError } from '#contract/errors.ts'
import { ExportOrder } from '#contract/frame/export.ts'
import { exportLists } from '#contract/frame/export-lists.ts'
import { featureOfColumn, gatesOf } from '#contract/frame/of-feature.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { enabledIn, featuresNamed, refuseNamed } from '../http/features.ts'
import { idsNamed, refuseOutOfReach } from '../http/reach.ts'
import { refuseManyDays, refuseReversed, refuseReversedRanges } from '../http/refuse.ts'

type Filter = Parameters<typeof refuseReversed>[0] & Parameters<typeof refuseReversedRanges>[0]

/** What the list itself would refuse: a period whose end lies before its start, more days than it compares, and whatever is not in the scope. */
export async function refuseUnsound(db: TenantDb, order: ExportOrder): Promise<void> {
  // Every list has some of them; what it has not is not there.
  const filter = order.filter as Filter
  refuseReversed(filter)
  if (order.list === 'reconciledDays') refuseManyDays(order.filter)
  refuseReversedRanges(filter)
  await refuseOutOfReach(db, idsNamed(ExportOrder, order))
  await refuseFeatures(db, order)
}

/** Filters, order and columns of features that the merchant lacks; a column of a feature that some of the merchants have is left. */
async function refuseFeatures(db: TenantDb, { list, filter, ord, columns }: ExportOrder): Promise<void> {
  const { row, filters } = exportLists[list]
  const presented = columns.flatMap((id) => featureOfColumn(row, id) ?? [])
  const sorted = ord ? featureOfColumn(row, ord) : undefined
  const named = [...featuresNamed(filter, gatesOf(filters)), ...(sorted ? [sorted] : [])]
  if (presented.length + named.length === 0) return
  const enabled = await enabledIn(db, [...presented, ...named])
  refuseNamed(db, named, enabled)
  if (presented.some((feature) => enabled.get(feature)?.size === 0)) throw new ProductError('FeatureNotEnabled')
}
