import { afterEach, expect, test } from 'vitest'
import { isDistributed, setDistributed } from '#database/frame/distributed.ts'
import { setNodes } from '#database/frame/nodes/placement.ts'
import { createNodeChecks } from './node-checks.ts'

const isOnNodes = isDistributed()
afterEach(() => {
  setDistributed(isOnNodes)
  setNodes(new Map())
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('on one node a check is of all merchants, and begins again when it is woken meanwhile', async () => {
  setDistributed(false)
  const checked: unknown[] = []
  const ends: (() => void)[] = []
  const checks = createNodeChecks(
    (merchantIds) => {
      checked.push(merchantIds)
      return new Promise((resolve) => ends.push(() => resolve(false)))
    },
    () => {},
  )
  checks.begin()
  checks.begin()
  expect(checked).toEqual([undefined])
  checks.again()
  ends[0]?.()
  await settle()
  expect(checked).toEqual([undefined, undefined])
  ends[1]?.()
  await checks.stop()
  checks.begin()
  expect(checked).toHaveLength(2)
})

test('a node that is slow or away delays no check of the others', async () => {
  setDistributed(true)
  setNodes(
    new Map([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', '1'],
    ]),
  )
  const checked: string[] = []
  const failures: unknown[] = []
  const { promise: isBack, resolve: back } = Promise.withResolvers<boolean>()
  const checks = createNodeChecks(
    async (merchantIds = []) => {
      checked.push(merchantIds.join())
      if (merchantIds.includes('b')) return isBack
      if (merchantIds.includes('c')) throw new Error('away')
      return false
    },
    (error) => failures.push(error),
  )
  for (let turn = 0; turn < 3; turn += 1) {
    checks.begin()
    await settle()
  }
  expect(checked.filter((ids) => ids === 'a,d')).toHaveLength(3)
  expect([checked.filter((ids) => ids === 'b').length, checked.filter((ids) => ids === 'c').length]).toEqual([1, 1])
  expect(failures).toHaveLength(1)
  back(false)
  await checks.stop()
})
