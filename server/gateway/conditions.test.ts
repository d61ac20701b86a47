import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connections } from '#contract/vocabulary/device.ts'
import type { Doors } from '#database/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { createConditions } from './conditions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

test('what is heard while conditions are written waits for the next time, and is written then', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const merchant = await aMerchant(database)
  const [first, second] = [await aMachine(database, merchant.id), await aMachine(database, merchant.id)]
  let written = 0
  const doors: Doors = {
    withSystem: database.withSystem,
    async withTenant(scope, work, access) {
      if (written === 0) heard(second)
      const result = await database.withTenant(scope, work, access)
      written += 1
      return result
    },
  }
  const conditions = createConditions(doors, () => {}, 60)
  const heard = (machine: TestMachine) =>
    conditions.note({
      merchantId: merchant.id,
      machineId: machine.id,
      lastSeenAt: new Date(),
      connection: connections.online,
    })
  const seen = async () =>
    (
      await database.admin('select id from machines where merchant_id = $1 and last_seen_at is not null', [merchant.id])
    ).map(({ id }) => id)

  heard(first)
  vi.advanceTimersByTime(200)
  await vi.waitFor(() => expect(written).toBe(1))
  // Whoever would go on with the second has done so by the time that others were answered.
  for (let times = 0; times < 20; times++) expect(await seen()).toEqual([first.id])
  expect(written).toBe(1)
  vi.advanceTimersByTime(200)
  await vi.waitFor(() => expect(written).toBe(2))
  expect((await seen()).sort()).toEqual([first.id, second.id].sort())
  await conditions.stop()
})

test('stopping writes all that waits', async () => {
  const merchant = await aMerchant(database)
  const machines = await Promise.all(Array.from({ length: 5 }, () => aMachine(database, merchant.id)))
  const conditions = createConditions(database, () => {}, 60)
  for (const { id } of machines)
    conditions.note({ merchantId: merchant.id, machineId: id, lastSeenAt: new Date(), signalPercent: 41 })
  await conditions.stop()
  const rows = await database.admin('select signal_percent from machines where merchant_id = $1', [merchant.id])
  expect(rows).toEqual(machines.map(() => ({ signal_percent: 41 })))
})
