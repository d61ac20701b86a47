import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoppedError } from '../threads/stopped.ts'
import { createBatcher } from './batcher.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Input = { machine: { id: string; merchantId: string }; weight: number; at?: number; name: string }
const settings = { fullWeight: 4, delayMs: 5, maximumWeight: 6, maximumMerchants: 2, parallel: 2 }
const input = (name: string, { machine = 'm', merchant = 'a', weight = 1, at = Date.now() } = {}): Input => ({
  at,
  machine: { id: machine, merchantId: merchant },
  weight,
  name,
})

/** A store that shows its input and commits on command. */
function aBatcher(failure: (names: string[]) => Error | undefined = () => undefined) {
  const begun: string[] = []
  const waiting: (() => void)[] = []
  const batcher = createBatcher<Input, string>((inputs) => {
    const names = inputs.map(({ name }) => name)
    begun.push(names.join(' '))
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        const error = failure(names)
        if (error) reject(error)
        else resolve(names.map((name) => `${name} stored`))
      })
    })
  }, settings)
  /** Commits running transactions, and transactions that start meanwhile. */
  const commit = async () => {
    while (waiting.length > 0) {
      for (const end of waiting.splice(0)) end()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
  }
  return { batcher, begun, commit }
}

test('a partial batch waits a few milliseconds for more items', async () => {
  const { batcher, begun, commit } = aBatcher()
  const outs = Promise.all([batcher.add(input('1')), batcher.add(input('2'))])
  await vi.advanceTimersByTimeAsync(4)
  expect(begun).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['1 2'])
  await commit()
  expect(await outs).toEqual(['1 stored', '2 stored'])
})

test('a full batch is stored at once', async () => {
  const { batcher, begun } = aBatcher()
  for (const machine of ['m1', 'm2', 'm3', 'm4']) batcher.add(input(machine, { machine }))
  expect(begun).toEqual(['m1 m2 m3 m4'])
})

test('a transaction stays within its maximum weight and number of merchants', async () => {
  const { batcher, begun, commit } = aBatcher()
  batcher.add(input('heavy', { machine: 'm1', weight: 5 }))
  batcher.add(input('other', { machine: 'm2', weight: 3 }))
  batcher.add(input('third', { machine: 'm3', weight: 3 }))
  batcher.add(input('b', { machine: 'm4', merchant: 'b' }))
  batcher.add(input('c', { machine: 'm5', merchant: 'c' }))
  await vi.advanceTimersByTimeAsync(5)
  await commit()
  await vi.advanceTimersByTimeAsync(5)
  expect(begun).toEqual(['heavy', 'other third', 'b c'])
})

test('items of one machine are stored in order, never in two batches at once', async () => {
  const { batcher, begun, commit } = aBatcher()
  for (let n = 1; n <= 4; n++) batcher.add(input(`${n}`))
  for (let n = 5; n <= 9; n++) batcher.add(input(`${n}`))
  expect(begun).toEqual(['1 2 3 4'])
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['1 2 3 4'])
  await commit()
  expect(begun).toEqual(['1 2 3 4', '5 6 7 8 9'])
})

test('items that arrive while a batch is stored are gathered, with the same maximum wait', async () => {
  const { batcher, begun, commit } = aBatcher()
  for (const machine of ['m1', 'm2', 'm3', 'm4']) batcher.add(input(machine, { machine }))
  batcher.add(input('late', { machine: 'm1' }))
  await commit()
  expect(begun).toEqual(['m1 m2 m3 m4'])
  batcher.add(input('later', { machine: 'm2' }))
  await vi.advanceTimersByTimeAsync(5)
  expect(begun).toEqual(['m1 m2 m3 m4', 'late later'])
})

test('items sent before and after a machine moved are stored under the right merchant', async () => {
  const { batcher, begun, commit } = aBatcher()
  batcher.add(input('1', { merchant: 'a' }))
  batcher.add(input('2', { merchant: 'b' }))
  batcher.add(input('3', { merchant: 'b' }))
  await vi.advanceTimersByTimeAsync(5)
  await commit()
  await vi.advanceTimersByTimeAsync(5)
  expect(begun).toEqual(['1', '2 3'])
})

test('an item that can never be stored is found by halving, and the rest is stored', async () => {
  const { batcher, begun, commit } = aBatcher((names) =>
    names.includes('bad') ? Object.assign(new Error('never'), { code: '22003' }) : undefined,
  )
  const outs = Promise.allSettled(['1', 'bad', '3', '4'].map((name) => batcher.add(input(name))))
  await commit()
  expect(begun).toEqual(['1 bad 3 4', '1 bad', '1', 'bad', '3 4'])
  expect((await outs).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})

test('while the database is away a batch waits and is retried', async () => {
  vi.useRealTimers()
  let isAway = true
  const { batcher, begun, commit } = aBatcher(() =>
    isAway ? Object.assign(new Error('away'), { code: '57P01' }) : undefined,
  )
  const out = batcher.add(input('1', { weight: 4 }))
  for (const end of [1, 2]) {
    await expect.poll(() => begun.length).toBe(end)
    isAway = end === 1
    await commit()
  }
  expect(begun).toEqual(['1', '1'])
  expect(await out).toBe('1 stored')
})

test('stopping stores waiting items within the grace period', async () => {
  const { batcher, begun, commit } = aBatcher()
  const inTime = batcher.add(input('1'))
  const stopping = batcher.stop(1000)
  expect(begun).toEqual(['1'])
  await commit()
  await stopping
  expect(await inTime).toBe('1 stored')
  await expect(batcher.add(input('2'))).rejects.toThrow(StoppedError)
})

test('items that still wait after the grace period are refused, and running transactions end normally', async () => {
  vi.useRealTimers()
  const { batcher, begun, commit } = aBatcher()
  const beingStored = batcher.add(input('1', { weight: 4 }))
  const [waiting] = await Promise.allSettled([batcher.add(input('2')), batcher.stop(1)])
  expect(waiting).toMatchObject({ status: 'rejected', reason: expect.any(StoppedError) })
  expect(begun).toEqual(['1'])
  await commit()
  expect(await beingStored).toBe('1 stored')
})

test('a backlog of several machines is stored in the order of the clock, shared out among the transactions', async () => {
  const { batcher, begun, commit } = aBatcher()
  // Its transaction, and the other one, last while the backlog grows.
  batcher.add(input('x', { machine: 'x', weight: 4 }))
  batcher.add(input('y', { machine: 'y', weight: 4 }))
  for (let n = 1; n <= 5; n++)
    for (const machine of ['p', 'q', 'r', 's']) {
      batcher.add(input(`${machine}${n}`, { machine }))
      await vi.advanceTimersByTimeAsync(1)
    }
  expect(begun.splice(0)).toEqual(['x', 'y'])
  for (let turn = 0; turn < 4; turn++) {
    await commit()
    await vi.advanceTimersByTimeAsync(100)
  }
  // The first transaction finds the other one running, and takes the oldest of all machines.
  expect(begun).toEqual(['p1 p2 q1 q2 r1 s1', 'r2 r3 r4 s2 s3 s4', 'p3 p4 p5 q3 q4 q5', 'r5 s5'])
})

test('items of an outage go by their clock, not by their arrival, and old ones stop no machine', async () => {
  const { batcher, begun, commit } = aBatcher()
  batcher.add(input('x', { machine: 'x', weight: 4 }))
  batcher.add(input('y', { machine: 'y', weight: 4 }))
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
  const lateHeavy = { machine: 'late', weight: 6, at: minutesAgo(1) }
  batcher.add(input('a minute old', lateHeavy))
  batcher.add(input('two minutes old', { machine: 'early', weight: 6, at: minutesAgo(2) }))
  batcher.add(input('a month old', { machine: 'offline', weight: 6, at: minutesAgo(43_200) }))
  await vi.advanceTimersByTimeAsync(4 * 60_000)
  batcher.add(input('two minutes old again', { machine: 'again', weight: 6, at: minutesAgo(2) }))
  begun.length = 0
  for (let turn = 0; turn < 3; turn++) {
    await commit()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(begun).toEqual(['a month old', 'two minutes old', 'a minute old', 'two minutes old again'])
})
