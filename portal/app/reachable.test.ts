import { expect, test } from 'vitest'
import { ApiError } from './apiError.ts'
import { reachable } from './reachable.ts'

test.each([
  ['code', new TypeError('Failed to fetch dynamically imported module')],
  ['words', new ApiError('Unreachable')],
])(
  '%s that does not come is a server that is not reached, and says by its cause that asking again needs a new page',
  async (_, error) => {
    const failure = await reachable(() => Promise.reject(error))().catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ code: 'Unreachable', cause: error })
  },
)

test('what comes is handed on', async () => {
  expect(await reachable(async () => 'a part')()).toBe('a part')
})
