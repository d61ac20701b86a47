import { ProductError } from '#contract/errors.ts'
import { ExportOrder } from '#contract/export/export.ts'
import { exportLists } from '#contract/export/export-lists.ts'
import { featureOfColumn, gatesOf } from '#contract/frame/of-feature.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { enabledIn, featuresNamed, refuseNamed } from '../http/features.ts'
import { idsNamed, refuseOutOfReach } from '../http/reach.ts'
import { refuseManyDays, refuseReversed, refuseReversedRanges } from '../http/refuse.ts'

type Filter = Parameters<typeof refuseReversed>[0] & Parameters<typeof refuseReversedRanges>[0]

/** Refuses what the list would refuse: a period that ends before its start, too many days, and filters outside the scope. */
export async function refuseUnsound(db: TenantDb, order: ExportOrder): Promise<void> {
  // Each list has some of these filters; the others are undefined.
  const filter = order.filter as Filter
  refuseReversed(filter)
  if (order.list === 'reconciledDays') refuseManyDays(order.filter)
  refuseReversedRanges(filter)
  await refuseOutOfReach(db, idsNamed(ExportOrder, order))
  await refuseFeatures(db, order)
}

/**
 * Refuses filters, sorting and columns of features that the merchant lacks. A column remains if some of the merchants have
 * its feature.
 */
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
