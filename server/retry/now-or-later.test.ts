import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { isDistributed, setDistributed } from '#database/frame/distributed.ts'
import { nowOrLater } from './now-or-later.ts'

const was = isDistributed()
afterEach(() => setDistributed(was))

const soon = { leastMs: 5, mostMs: 20 }

/** Work that fails so many times. */
function failing(times: number) {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries <= times) throw new Error(`node away, try ${tries}`)
  }
  return { work, tries: () => tries }
}

test('where a node is away, the start continues, and the work is done once the node is back', async () => {
  setDistributed(true)
  const failures: unknown[] = []
  const later = nowOrLater((error) => failures.push(error), soon)
  const { work, tries } = failing(3)
  await later.run(work)
  await expect.poll(tries, { interval: 5 }).toBe(4)
  await pause(60)
  expect([tries(), failures.length]).toEqual([4, 3])
  later.stop()
})

test('a gateway that stops tries no more', async () => {
  setDistributed(true)
  const later = nowOrLater(() => {}, soon)
  const { work, tries } = failing(1_000)
  await later.run(work)
  later.stop()
  const before = tries()
  await pause(60)
  expect(tries()).toBe(before)
})

test('on one node the start fails with the database', async () => {
  setDistributed(false)
  const later = nowOrLater(() => {}, soon)
  await expect(later.run(failing(1).work)).rejects.toThrow('node away')
})
