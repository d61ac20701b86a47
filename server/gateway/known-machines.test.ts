import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Doors } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { createKnownMachines } from './known-machines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

/** The directory of some machines, and the number of queries. */
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
  return { machines: all, directory, find, queries: () => queries }
}

test('machines that arrive at the same time share one query', async () => {
  const { machines, find, queries } = await aDirectory(30)
  const found = await find()
  expect(found.map((machine) => machine?.id)).toEqual(machines.map(({ id }) => id))
  expect(queries()).toBe(1)
})

test('renewals of many machines become one query, and no caller waits for it', async () => {
  const { machines, find, directory, queries } = await aDirectory(30)
  await find()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 17_000 })
  await database.admin('update machines set clock_drift_seconds = 77 where serial = any($1)', [
    machines.map(({ serial }) => serial),
  ])
  for (const { serial } of machines) {
    expect((await directory.find(serial))?.driftSeconds).toBeNull()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(queries()).toBe(1)
  await vi.waitFor(async () => expect((await find()).map((machine) => machine?.driftSeconds)).not.toContain(null), 5000)
  expect(queries()).toBe(2)
})

test('an urgent lookup does not wait for renewals', async () => {
  const { machines, find, directory, queries } = await aDirectory(2)
  await find()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 17_000 })
  const [one, other] = machines.map(({ serial }) => serial) as [string, string]
  await directory.find(one)
  directory.forget(other)
  expect((await directory.find(other))?.serial).toBe(other)
  // The urgent query included both.
  expect(queries()).toBe(2)
})
