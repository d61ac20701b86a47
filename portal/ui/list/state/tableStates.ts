import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { toWire } from '#contract/frame/instant.ts'
import { readTableState, type TableSettings, type TableState, tableStates } from '#contract/platform/table-state.ts'
import { call, callRow, keyOf } from '#portal/app/api.ts'
import { queryClient } from '#portal/app/queryClient.ts'
import { onLogout } from '#portal/app/session/onLogout.ts'

/** Changes in quick succession, such as dragging a heading, are one. */
const restMs = 600

/** Unsaved changes, by table. */
const waiting = new Map<string, TableState>()
const sending = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

const overlay = (states: readonly TableState[]) => [
  ...waiting.values(),
  ...states.filter(({ tableId }) => !waiting.has(tableId)),
]

const statesQuery = {
  queryKey: keyOf(tableStates.listTableStates),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    overlay(await call(tableStates.listTableStates, undefined, signal)),
  // Fetched once: from then on this page has the latest state, and refreshes after commands skip it.
  staleTime: 'static' as const,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
}

/** All table states of the user, fetched with the first list; undefined while they load. */
export function useTableStates() {
  const { data, isError } = useQuery(statesQuery, queryClient)
  // A change here shows within the same event; the cache notifies a moment later.
  const changed = useSyncExternalStore(subscribe, knownStates)
  const states = changed ?? data
  return { states, isReady: states !== undefined || isError }
}

const knownStates = () => queryClient.getQueryData<TableState[]>(statesQuery.queryKey)
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes a table's state: at once in this page, a moment later on the server. */
export function keepTableState(tableId: string, change: (saved: TableSettings) => TableSettings): void {
  const states = knownStates()
  if (!states) {
    // States that were not read yet must not be overwritten.
    void queryClient.fetchQuery(statesQuery).then(
      () => keepTableState(tableId, change),
      () => undefined,
    )
    return
  }
  const saved = readTableState(states.find((one) => one.tableId === tableId))
  const state = { ...readTableState(change(saved)), tableId, savedAt: toWire(new Date()) }
  waiting.set(tableId, state)
  queryClient.setQueryData(statesQuery.queryKey, overlay(states))
  for (const listener of listeners) listener()
  clearTimeout(timer)
  timer = setTimeout(flush, restMs)
}

function flush() {
  clearTimeout(timer)
  for (const tableId of waiting.keys()) void send(tableId)
}

/** One request at a time for each table, so that the last one wins. A failed save is repeated with the next change. */
async function send(tableId: string): Promise<void> {
  const state = waiting.get(tableId)
  if (!state || sending.has(tableId)) return
  sending.add(tableId)
  const input = { params: { tableId }, body: readTableState(state), keepalive: true }
  const isSaved = await callRow(tableStates.saveTableState, input).then(
    () => true,
    () => false,
  )
  sending.delete(tableId)
  if (!isSaved) return
  if (waiting.get(tableId) === state) waiting.delete(tableId)
  else void send(tableId)
}

/** Unsaved changes are sent when the page is left. */
function leave() {
  sending.clear()
  flush()
}
globalThis.addEventListener?.('pagehide', leave)

/** The browser's copy only; the server keeps its state. */
onLogout('tables', () => {
  clearTimeout(timer)
  waiting.clear()
})
