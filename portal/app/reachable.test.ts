import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './apiError.ts'
import { isRemembered, reachable } from './reachable.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const noNetwork = (answer: () => Promise<Response>) => {
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('fetch', answer)
}
const failureOf = (load: () => Promise<unknown>) => reachable(load)().catch((thrown: unknown) => thrown)

test.each([
  ['code', new TypeError('Failed to fetch dynamically imported module')],
  ['words', new ApiError('Unreachable')],
])('without %s the server counts as unreachable, and a retry needs a new page', async (_, error) => {
  const failure = await failureOf(() => Promise.reject(error))
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ code: 'Unreachable', cause: error })
  expect(isRemembered(failure)).toBe(true)
})

test('without a network a part is not requested, so that it can be requested later', async () => {
  noNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn()
  const failure = await failureOf(load)
  expect(failure).toMatchObject({ code: 'Unreachable' })
  expect(isRemembered(failure)).toBe(false)
  expect(load).not.toHaveBeenCalled()
})

test('a server on the same machine is reached without a network', async () => {
  noNetwork(() => Promise.resolve(new Response()))
  expect(await reachable(async () => 'a part')()).toBe('a part')
})

test('a loaded part is returned', async () => {
  expect(await reachable(async () => 'a part')()).toBe('a part')
})

test('a part that does not arrive within 120 s times out, and a retry needs a new page', async () => {
  vi.useFakeTimers()
  const settled = vi.fn()
  const failure = failureOf(() => new Promise(() => undefined)).then((error) => {
    settled()
    return error
  })
  await vi.advanceTimersByTimeAsync(119_999)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await failure).toMatchObject({ code: 'TimedOut' })
  expect(isRemembered(await failure)).toBe(true)
})

test('a part that arrives late but within 120 s is shown, and no timer remains', async () => {
  vi.useFakeTimers()
  const late = reachable(() => new Promise((resolve) => setTimeout(() => resolve('a part'), 119_000)))()
  await vi.advanceTimersByTimeAsync(119_000)
  expect(await late).toBe('a part')
  expect(vi.getTimerCount()).toBe(0)
})
