import { expect, test } from 'vitest'
import { isToStop, pauseOfReceiver, waitOfMessage } from './webhook-retry.ts'

const hours = (millis: number) => millis / 3_600_000

test('a message is tried ten times within a day and a half, and then given up', () => {
  const waits = []
  for (let attempts = 1, wait = waitOfMessage(1, 0); wait !== undefined; wait = waitOfMessage(++attempts, 0))
    waits.push(wait)
  expect(waits).toHaveLength(9)
  expect(hours(waits.reduce((sum, wait) => sum + wait, 0))).toBeGreaterThan(36)
  expect(waitOfMessage(10, 0)).toBeUndefined()
})

test('a wait is longer by up to a fifth', () => {
  expect([waitOfMessage(1, 0), waitOfMessage(1, 1)]).toEqual([10_000, 12_000])
})

test('a failing receiver is called every five minutes at last, or later if it wishes', () => {
  expect([1, 2, 3].map((failures) => pauseOfReceiver(failures, 0))).toEqual([2_000, 4_000, 8_000])
  expect(pauseOfReceiver(40, 0)).toBe(300_000)
  expect(pauseOfReceiver(1, 0, 600_000)).toBe(600_000)
  expect(pauseOfReceiver(1, 0, 86_400_000)).toBe(3_600_000)
})

test('a webhook is stopped after 36 hours without success, and at once when it is gone', () => {
  const since = new Date('2026-11-20T00:00:00Z')
  expect(isToStop(since, new Date('2026-11-21T11:59:00Z'), false)).toBe(false)
  expect(isToStop(since, new Date('2026-11-21T12:00:00Z'), false)).toBe(true)
  expect(isToStop(since, since, true)).toBe(true)
})
