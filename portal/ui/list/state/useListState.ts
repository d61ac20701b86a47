import { useCallback, useMemo } from 'react'
import { useAddressQuery } from '#portal/app/go.ts'
import { type ListRules, type ListState, readListState, writeListState } from './listState.ts'
import { useQueryOfState } from './useQueryOfState.ts'
import { useSearchHere } from './useSearchHere.ts'

/** The list's state, kept in the address. Every change except a change of page returns to the first page. */
export function useListState(rules: ListRules, timeZone: string) {
  const search = useAddressQuery()
  const { say } = useSearchHere()
  const state = useMemo(() => readListState(search, rules), [search, rules])
  const query = useQueryOfState(state, rules, timeZone)
  const change = useCallback(
    (part: Partial<ListState>, { replace = false } = {}) => {
      const next = { ...state, page: 1, cursor: undefined, ...part }
      say((others) => writeListState(next, rules, others), { replace, resetScroll: part.page !== undefined })
    },
    [state, rules, say],
  )
  return { state, query, change }
}
