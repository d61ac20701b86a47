import { expect, test } from 'vitest'
import { ApiError } from '#portal/app/apiError.ts'
import { isPassing } from './sendOutbox.ts'

test('a step is sent again until the server itself answers about it', () => {
  const answered = (status: number) => new ApiError('Internal', status, { requestId: 'r1' })
  const cut = [new ApiError('Unreachable'), new ApiError('TimedOut'), new SyntaxError('cut within the answer')]
  expect([...cut, ...[401, 408, 429, 500, 502, 504].map(answered)].filter((error) => !isPassing(error))).toEqual([])
  expect([400, 403, 404, 409, 413].map(answered).filter(isPassing)).toEqual([])
  // The page of a hotspot or proxy.
  expect(isPassing(new ApiError('Forbidden', 403))).toBe(true)
})
