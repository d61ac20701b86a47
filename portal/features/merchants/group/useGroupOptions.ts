import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { type Group, groups, mostGroupsListed } from '#contract/merchants/group.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import type { Option } from '../../../ui/value/option.ts'

const fresh = 5 * 60_000

/** Groups as options; under "all merchants" each shows its merchant. */
function useOptionOf(ofMerchant: string) {
  const merchants = useMerchants()
  return useCallback(
    ({ id, name, merchantId }: Group): Option => {
      const owner = merchants.find((one) => one.id === merchantId)?.name
      return { value: id, label: ofMerchant === allMerchants ? `${name} · ${owner ?? ''}` : name }
    },
    [ofMerchant, merchants],
  )
}

/** A merchant's first groups by name; of the selected merchant by default. `isWhole`: all groups, selected or not. */
export function useGroupOptions(ofMerchant?: string, isWhole = false): Option[] {
  const merchant = useMerchant()
  const merchantId = ofMerchant ?? merchant.id
  const optionOf = useOptionOf(merchantId)
  const { data } = useQuery({ ...queryOf(groups.listGroups, { params: { merchantId }, isWhole }), staleTime: fresh })
  return useMemo(() => (data ?? []).map(optionOf), [data, optionOf])
}

/** Fetches a merchant's groups by two letters of their names, or by their ids. */
export function useFindGroups(merchantId: string, isWhole = false): NonNullable<Filter['find']> {
  const optionOf = useOptionOf(merchantId)
  return useCallback(
    async (request) => {
      const query = 'ids' in request ? { ids: [...request.ids] } : request
      return (await call(groups.listGroups, { params: { merchantId }, query, isWhole })).map(optionOf)
    },
    [merchantId, isWhole, optionOf],
  )
}

/** The same filters; if there are more groups than listed, the group filter searches the others by name. */
export function useGroupSearch(filters: Filter[]): Filter[] {
  const find = useFindGroups(useMerchant().id)
  return useMemo(() => {
    const isMore = ({ key, options }: Filter) => key === 'groupIds' && (options?.length ?? 0) >= mostGroupsListed
    return filters.map((filter) => (isMore(filter) ? { ...filter, find } : filter))
  }, [filters, find])
}
