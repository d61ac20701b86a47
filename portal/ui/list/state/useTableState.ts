import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { fromWire } from '#contract/frame/instant.ts'
import type { TableHeader } from '#contract/platform/table-state.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import type { ChosenMerchant } from '#portal/app/merchant.tsx'
import type { Search } from '#portal/app/search.ts'
import { isBare, type ListRules, type ListState, readListState, writeListState } from './listState.ts'
import { pageLastsMs, settingsAfter, stateOfSettings } from './tableState.ts'
import { keepTableState, useTableStates } from './tableStates.ts'
import { useQueryOfState } from './useQueryOfState.ts'
import { useSearchHere } from './useSearchHere.ts'

/** The changed part of a list's state, or a function of the current state. */
type Change = Partial<ListState> | ((now: ListState) => Partial<ListState>)

/**
 * The user's last state of a list. An address with a state takes precedence. A bare address opens the last state and
 * is then completed, so that a copied link shows the same to everyone. Opening the list starts at its first page;
 * returning from one of its rows restores the page.
 */
export function useTableState(id: string, rules: ListRules, { id: merchantId, timeZone }: ChosenMerchant) {
  const search = useAddressQuery()
  const { now: searchNow, say } = useSearchHere()
  const { states, isReady } = useTableStates()
  const saved = states?.find(({ tableId }) => tableId === id)
  const isArriving = isBare(search, rules)
  const isBack = useLocation({ select: ({ state }) => state.isReturn === true })
  const state = useMemo(() => {
    if (!isArriving || !saved) return readListState(search, rules)
    const isReturn = isBack && Date.now() - fromWire(saved.savedAt).getTime() < pageLastsMs
    return stateOfSettings(saved, rules, { merchantId, isReturn })
  }, [isArriving, isBack, saved, search, rules, merchantId])
  const query = useQueryOfState(state, rules, timeZone)

  useEffect(() => {
    if (!isArriving || !isReady) return
    // From now on, this is the page for a returning user.
    if (saved && saved.currentPage !== state.page) keepTableState(id, (now) => ({ ...now, currentPage: state.page }))
    const write = (now: Search) => (isBare(now, rules) ? writeListState(state, rules, now) : now)
    say(write, { replace: true, resetScroll: false })
  }, [isArriving, isReady, id, saved, state, rules, say])

  /**
   * Every change except a change of page returns to the first page. A correction replaces the address, and is not
   * saved.
   */
  const change = useCallback(
    (part: Change, { isCorrection = false } = {}) => {
      // Of two changes in a row, the second arrives before the first is rendered.
      const now = searchNow()
      if (!now) return
      const before = isBare(now, rules) ? state : readListState(now, rules)
      const changed = typeof part === 'function' ? part(before) : part
      const after = { ...before, page: 1, cursor: undefined, ...changed }
      if (!isCorrection) keepTableState(id, (saved) => settingsAfter(saved, { before, after, rules, merchantId }))
      say((others) => writeListState(after, rules, others), {
        replace: isCorrection,
        resetScroll: changed.page !== undefined,
      })
    },
    [id, state, rules, merchantId, searchNow, say],
  )
  // Keeps its identity while equal: unchanged columns render no row again.
  const headersText = JSON.stringify(saved?.headers ?? [])
  const headers = useMemo(() => JSON.parse(headersText) as TableHeader[], [headersText])
  const setHeaders = useCallback(
    (next: TableHeader[]) => keepTableState(id, (now) => ({ ...now, headers: next })),
    [id],
  )
  return {
    state,
    query,
    change,
    headers,
    setHeaders,
    /** The saved state is known: the layout is final. */
    isReady,
    /** The query is not known yet. */
    isHeld: isArriving && !isReady,
  }
}
