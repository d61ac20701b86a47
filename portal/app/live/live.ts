import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { LiveHint, LiveTopic } from '#contract/frame/live.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { followHints, type LiveState } from './liveStream.ts'

/** The parts of a query that hints use. */
type LiveQuery = Pick<Query, 'queryKey'> & Partial<Pick<Query, 'meta' | 'state'>>
const topicsOf = ({ meta }: LiveQuery): readonly LiveTopic[] => meta?.topics ?? []

/** Whether a hint says that an answer may have changed. */
export function touches(hint: LiveHint, query: LiveQuery): boolean {
  const { merchantId, posId } = (query.queryKey[1] ?? {}) as Partial<Record<string, string>>
  if (merchantId && merchantId !== allMerchants && merchantId !== hint.merchantId) return false
  if (posId && hint.posIds.length > 0 && !hint.posIds.includes(posId)) return false
  if (!topicsOf(query).some((topic) => hint.topics.includes(topic))) return false
  return query.meta?.isTouched?.(hint, query.state?.data) ?? true
}

/** Live hints or the clock refresh the page's main data; options, settings and the like are fetched once. */
const isKeptCurrent = (query: Query) =>
  topicsOf(query).length > 0 || query.observers.some(({ options }) => typeof options.refetchInterval === 'number')

/** Whether the page's main data was just fetched from the server; the page's own cache writes do not count. */
export const isRefresh = (event: QueryCacheNotifyEvent) =>
  event.type === 'updated' &&
  event.action.type === 'success' &&
  !event.action.manual &&
  isKeptCurrent(event.query as Query)

/** Minimum time between two refreshes of a query, at any rate of sales. */
export const throttleMs = 3_000

let state: LiveState = 'off'
let refreshedAt = new Date()
let pauses = 0
let flush = () => {}
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A fetch that has begun continues. */
const gently = { cancelRefetch: false } as const

/** Refreshes queries touched by hints: at once the first time, then gathered. `onMissed`: hints may have been missed. */
export function createRefresher(client: QueryClient) {
  let waiting: LiveHint[] = []
  // Events during a lost stream are not sent again.
  let hasMissed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  /** Answers that a hint has changed, and that were fetched too recently to be fetched again. */
  const late = new Map<string, ReturnType<typeof setTimeout>>()
  const waitOf = ({ meta, state }: Query) => state.dataUpdatedAt + (meta?.liveEveryMs ?? 0) - Date.now()
  const postpone = (query: Query) => {
    if (late.has(query.queryHash)) return
    const again = () => {
      late.delete(query.queryHash)
      if (pauses === 0)
        void client.invalidateQueries({ predicate: ({ queryHash }) => queryHash === query.queryHash }, gently)
    }
    late.set(query.queryHash, setTimeout(again, waitOf(query)))
  }
  const refresh = () => {
    if (pauses > 0 || !(hasMissed || waiting.length > 0) || timer) return
    const wait = last + throttleMs - Date.now()
    if (wait > 0) {
      timer = setTimeout(() => {
        timer = undefined
        refresh()
      }, wait)
      return
    }
    last = Date.now()
    const hints = waiting
    const isAll = hasMissed
    waiting = []
    hasMissed = false
    const isTouched = (query: Query) =>
      isAll ? topicsOf(query).length > 0 : hints.some((hint) => touches(hint, query))
    const isEarly = (query: Query) => query.isActive() && waitOf(query) > 0
    for (const query of client.getQueryCache().findAll({ predicate: (query) => isTouched(query) && isEarly(query) }))
      postpone(query)
    // A hidden page refreshes when it becomes visible.
    void client.invalidateQueries(
      {
        predicate: (query) => isTouched(query) && !isEarly(query),
        refetchType: document.hidden ? 'none' : 'active',
      },
      gently,
    )
  }
  return {
    refresh,
    onHint: (hint: LiveHint) => {
      waiting.push(hint)
      refresh()
    },
    onMissed: () => {
      hasMissed = true
      refresh()
    },
    stop: () => {
      clearTimeout(timer)
      for (const waiting of late.values()) clearTimeout(waiting)
    },
  }
}

/** Keeps this page's screens current until the returned function is called. `onRightsChanged`: the user's rights have changed. */
export function startLive(client: QueryClient, userId: string, onRightsChanged: () => Promise<unknown>): () => void {
  const refresher = createRefresher(client)
  flush = refresher.refresh
  const stopFollowing = followHints(userId, {
    onHint: refresher.onHint,
    onState: (next) => {
      if (next === 'live' && state !== 'live') refresher.onMissed()
      state = next
      tell()
    },
    onRightsChanged: () => void onRightsChanged().then(() => client.invalidateQueries()),
  })
  const stopWatching = client.getQueryCache().subscribe((event) => {
    if (isRefresh(event)) {
      refreshedAt = new Date()
      tell()
    }
  })
  return () => {
    stopFollowing()
    stopWatching()
    refresher.stop()
    flush = () => {}
    state = 'off'
    tell()
  }
}

/** Pauses live updates during an edit; missed updates are applied afterwards. */
export function useLivePause(isPaused: boolean) {
  useEffect(() => {
    if (!isPaused) return
    pauses += 1
    return () => {
      pauses -= 1
      flush()
    }
  }, [isPaused])
}

const minute = () => Math.floor(refreshedAt.getTime() / 60_000)
export const useLiveState = () => useSyncExternalStore(subscribe, () => state)
/** When the page's main data was last fetched, to the minute. */
export const useRefreshedAt = () => new Date(useSyncExternalStore(subscribe, minute) * 60_000)
