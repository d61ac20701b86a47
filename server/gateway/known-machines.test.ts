import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { isDistributed, setDistributed } from '#database/frame/distributed.ts'
import { setNodes } from '#database/frame/nodes/placement.ts'
import type { Doors, SystemDb } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { createKnownMachines } from './known-machines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

/** The directory of some machines, and the number of lookups: each is a query, and on several nodes one of the directory and one of the machines' node. */
async function aDirectory(machines: number) {
  const merchant = await aMerchant(database)
  const all = await Promise.all(Array.from({ length: machines }, () => aMachine(database, merchant.id)))
  let queries = 0
  const doors: Doors = {
    withTenant: database.withTenant,
    withSystem: (...call) => {
      queries += 1
      return database.withSystem(...call)
    },
  }
  const directory = createKnownMachines(doors)
  const find = () => Promise.all(all.map(({ serial }) => directory.find(serial)))
  return { machines: all, directory, find, lookups: () => queries / (isDistributed() ? 2 : 1) }
}

test('machines that arrive at the same time share one lookup', async () => {
  const { machines, find, lookups } = await aDirectory(30)
  const found = await find()
  expect(found.map((machine) => machine?.id)).toEqual(machines.map(({ id }) => id))
  expect(lookups()).toBe(1)
})

test('renewals of many machines become one lookup, and no caller waits for it', async () => {
  const { machines, find, directory, lookups } = await aDirectory(30)
  await find()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 17_000 })
  await database.admin('update machines set clock_drift_seconds = 77 where serial = any($1)', [
    machines.map(({ serial }) => serial),
  ])
  for (const { serial } of machines) {
    expect((await directory.find(serial))?.driftSeconds).toBeNull()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(lookups()).toBe(1)
  await vi.waitFor(async () => expect((await find()).map((machine) => machine?.driftSeconds)).not.toContain(null), 5000)
  expect(lookups()).toBe(2)
})

test('an urgent lookup does not wait for renewals', async () => {
  const { machines, find, directory, lookups } = await aDirectory(2)
  await find()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 17_000 })
  const [one, other] = machines.map(({ serial }) => serial) as [string, string]
  await directory.find(one)
  directory.forget(other)
  expect((await directory.find(other))?.serial).toBe(other)
  // The urgent lookup included both.
  expect(lookups()).toBe(2)
})

/** Doors whose nodes may fail or hang: what reads machines of a merchant there does the same. */
function nodesOf(state: ReadonlyMap<string, () => Promise<void>>): Doors {
  const withMachines = (db: SystemDb): SystemDb =>
    db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        for (const row of result.rows) await state.get(String(row.merchantId))?.()
        return result
      },
    })
  return {
    withTenant: database.withTenant,
    withSystem: (reason, work, mode) => database.withSystem(reason, (db, many) => work(withMachines(db), many), mode),
  }
}

test('while database nodes are slow or away, machines on the other nodes are found', async () => {
  const isOnNodes = isDistributed()
  onTestFinished(() => {
    setDistributed(isOnNodes)
    setNodes(new Map())
  })
  setDistributed(true)
  const merchants = await Promise.all([1, 2, 3].map(() => aMerchant(database)))
  const machines = await Promise.all(merchants.map(({ id }) => aMachine(database, id)))
  const [near, gone, slow] = machines as [TestMachine, TestMachine, TestMachine]
  setNodes(new Map(machines.map(({ merchantId }, node) => [merchantId, String(node)])))
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const state = new Map([
    [gone.merchantId, () => Promise.reject(Object.assign(new Error('away'), { code: '08006' }))],
    [slow.merchantId, () => answered],
  ])
  const directory = createKnownMachines(nodesOf(state))
  const late = directory.find(slow.serial)
  for (let turn = 0; turn < 3; turn += 1) {
    const [found, missing] = await Promise.allSettled([directory.find(near.serial), directory.find(gone.serial)])
    expect([found, missing]).toMatchObject([{ value: { id: near.id } }, { reason: { code: '08006' } }])
    directory.forget(near.serial)
  }
  expect([near, gone, slow].map(({ serial }) => directory.nodeOf(serial))).toEqual(['0', '1', '2'])
  answer()
  expect((await late)?.id).toBe(slow.id)
})
