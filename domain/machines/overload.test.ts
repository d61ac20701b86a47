import { expect, test } from 'vitest'
import { waitMsOf, waitOf } from './overload.ts'

test.each([
  ['nothing waits', [], 0, 0],
  ['messages are stored in time', [40, 4_999], 0.1, 0],
  ['one machine of many is stuck', [60_000, 30, 20], 0.1, 0],
  ['the only waiting machine waits too long', [5_000], 0, 10],
  ['half of the waiting machines wait too long', [12_500, 6_000, 30, 20], 0, 13],
  ['the database is away for minutes', [120_000, 119_000], 0.2, 20],
  ['half of the memory is in use', [30], 0.5, 10],
])('%s', (_, waitedMs, memoryShare, seconds) => {
  expect(waitOf({ waitedMs, memoryShare })).toBe(seconds)
})

test('machines return at different times, never too early', () => {
  expect([0, 0.5, 1].map((random) => waitMsOf(10, random))).toEqual([10_000, 12_500, 15_000])
  expect(waitMsOf(0, 1)).toBe(0)
})
