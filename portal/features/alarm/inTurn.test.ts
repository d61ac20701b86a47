import { expect, test } from 'vitest'
import { inTurn } from './inTurn.ts'

test('each is done once, a few at a time', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  const failures = await inTurn([1, 2, 3, 4, 5, 6, 7, 8, 9], async (item) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    done.push(item)
  })
  expect(failures).toEqual([])
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(most).toBeLessThanOrEqual(4)
})

test('one that fails does not keep the others', async () => {
  const done: number[] = []
  const failures = await inTurn([1, 2, 3], async (item) => {
    if (item === 2) throw new Error('no')
    done.push(item)
  })
  expect(failures).toHaveLength(1)
  expect(done).toEqual([1, 3])
})
