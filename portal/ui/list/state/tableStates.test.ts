import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readTableState, type TableState, tableStates } from '#contract/platform/table-state.ts'
import { keyOf } from '#portal/app/api.ts'
import { queryClient } from '#portal/app/queryClient.ts'
import { cleanUp, onLogout } from '#portal/app/session/onLogout.ts'
import { keepTableState } from './tableStates.ts'

const key = keyOf(tableStates.listTableStates)
const old: TableState = { ...readTableState(undefined), tableId: 'alarms', savedAt: '2026-01-01T00:00:00.000' }
const states = () => queryClient.getQueryData<TableState[]>(key)
const json = (body: unknown) => new Response(JSON.stringify(body))
const fetched = vi.fn<typeof fetch>()
const sent = () =>
  fetched.mock.calls.map(([url, init]) => [String(url).split('/').at(-1), JSON.parse(String(init?.body)).currentPage])

onLogout('answers', () => queryClient.clear())
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetched)
  fetched.mockImplementation(async () => json({}))
})
afterEach(() => {
  cleanUp('signedOut')
  fetched.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
const page = (tableId: string, currentPage: number) => keepTableState(tableId, (now) => ({ ...now, currentPage }))

test('changes in quick succession are shown at once and sent as one', async () => {
  queryClient.setQueryData(key, [old])
  page('machines', 2)
  page('machines', 3)
  expect(states()).toMatchObject([{ tableId: 'machines', currentPage: 3 }, { tableId: 'alarms' }])
  expect(sent()).toEqual([])
  await vi.advanceTimersByTimeAsync(600)
  expect(sent()).toEqual([['machines', 3]])
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'PUT', keepalive: true })
})

test('a change during a save is sent after it', async () => {
  queryClient.setQueryData(key, [])
  let arrive = () => {}
  fetched.mockImplementationOnce(() => new Promise((done) => (arrive = () => done(json({})))))
  page('machines', 2)
  await vi.advanceTimersByTimeAsync(600)
  page('machines', 3)
  await vi.advanceTimersByTimeAsync(600)
  expect(sent()).toEqual([['machines', 2]])
  arrive()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent()).toEqual([
    ['machines', 2],
    ['machines', 3],
  ])
})

test('a failed save is sent with the next change, and an answer meanwhile does not undo it', async () => {
  queryClient.setQueryData(key, [])
  fetched.mockRejectedValueOnce(new TypeError('offline'))
  page('machines', 2)
  await vi.advanceTimersByTimeAsync(600)
  page('alarms', 5)
  await vi.advanceTimersByTimeAsync(600)
  expect(sent().slice(1).sort()).toEqual([
    ['alarms', 5],
    ['machines', 2],
  ])
})

test('nothing overwrites states that have not been read', async () => {
  fetched.mockImplementation(async (_, init) => json(init?.method === 'GET' ? [{ ...old, itemsPerPage: 50 }] : {}))
  page('alarms', 2)
  expect(states()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(600)
  expect(states()).toMatchObject([{ tableId: 'alarms', currentPage: 2, itemsPerPage: 50 }])
  const [, put] = fetched.mock.calls
  expect(JSON.parse(String(put?.[1]?.body))).toMatchObject({ currentPage: 2, itemsPerPage: 50 })
})

test("sign-out removes the browser's copy, and nothing more is sent", async () => {
  queryClient.setQueryData(key, [old])
  page('machines', 2)
  cleanUp('signedOut')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(states()).toBeUndefined()
  expect(sent()).toEqual([])
})
