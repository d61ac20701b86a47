import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { distributorKpis } from '#contract/insight/distributor-kpis.ts'
import { kpiIntervalDefault, kpiIntervalLimits } from '#contract/rules/number.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { useListState } from '#portal/ui/list/state/useListState.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'

export const intervals = [7, 30, 90, 365]

/** Filters that all figures of the screen have. */
export function useFleetFilters(): Filter[] {
  const { t } = useTranslation(['distributor-kpis', 'transaction'])
  const groups = useGroupOptions()
  return useGroupSearch(
    useMemo(
      (): Filter[] => [
        ...anyKnown('groupIds', t('transaction:filter.group'), groups),
        anyOf('deviceTypes', t('column.deviceType'), deviceTypes, (type) => deviceTypeNames[type]),
      ],
      [t, groups],
    ),
  )
}

/** The interval and the filters that the address names. */
export function useFleetQuery() {
  const search = useAddressQuery()
  const { timeZone } = useMerchant()
  const filters = useFleetFilters()
  const rules = useMemo(() => ({ ords: [], filters }), [filters])
  const { state, query, change } = useListState(rules, timeZone)
  const { value, period } = usePeriodSearch(kpiIntervalLimits)
  const days = intervals.find((each) => String(each) === oneOf(search, 'days')) ?? kpiIntervalDefault
  const fleetQuery = useMemo(() => {
    const { groupIds, deviceTypes: types } = query as { groupIds?: string[]; deviceTypes?: string[] }
    return { ...(groupIds && { groupIds }), ...(types && { deviceTypes: types }), ...(period ?? { days }) }
  }, [query, period, days])
  return { filters, state, change, fleetQuery, days: value.length > 0 ? undefined : days, periodValue: value }
}

/** Rejections of the interval that the address names. The other figures cover the same days. */
export function useCash() {
  const merchant = useMerchant()
  const { fleetQuery } = useFleetQuery()
  return useQuery({
    ...queryOf(distributorKpis.getCashAcceptance, { params: { merchantId: merchant.id }, query: fleetQuery }),
    placeholderData: keepPreviousData,
  })
}
