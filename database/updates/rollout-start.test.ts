import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { aFirmware, reportsVersion } from '#testkit/nouns/updates.ts'
import { findRollout, type RolloutRecord } from './rollout.ts'
import { candidates } from './rollout-start.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

test('the machines that start next are the first that can, also where many before them cannot', async () => {
  const { id: merchantId } = await aMerchant(database)
  for (let n = 0; n < 8; n++) {
    const machine = await aMachine(database, merchantId, { columns: { connection: 1 } })
    await reportsVersion(database, machine, '1.0.0.0')
  }
  const release = '2.0.0.1'
  const firmwareId = await aFirmware(database, { release, deviceTypes: ['AZVT'] })
  const target = { by: 'deviceTypes' as const, deviceTypes: ['AZVT' as const] }
  const id = await aRunningRollout(database, { merchantId, firmwareId, release, target })
  const order = (
    await database.admin<{ id: string }>(
      'select machine_id as id from rollout_machines where rollout_id = $1 order by position, machine_id',
      [id],
    )
  ).map((row) => row.id)
  const next = (room: number) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      const rollout = (await findRollout(db, id)) as RolloutRecord
      return (await candidates(db, rollout, room)).map(({ machineId }) => machineId)
    })
  expect(await next(2)).toEqual(order.slice(0, 2))
  // The first five are offline: more than are read first.
  await database.admin('update machines set connection = 0 where id = any($1)', [order.slice(0, 5)])
  expect(await next(2)).toEqual(order.slice(5, 7))
  expect(await next(8)).toEqual(order.slice(5))
})
