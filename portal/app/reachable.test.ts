import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './apiError.ts'
import { isRemembered, reachable } from './reachable.ts'

afterEach(() => void vi.unstubAllGlobals())

const noNetwork = (answer: () => Promise<Response>) => {
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('fetch', answer)
}
const failureOf = (load: () => Promise<unknown>) => reachable(load)().catch((thrown: unknown) => thrown)

test.each([
  ['code', new TypeError('Failed to fetch dynamically imported module')],
  ['words', new ApiError('Unreachable')],
])('%s that does not come is a server that is not reached, and asking again needs a new page', async (_, error) => {
  const failure = await failureOf(() => Promise.reject(error))
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ code: 'Unreachable', cause: error })
  expect(isRemembered(failure)).toBe(true)
})

test('without a network a part is not asked for, so that it can be asked for later', async () => {
  noNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn()
  const failure = await failureOf(load)
  expect(failure).toMatchObject({ code: 'Unreachable' })
  expect(isRemembered(failure)).toBe(false)
  expect(load).not.toHaveBeenCalled()
})

test('a server of this very machine is reached without a network', async () => {
  noNetwork(() => Promise.resolve(new Response()))
  expect(await reachable(async () => 'a part')()).toBe('a part')
})

test('what comes is handed on', async () => {
  expect(await reachable(async () => 'a part')()).toBe('a part')
})
