import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createNodeBatchers } from './node-batchers.ts'

const settings = { fullWeight: 1, delayMs: 1, maximumWeight: 10, maximumMerchants: 1, parallel: 2 }
const input = (name: string, merchantId: string, machine = name) => ({
  machine: { id: machine, merchantId },
  weight: 1,
  name,
})
type Input = ReturnType<typeof input>

/** Batchers whose nodes may be away; what was stored, in order. */
function aStore() {
  const nodes = new Map([
    ['far', 'a'],
    ['near', 'b'],
  ])
  const away = new Set<string>()
  const stored: string[] = []
  const batchers = createNodeBatchers<Input, string>(
    async (inputs) => {
      for (const { machine } of inputs)
        if (away.has(machine.merchantId)) throw Object.assign(new Error('away'), { code: '08006' })
      stored.push(...inputs.map(({ name }) => name))
      return inputs.map(({ name }) => name)
    },
    settings,
    (merchantId) => nodes.get(merchantId) ?? '',
  )
  return { batchers, nodes, away, stored }
}

test('while a node is away, the items of merchants on the others are stored, and its own afterwards', async () => {
  const { batchers, away, stored } = aStore()
  away.add('far')
  const late = Array.from({ length: 20 }, (_, n) => batchers.add(input(`far ${n}`, 'far')))
  await pause(50)
  for (let n = 0; n < 5; n += 1) expect(await batchers.add(input(`near ${n}`, 'near'))).toBe(`near ${n}`)
  expect(stored).toEqual(['near 0', 'near 1', 'near 2', 'near 3', 'near 4'])
  away.clear()
  await Promise.all(late)
  expect(stored).toHaveLength(25)
  await batchers.stop(100)
})

test('items of a machine stay in their order when its merchant moves to another node', async () => {
  const { batchers, nodes, away, stored } = aStore()
  away.add('far')
  const first = batchers.add(input('1', 'far', 'machine'))
  await pause(20)
  nodes.set('far', 'b')
  const second = batchers.add(input('2', 'far', 'machine'))
  await pause(20)
  away.clear()
  await Promise.all([first, second])
  expect(stored).toEqual(['1', '2'])
  await batchers.stop(100)
})
