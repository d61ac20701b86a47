import { type ReactNode, useEffect, useMemo } from 'react'
import { useAddressQuery, useGo } from '../app/go.ts'
import { lookAtGroups } from '../app/groupSelection.ts'
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
  const addressIds = manyOf(useAddressQuery(), 'groups')
  const isAsked = addressIds.length > 0 && !merchant.isAll && !merchant.closedBy
  const { loadedGroups, isWhole, failed } = useGroupsKnown(merchant.id, isAsked ? addressIds : [])
  const idsText = addressIds.join()
  const selectedIds = useMemo(() => {
    const ids = new Set(idsText.split(','))
    return isAsked ? (loadedGroups ?? []).filter(({ id }) => ids.has(id)).map(({ id }) => id) : []
  }, [idsText, isAsked, loadedGroups])
  const isReady = !isAsked || loadedGroups !== undefined

  const isForeign = isReady && isWhole && addressIds.length !== selectedIds.length
  useEffect(() => {
    if (!isForeign) return
    const to = selectedIds.length > 0 ? [...selectedIds] : undefined
    void go({ here: { groups: to } }, { replace: true })
  }, [isForeign, selectedIds, go])

  const value = useMemo(() => ({ selectedIds, groups: loadedGroups }), [selectedIds, loadedGroups])
  // Showing all groups in place of the requested ones would be misleading.
  if (!isReady) return failed ? <ErrorState error={failed.error} retry={() => void failed.refetch()} /> : waiting
  // Before any child fetches its data.
  lookAtGroups(selectedIds)
  return <GroupsContext value={value}>{children}</GroupsContext>
}
