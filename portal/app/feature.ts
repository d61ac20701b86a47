import { useMemo } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { featureOfColumn, featureOfFilter } from '#contract/frame/of-feature.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { isEnabled, isFilterOffered, type Requirement } from './enabled.ts'
import { useMerchant, useMerchants } from './merchant.tsx'

/** Whether the chosen merchant has a feature. */
export const useFeature = (feature: Feature) => useMerchant().features.has(feature)

/** The same for the merchant of a row: under "all merchants" rows differ. */
export function useFeatureOf(feature: Feature): (merchantId: string) => boolean {
  const merchants = useMerchants()
  return useMemo(() => {
    const able = new Set(merchants.filter(({ features }) => features.includes(feature)).map(({ id }) => id))
    return (merchantId) => able.has(merchantId)
  }, [merchants, feature])
}

/** The parts available to the chosen merchant. */
export function useEnabled<T extends Requirement>(parts: readonly T[]): readonly T[] {
  const merchant = useMerchant()
  return useMemo(() => parts.filter((part) => isEnabled(part, merchant)), [parts, merchant])
}

/**
 * Columns of an endpoint's list that are available to the chosen merchant. The contract names the feature of a
 * column's field.
 */
export function useEnabledColumns<C extends Requirement & { id: string; sort?: boolean | string }>(
  row: Pick<AnyEndpoint, 'ok'>,
  columns: readonly C[],
): readonly C[] {
  const merchant = useMerchant()
  return useMemo(
    () =>
      columns
        .map((column) => ({ ...column, feature: column.feature ?? featureOfColumn(row, column.id) }))
        .filter((column) => isEnabled(column, merchant))
        // Rows are not sorted by a feature that some of their merchants lack.
        .map((column) => (merchant.isAll && column.feature ? { ...column, sort: false } : column)),
    [row, columns, merchant],
  )
}

/** The same for filters; a filter in an address or a view that the merchant lacks is ignored. */
export function useOfferedFilters<F extends Requirement & { key: string }>(
  row: Pick<AnyEndpoint, 'query'>,
  filters: readonly F[],
): readonly F[] {
  const merchant = useMerchant()
  return useMemo(
    () =>
      filters
        .map((filter) => ({ ...filter, feature: filter.feature ?? featureOfFilter(row, filter.key) }))
        .filter((filter) => isFilterOffered(filter, merchant)),
    [row, filters, merchant],
  )
}
