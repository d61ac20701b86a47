import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff, keepTrying } from './backoff.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

test('each failure doubles the wait, up to a limit, minus a random part of up to half', () => {
  const limits = { leastMs: 100, mostMs: 1_000 }
  for (let times = 0; times < 50; times++) {
    const backoff = createBackoff(limits)
    for (const fullMs of [100, 200, 400, 800, 1_000, 1_000]) {
      const waitMs = backoff.failed()
      expect(waitMs).toBeGreaterThanOrEqual(fullMs / 2)
      expect(waitMs).toBeLessThanOrEqual(fullMs)
    }
  }
  const waits = new Set(Array.from({ length: 20 }, () => createBackoff(limits).failed()))
  expect(waits.size).toBeGreaterThan(1)
})

test('after a success the wait is short again, even after a day of failures', () => {
  const backoff = createBackoff({ leastMs: 100, mostMs: 1_000 })
  for (let times = 0; times < 20_000; times++) backoff.failed()
  expect(backoff.failed()).toBeLessThanOrEqual(1_000)
  backoff.worked()
  expect(backoff.failed()).toBeLessThanOrEqual(100)
})

test('a periodic check is due again after the wait', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const backoff = createBackoff({ leastMs: 100, mostMs: 1_000 })
  expect(backoff.isDue()).toBe(true)
  backoff.failed()
  expect(backoff.isDue()).toBe(false)
  vi.advanceTimersByTime(100)
  expect(backoff.isDue()).toBe(true)
})

/** A service that is unavailable for a while. It counts the attempts, and how many ran simultaneously. */
function something({ worksAt }: { worksAt: number }) {
  const counts = { attempts: 0, running: 0, most: 0 }
  const attempt = async () => {
    counts.attempts += 1
    counts.running += 1
    counts.most = Math.max(counts.most, counts.running)
    await new Promise((resolve) => setTimeout(resolve, 30))
    counts.running -= 1
    if (Date.now() < worksAt) throw new Error('away')
    return 'here'
  }
  return { counts, attempt }
}

test('attempts run one at a time with growing waits until one succeeds', async () => {
  vi.useRealTimers()
  const { counts, attempt } = something({ worksAt: Date.now() + 700 })
  const backoff = createBackoff({ leastMs: 50, mostMs: 200 })
  expect(await keepTrying(attempt, { signal: never, backoff })).toBe('here')
  expect(counts.most).toBe(1)
  expect(counts.attempts).toBeGreaterThan(3)
  expect(counts.attempts).toBeLessThan(12)
  expect(backoff.isDue()).toBe(true)
})

test('stopping ends the wait, and no further attempt starts', async () => {
  vi.useRealTimers()
  const { counts, attempt } = something({ worksAt: Number.POSITIVE_INFINITY })
  const stopped = new AbortController()
  const trying = keepTrying(attempt, {
    signal: stopped.signal,
    backoff: createBackoff({ leastMs: 60_000, mostMs: 60_000 }),
  })
  const outcomes = Promise.allSettled([trying])
  await expect.poll(() => counts.attempts).toBe(1)
  stopped.abort()
  const [outcome] = await outcomes
  expect(outcome.status).toBe('rejected')
  expect(counts.attempts).toBe(1)
})

test('an error that no retry can fix is thrown at once', async () => {
  const attempts: number[] = []
  const hopeless = async () => {
    attempts.push(1)
    throw new TypeError('hopeless')
  }
  const isWorthAnother = (error: unknown) => !(error instanceof TypeError)
  await expect(keepTrying(hopeless, { signal: never, isWorthAnother })).rejects.toThrow('hopeless')
  expect(attempts.length).toBe(1)
})
