import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo } from 'react'
import { type Group, groups, mostGroupsListed } from '#contract/merchants/group.ts'
import { rowQuery } from './api.ts'
import { useGo } from './go.ts'
import { useMerchant } from './merchant.tsx'
import { isId } from './search.ts'

interface GroupSelection {
  /** Ids of the selected groups; empty for all. */
  selectedIds: readonly string[]
  /** Their names, once they have loaded. */
  groups: readonly Group[] | undefined
}
export const GroupsContext = createContext<GroupSelection>({ selectedIds: [], groups: undefined })

const fresh = 5 * 60_000
const groupsQuery = (merchantId: string, query: { ids?: string[]; search?: string } = {}) => ({
  ...rowQuery(groups.listGroups, { params: { merchantId }, query, isWhole: true }),
  staleTime: fresh,
})
const useGroupsOf = (merchantId: string, isWanted: boolean, query: { search?: string } = {}) =>
  useQuery({ ...groupsQuery(merchantId, query), enabled: isWanted }).data as Group[] | undefined

/** A merchant's first groups, and further groups of `ids`; undefined while they load. */
export function useGroupsKnown(merchantId: string, ids: readonly string[]) {
  const first = useQuery({ ...groupsQuery(merchantId), enabled: ids.length > 0 })
  const listed = first.data as Group[] | undefined
  const isMore = (listed?.length ?? 0) >= mostGroupsListed
  const others = isMore ? ids.filter((id) => isId(id) && !listed?.some((group) => group.id === id)) : []
  const more = useQuery({
    ...groupsQuery(merchantId, { ids: others }),
    enabled: others.length > 0,
    // A newly selected group does not remove the others while its name loads.
    placeholderData: keepPreviousData,
  })
  const otherGroups = more.data as Group[] | undefined
  const loadedGroups = useMemo(
    (): readonly Group[] | undefined =>
      others.length === 0 ? listed : otherGroups && [...(listed ?? []), ...otherGroups],
    [others.length, listed, otherGroups],
  )
  const failed = [first, more].find(({ isError }) => isError)
  return { loadedGroups, isWhole: others.length === 0 || !more.isPlaceholderData, failed }
}

export const useLookedAtGroups = () => use(GroupsContext)

/** The first groups of the chosen merchant that the user may see, selected or not. */
export const useAllGroups = () => {
  const merchant = useMerchant()
  return useGroupsOf(merchant.id, !merchant.isAll && !merchant.closedBy)
}

/** Finds groups by name, if there are more than listed. */
export const useGroupsFound = (search: string, isWanted: boolean) => {
  const merchant = useMerchant()
  return useGroupsOf(merchant.id, isWanted && !merchant.isAll, { search })
}

/** Selects other groups, from the first page on; none means all. */
export function useLookAt() {
  const go = useGo()
  return (ids: readonly string[]) =>
    go({ here: { page: undefined, cursor: undefined, groups: ids.length > 0 ? [...ids] : undefined } })
}
