import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { type Group, groups } from '#contract/group.ts'
import { rowQuery } from './api.ts'
import { lookAtGroups } from './groupLens.ts'
import { useMerchant } from './merchant.tsx'
import { manyOf, type Search } from './search.ts'

interface LookedAt {
  /** Ids of the groups that are looked at; none means all. */
  chosen: readonly string[]
  /** Their names, and all others of the merchant by name, once they are known. */
  groups: readonly Group[] | undefined
}
const GroupsContext = createContext<LookedAt>({ chosen: [], groups: undefined })

const fresh = 5 * 60_000
const useGroupsOf = (merchantId: string, isWanted: boolean) =>
  useQuery({
    ...rowQuery(groups.listGroups, { params: { merchantId }, isWhole: true }),
    staleTime: fresh,
    enabled: isWanted,
  }).data as Group[] | undefined

/**
 * Which groups of the merchant the person looks at, from the address. A group that is not there for them is taken out of it, and under
 * "all distributors" there are none.
 */
export function GroupsProvider({ children, waiting }: { children: ReactNode; waiting: ReactNode }) {
  const merchant = useMerchant()
  const navigate = useNavigate()
  const asked = manyOf(useSearch({ strict: false }) as Search, 'groups')
  const isAsked = asked.length > 0 && !merchant.isAll
  const known = useGroupsOf(merchant.id, isAsked)
  const wanted = asked.join()
  const chosen = useMemo(() => {
    const ids = new Set(wanted.split(','))
    return isAsked ? (known ?? []).filter(({ id }) => ids.has(id)).map(({ id }) => id) : []
  }, [wanted, isAsked, known])
  const isReady = !isAsked || known !== undefined

  const isForeign = isReady && asked.length !== chosen.length
  useEffect(() => {
    if (!isForeign) return
    const to = chosen.length > 0 ? [...chosen] : undefined
    void navigate({ to: '.', search: (before: Search) => ({ ...before, groups: to }), replace: true } as never)
  }, [isForeign, chosen, navigate])

  const value = useMemo(() => ({ chosen, groups: known }), [chosen, known])
  if (!isReady) return waiting
  // Before anything below asks for its data.
  lookAtGroups(chosen)
  return <GroupsContext value={value}>{children}</GroupsContext>
}

export const useLookedAtGroups = () => use(GroupsContext)

/** All groups of the chosen merchant that the person may see, whichever are looked at. */
export const useAllGroups = () => {
  const merchant = useMerchant()
  return useGroupsOf(merchant.id, !merchant.isAll)
}

/** Looks at other groups, from the first page on; none means all. */
export function useLookAt() {
  const navigate = useNavigate()
  return (ids: readonly string[]) =>
    navigate({
      to: '.',
      search: ({ page: _page, cursor: _cursor, ...before }: Search) => ({
        ...before,
        groups: ids.length > 0 ? [...ids] : undefined,
      }),
    } as never)
}
