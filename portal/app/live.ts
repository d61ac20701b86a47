import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { LiveHint, LiveTopic } from '#contract/live.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { RowKey } from './api.ts'
import { followHints, type LiveState } from './liveStream.ts'

/** What an answer depends on, by its path. A path that is not here is refreshed by the clock alone. */
const dependsOn: readonly (readonly [ending: RegExp, topics: readonly LiveTopic[]])[] = [
  [/^\/users\/me\/merchants$/, ['merchant']],
  [/\/super-admin-settings$/, ['merchant']],
  [/^\/merchants(\/\{merchantId\})?$/, ['merchant']],
  [/\/(settings|api-tokens|alarm-settings(\/\{code\})?)$/, ['merchant']],
  [/\/timeline$/, ['machine', 'alarm', 'command', 'audit', 'note']],
  [/^\/admin\/stats\/merchants$/, ['merchant']],
  [/^\/admin\/stats\/machines$/, ['machine', 'alarm']],
  [/^\/admin\/stats\/sales$/, ['transaction']],
  [/^\/admin\/stats\/alarms$/, ['alarm']],
  [/\/(merchants-)?dashboard$/, ['machine', 'alarm', 'transaction', 'command', 'group']],
  [/\/alarms(\/|$)/, ['alarm']],
  [/\/transactions(\/|$)/, ['transaction']],
  // Sales that come late change what an open audit is compared with.
  [/\/audits\/\{auditId\}\/reconciliation$/, ['audit', 'transaction']],
  [/\/audits(\/|$)/, ['audit']],
  [/\/configs(\/|$)/, ['configuration']],
  [/\/(stock|prices)$/, ['stock']],
  [/\/custom-configs(\/|$)/, ['configuration', 'command']],
  [/\/remote-commands(\/|$)/, ['command']],
  [/\/notes(\/|$)/, ['note']],
  [/\/(groups|clients)\/\{\w+\}\/pos$/, ['group', 'client', 'machine']],
  [/\/groups(\/|$)/, ['group']],
  [/\/clients(\/|$)/, ['client']],
  // A machine that leaves somebody's groups is not named to them any more: that groups have changed is all they hear of it.
  [/\/pos\/(map|counts)$/, ['machine', 'alarm', 'group']],
  [/\/pos\/(paged|\{posId\})$/, ['machine', 'alarm', 'transaction', 'audit', 'group', 'client']],
]
export const topicsOf = (path: string): readonly LiveTopic[] =>
  dependsOn.find(([ending]) => ending.test(path))?.[1] ?? []

/** Whether a hint says that an answer may have changed. */
export function touches(hint: LiveHint, [path, params = {}]: Partial<RowKey> & { 0: string }): boolean {
  const { merchantId, posId } = params
  if (merchantId && merchantId !== allMerchants && merchantId !== hint.merchantId) return false
  if (posId && hint.posIds.length > 0 && !hint.posIds.includes(posId)) return false
  return topicsOf(path).some((topic) => hint.topics.includes(topic))
}

/** What a page is about is kept current, by hints or by the clock; choices, settings and the like are asked for once. */
const isKeptCurrent = ({ queryKey, observers }: Query) =>
  topicsOf(String(queryKey[0])).length > 0 ||
  observers.some(({ options }) => typeof options.refetchInterval === 'number')

/** Whether something the page is about has just come from the server; what the page writes down itself has not. */
export const isRefresh = (event: QueryCacheNotifyEvent) =>
  event.type === 'updated' &&
  event.action.type === 'success' &&
  !event.action.manual &&
  isKeptCurrent(event.query as Query)

/** At most one refresh in this time, however much is sold. */
const throttleMs = 2_000

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

/** Keeps the screens of this page current until the returned function is called. `onPerson`: the person's rights have changed. */
export function startLive(client: QueryClient, userId: string, onPerson: () => Promise<unknown>): () => void {
  let waiting: LiveHint[] = []
  // What happened while the stream was away is not told again.
  let hasMissed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  flush = () => {
    if (pauses > 0 || !(hasMissed || waiting.length > 0) || timer) return
    const wait = last + throttleMs - Date.now()
    if (wait > 0) {
      timer = setTimeout(() => {
        timer = undefined
        flush()
      }, wait)
      return
    }
    last = Date.now()
    const [hints, isAll] = [waiting, hasMissed]
    waiting = []
    hasMissed = false
    const isTouched = ({ queryKey }: Query) =>
      isAll
        ? topicsOf(String(queryKey[0])).length > 0
        : hints.some((hint) => touches(hint, queryKey as unknown as RowKey))
    // A page nobody looks at asks again when somebody does.
    void client.invalidateQueries(
      { predicate: isTouched, refetchType: document.hidden ? 'none' : 'active' },
      { cancelRefetch: false },
    )
  }
  const stopFollowing = followHints(userId, {
    onHint: (hint) => {
      waiting.push(hint)
      flush()
    },
    onState: (next) => {
      if (next === 'live' && state !== 'live') {
        hasMissed = true
        flush()
      }
      state = next
      tell()
    },
    onPerson: () => void onPerson().then(() => client.invalidateQueries()),
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
    clearTimeout(timer)
    flush = () => {}
    state = 'off'
    tell()
  }
}

/** Holds live updates back while something is edited; what was hinted meanwhile is caught up afterwards. */
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
/** When anything that the page keeps current was last fetched, to the minute. */
export const useRefreshedAt = () => new Date(useSyncExternalStore(subscribe, minute) * 60_000)
