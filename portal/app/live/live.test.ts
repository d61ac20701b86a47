import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { machines } from '#contract/machines/machine.ts'
import { groups } from '#contract/merchants/group.ts'
import { users } from '#contract/people/user.ts'
import { userEdits } from '#contract/people/user-edit.ts'
import { tableStates } from '#contract/platform/table-state.ts'
import { dashboards } from '#contract/sales/dashboard.ts'
import { transactions } from '#contract/sales/transaction.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rowQuery } from '../api.ts'
import { createRefresher, isRefresh, throttleMs, touches } from './live.ts'
import { eventsIn } from './liveStream.ts'

const hint = { merchantId: 'm1', topics: ['transaction' as const], posIds: ['p1'] }

test('a sale refreshes the transactions of its merchant and of all merchants, and of no other', () => {
  const list = (merchantId: string) =>
    rowQuery(transactions.listTransactions, { params: { merchantId }, query: { page: 1 } })
  expect([list('m1'), list(allMerchants), list('m2')].map((key) => touches(hint, key))).toEqual([true, true, false])
})

test('a change of features refreshes the list of merchants', () => {
  const query = rowQuery(users.listMyMerchants, {})
  expect(touches({ merchantId: 'm1', topics: ['merchant'], posIds: [] }, query)).toBe(true)
  expect(touches(hint, query)).toBe(false)
})

test('a sale refreshes the page of its machine and of no other; a hint without a machine refreshes all', () => {
  const page = (posId: string) => rowQuery(machines.getMachine, { params: { merchantId: 'm1', posId } })
  expect([page('p1'), page('p2')].map((key) => touches(hint, key))).toEqual([true, false])
  expect(touches({ ...hint, posIds: [] }, page('p2'))).toBe(true)
})

test('a hint without a machine refreshes lists of machines and pages of a machine', () => {
  const moved = { merchantId: 'm1', topics: ['group' as const], posIds: [] }
  const queries = [
    rowQuery(machines.listMachines, { params: { merchantId: 'm1' } }),
    rowQuery(machines.countMachines, { params: { merchantId: 'm1' } }),
    rowQuery(machines.getMachine, { params: { merchantId: 'm1', posId: 'p1' } }),
    rowQuery(groups.pageGroups, { params: { merchantId: 'm1' } }),
    rowQuery(transactions.listTransactions, { params: { merchantId: 'm1' } }),
  ]
  expect(queries.map((key) => touches(moved, key))).toEqual([true, true, true, true, false])
})

test('queries without a hint are not refreshed', () => {
  expect(touches(hint, rowQuery(users.getMe, {}))).toBe(false)
})

test("the page's freshness is that of its main data, refreshed by hint or clock and fetched from the server", async () => {
  const client = new QueryClient()
  let refreshes = 0
  const since = () => {
    const count = refreshes
    refreshes = 0
    return count
  }
  client.getQueryCache().subscribe((event) => {
    if (isRefresh(event)) refreshes += 1
  })
  const ask = ({ queryKey, meta = {} }: ReturnType<typeof rowQuery>) =>
    client.fetchQuery({ queryKey, meta, queryFn: async () => 'answer' })

  const machine = rowQuery(machines.getMachine, { params: { merchantId: 'm1', posId: 'p1' } })
  await ask(machine)
  expect(since()).toBe(1)
  client.setQueryData(machine.queryKey, 'written here')
  await ask(rowQuery(tableStates.listTableStates, {}))
  expect(since()).toBe(0)

  const people = rowQuery(userEdits.listUsersOfAll, { query: { page: 1 } })
  await ask(people)
  expect(since()).toBe(0)
  const watcher = new QueryObserver(client, {
    queryKey: people.queryKey,
    queryFn: async () => 'answer',
    refetchInterval: 300_000,
  })
  const stop = watcher.subscribe(() => {})
  await watcher.refetch()
  stop()
  expect(since()).toBe(1)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an open dashboard is refreshed at most once in three seconds, and again after the last sale', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('document', { hidden: false })
  const client = new QueryClient()
  let requests = 0
  const { queryKey, meta = {} } = rowQuery(dashboards.getDashboard, { params: { merchantId: 'm1' } })
  const stop = new QueryObserver(client, { queryKey, meta, queryFn: async () => ++requests }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(requests).toBe(1)
  const refresher = createRefresher(client)
  for (let sale = 0; sale < 620; sale++) {
    refresher.onHint(hint)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(throttleMs).toBe(3_000)
  // Thirty-one seconds of sales.
  expect(requests).toBeGreaterThanOrEqual(10)
  expect(requests).toBeLessThanOrEqual(12)
  const before = requests
  await vi.advanceTimersByTimeAsync(throttleMs)
  expect(requests).toBe(before + 1)
  await vi.advanceTimersByTimeAsync(10 * throttleMs)
  expect(requests).toBe(before + 1)
  refresher.stop()
  stop()
})

test('events are split at blank lines, comments are heartbeats, and an incomplete event waits for its rest', () => {
  expect(eventsIn(': beat\n\ndata: {"a":1}\n\nevent: hint\r\ndata: x\r\n\r\ndata: {"b"')).toEqual({
    events: ['{"a":1}', 'x'],
    rest: 'data: {"b"',
  })
})

test('a map is refreshed every ten seconds at most, and only by a change that it may show', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('document', { hidden: false })
  const client = new QueryClient()
  const asked: number[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['map', { merchantId: 'm1' }],
    queryFn: () => {
      asked.push(Date.now() - 1_000_000)
      return ['p1']
    },
    meta: {
      topics: ['alarm' as const],
      liveEveryMs: 10_000,
      isTouched: ({ posIds }: { posIds: string[] }, data: unknown) =>
        posIds.some((id) => (data as string[]).includes(id)),
    },
  })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  const refresher = createRefresher(client)
  const alarm = (id: string) => refresher.onHint({ merchantId: 'm1', topics: ['alarm'], posIds: [id] })
  alarm('p2')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toEqual([0])
  for (let at = 0; at < 24; at += 1) {
    alarm('p1')
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(asked.length).toBeGreaterThanOrEqual(3)
  for (const [at, time] of asked.slice(1).entries()) expect(time - (asked[at] ?? 0)).toBeGreaterThanOrEqual(10_000)
  refresher.stop()
  stop()
})
