import { type ReactNode, useEffect, useMemo } from 'react'
import { useAddressQuery, useGo } from '../app/go.ts'
import { lookAtGroups } from '../app/groupLens.ts'
import { GroupsContext, useGroupsKnown } from '../app/groups.tsx'
import { useMerchant } from '../app/merchant.tsx'
import { manyOf } from '../app/search.ts'
import { ErrorState } from '../ui/part/ErrorState.tsx'

/**
 * The merchant's groups that the user has selected, from the address. A group that does not exist for them is removed, and under
 * "all merchants" there are none.
 */
export function GroupsProvider({ children, waiting }: { children: ReactNode; waiting: ReactNode }) {
  const merchant = useMerchant()
  const go = useGo()
  const asked = manyOf(useAddressQuery(), 'groups')
  const isAsked = asked.length > 0 && !merchant.isAll && !merchant.closedBy
  const { known, isWhole, failed } = useGroupsKnown(merchant.id, isAsked ? asked : [])
  const wanted = asked.join()
  const chosen = useMemo(() => {
    const ids = new Set(wanted.split(','))
    return isAsked ? (known ?? []).filter(({ id }) => ids.has(id)).map(({ id }) => id) : []
  }, [wanted, isAsked, known])
  const isReady = !isAsked || known !== undefined

  const isForeign = isReady && isWhole && asked.length !== chosen.length
  useEffect(() => {
    if (!isForeign) return
    const to = chosen.length > 0 ? [...chosen] : undefined
    void go({ here: { groups: to } }, { replace: true })
  }, [isForeign, chosen, go])

  const value = useMemo(() => ({ chosen, groups: known }), [chosen, known])
  // Showing all groups in place of the requested ones would be misleading.
  if (!isReady) return failed ? <ErrorState error={failed.error} retry={() => void failed.refetch()} /> : waiting
  // Before any child fetches its data.
  lookAtGroups(chosen)
  return <GroupsContext value={value}>{children}</GroupsContext>
}
