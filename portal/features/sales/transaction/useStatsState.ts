import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { periodPresets } from '#contract/frame/period.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { Period, PeriodPreset } from '#domain/time/period.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import type { ListRules } from '#portal/ui/list/state/listState.ts'
import { useListState } from '#portal/ui/list/state/useListState.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { useMachineOptions } from '../../../ui/list/filters/useMachineOptions.ts'
import { statsFilters } from './transactionFilters.ts'
import { useCodeNames } from './useCodeNames.ts'
import { useProductFilter } from './useProductFilter.ts'

/** Turnover, unless the reader chooses another measure. */
export const sales = saleTypes.map(String)

/** The preset that a filter's value names. */
export const presetOf = (value: string | undefined): PeriodPreset | undefined =>
  periodPresets.find((preset) => preset === value)

/** The query of an endpoint of sums. */
export type StatsQuery = Period & Record<string, string[] | string | undefined>

/** Filters of the statistics, kept in the address; both of its views share them. */
export function useStatsState() {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  const { timeZone } = useMerchant()
  const names = useCodeNames()
  const groups = useGroupOptions()
  const machines = useMachineOptions()
  const client = useClientFilter('clientIds')
  const products = useProductFilter()
  const filters = useGroupSearch(
    useMemo(
      () =>
        statsFilters(t, { names, groups, machines, client, period: 'last7Days' })
          .map((filter): Filter => (filter.key === 'types' ? { ...filter, initially: sales } : filter))
          .concat(products),
      [t, names, groups, machines, client, products],
    ),
  )
  const rules = useMemo((): ListRules => ({ ords: [], filters }), [filters])
  const { state, query, change } = useListState(rules, timeZone)
  const statsQuery = useMemo(() => {
    const { page: _page, size: _size, ...statsFields } = query
    return statsFields as StatsQuery
  }, [query])
  return { filters, state, query: statsQuery, change }
}

/** The same choice for the list of transactions, where no type means all types. */
export const searchOf = (query: StatsQuery): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | string[]
  >
