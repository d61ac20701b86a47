import { expect, test, vi } from 'vitest'
import { openHold } from './hold.ts'

test('a machine that has to wait returns after the given time and its own random part of half as long again', () => {
  vi.useFakeTimers()
  const ended: string[] = []
  const holds = [0, 0.5, 1].map((random) =>
    openHold(
      () => random,
      () => ended.push(`${random} after ${Date.now() - start} ms`),
    ),
  )
  const start = Date.now()
  for (const hold of holds) hold.start(10)
  vi.advanceTimersByTime(9_999)
  expect([ended, holds.map((hold) => hold.isOn())]).toEqual([[], [true, true, true]])
  vi.advanceTimersByTime(10_000)
  expect(ended).toEqual(['0 after 10000 ms', '0.5 after 12500 ms', '1 after 15000 ms'])
  vi.useRealTimers()
})

test('a new wait replaces the running one, 0 seconds end it, and end none that is over', () => {
  vi.useFakeTimers()
  const onEnd = vi.fn()
  const hold = openHold(() => 1, onEnd)
  hold.start(0)
  vi.advanceTimersByTime(10_000)
  expect(onEnd).not.toHaveBeenCalled()
  hold.start(10)
  vi.advanceTimersByTime(10_000)
  hold.start(20)
  vi.advanceTimersByTime(20_000)
  expect(onEnd).not.toHaveBeenCalled()
  hold.start(0)
  vi.advanceTimersByTime(0)
  expect([onEnd.mock.calls.length, hold.isOn()]).toEqual([1, false])
  hold.start(10)
  hold.cancel()
  vi.advanceTimersByTime(60_000)
  expect(onEnd).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})
