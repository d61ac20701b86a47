import { expect, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand, aPrice } from '#testkit/machines/machine-data.ts'
import { aNoVendProfile, aPlanogram, aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'
import { sendNoVend } from './watch.ts'

const hour = 3_600_000
const live = { announce: () => {} }

async function aPlace(database: TestDatabase, profile: Record<string, unknown> = {}) {
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const noVendProfileId = await aNoVendProfile(database, merchantId, profile)
  await database.admin('update machines set no_vend_profile_id = $2 where id = $1', [machine.id, noVendProfileId])
  return { merchantId, machine, noVendProfileId }
}
const commandsOf = (database: TestDatabase, machine: TestMachine) =>
  database.admin<{ id: string; selections: string }>(
    `select id, parameters -> 'settings' ->> 'novend.selections' as selections from remote_commands
     where machine_id = $1 and type = 6 order by id`,
    [machine.id],
  )
const end = (database: TestDatabase, machine: TestMachine, status: number, result: number, createdAt = new Date()) =>
  database.admin(
    `update remote_commands set status = $2::int, result = $3::int, created_at = $4,
       started_at = $5::timestamptz, executed_at = $5::timestamptz
     where machine_id = $1 and status in (0, 1)`,
    [machine.id, status, result, createdAt, status === 3 ? null : new Date()],
  )

test('a profile behind another command is sent once after that command, by one of several workers', async () => {
  const database = await aDatabase()
  const { machine } = await aPlace(database)
  await aCommand(database, machine, { type: 6, parameters: '{"settings":{"a":"1"}}' })
  const work = () =>
    Promise.all([1, 2, 3].map(() => sendNoVend({ doors: database, live }, new Date(Date.now() + 5_000))))
  await work()
  expect(await commandsOf(database, machine)).toHaveLength(1)
  await end(database, machine, 2, 0)
  await work()
  await work()
  expect((await commandsOf(database, machine)).map(({ selections }) => selections)).toEqual([null, '1'])
})

test('a profile that nothing changed is not sent again', async () => {
  const database = await aDatabase()
  const { machine } = await aPlace(database)
  const work = () => sendNoVend({ doors: database, live }, new Date())
  await work()
  await end(database, machine, 2, 0)
  await work()
  await work()
  expect(await commandsOf(database, machine)).toHaveLength(1)
})

test('a profile is sent again after a day without an answer, and not after an answer or a cancellation', async () => {
  const database = await aDatabase()
  const { machine } = await aPlace(database)
  const work = () => sendNoVend({ doors: database, live }, new Date())
  await work()
  await end(database, machine, 3, -1, new Date(Date.now() - 2 * hour))
  await work()
  expect(await commandsOf(database, machine)).toHaveLength(1)
  await database.admin('update remote_commands set created_at = $2 where machine_id = $1', [
    machine.id,
    new Date(Date.now() - 25 * hour),
  ])
  await work()
  expect(await commandsOf(database, machine)).toHaveLength(2)
  await end(database, machine, 3, -3, new Date(Date.now() - 25 * hour))
  await work()
  expect(await commandsOf(database, machine)).toHaveLength(2)
})

test('a planogram that moves a product changes what its machines do not sell', async () => {
  const database = await aDatabase()
  const { merchantId, machine, noVendProfileId } = await aPlace(database)
  const productId = await aProduct(database, merchantId)
  await database.admin('update no_vend_profiles set product_ids = $2, version = 2 where id = $1', [
    noVendProfileId,
    [productId],
  ])
  const planogramId = await aPlanogram(database, merchantId)
  await database.admin(
    `insert into planogram_lines (merchant_id, planogram_id, selection, position, product_id, capacity, warning_level,
       refill_value) values ($1, $2, '31', 0, $3, 10, 2, 10)`,
    [merchantId, planogramId, productId],
  )
  await database.admin('update machines set planogram_id = $2 where id = $1', [machine.id, planogramId])
  const work = async () => {
    await sendNoVend({ doors: database, live }, new Date())
    await end(database, machine, 2, 0)
  }
  await work()
  await database.admin(`update planogram_lines set selection = '35' where planogram_id = $1`, [planogramId])
  await work()
  await database.admin('update planograms set version = version + 1 where id = $1', [planogramId])
  await work()
  expect((await commandsOf(database, machine)).map(({ selections }) => selections)).toEqual(['1,31', '1,35'])
})

test('products that a machine reports are compared within a quarter of an hour', async () => {
  const database = await aDatabase()
  const { merchantId, machine, noVendProfileId } = await aPlace(database)
  const productId = await aProduct(database, merchantId)
  await database.admin('update no_vend_profiles set product_ids = $2 where id = $1', [noVendProfileId, [productId]])
  await sendNoVend({ doors: database, live }, new Date())
  await end(database, machine, 2, 0)
  await aPrice(database, machine, { selection: '7', product: 'Choc' })
  await aProductCode(database, machine, { code: 'Choc', product_id: productId })
  for (let minute = 0; minute < 15; minute++)
    await sendNoVend({ doors: database, live }, new Date(Date.now() + minute * 60_000))
  expect((await commandsOf(database, machine)).map(({ selections }) => selections)).toEqual(['1', '1,7'])
})
