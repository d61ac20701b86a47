import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deleteMachine } from '#database/machines/machine-acts.ts'
import { associate } from '#server/gateway/association.ts'
import { createPins } from '#server/gateway/pins.ts'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway, type TestConnection, type TestGateway } from '#testkit/machines/gateway.ts'

const by = { id: '00000000-0000-4000-8000-000000000001', name: 'Test admin' }
const remove = (database: TestDatabase, { merchantId, id }: TestMachine) =>
  database.withTenant(wholeMerchant(merchantId), (db) => deleteMachine(db, merchantId, id, { ...by, at: new Date() }))

const at = () => new Date().toISOString().slice(0, 19)
const sale = (epoch: number, seq: number) => ({
  id: randomUUID(),
  at: at(),
  epoch,
  items: [
    {
      seq,
      at: at(),
      type: 1,
      mediaType: 1,
      mediaSource: 1,
      value: 100,
      valueCharge: 0,
      freeSale: false,
      errorSale: false,
    },
  ],
})
const salesOf = (database: TestDatabase, merchantId: string) =>
  database.admin<{ machine_id: string; epoch: number; seq: string }>(
    'select machine_id, epoch, seq from transactions where merchant_id = $1 order by epoch, seq',
    [merchantId],
  )
const closed = ({ client }: TestConnection) => new Promise<void>((resolve) => client.once('close', () => resolve()))
const tellGone = (server: TestGateway, { merchantId, id }: TestMachine) =>
  server.tell({ merchantId, words: ['machineDeleted'], machineIds: [id] })

test('a deleted machine is disconnected at once and cannot reconnect; other machines stay connected', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const neighbour = await aMachine(database, merchant.id)
  const server = await aGateway(database)
  const connection = await aConnection(server, machine)
  const other = await aConnection(server, neighbour)
  await connection.send('sale', sale(1, 1))
  const isGone = closed(connection)
  await remove(database, machine)
  tellGone(server, machine)
  await isGone
  await expect(aConnection(server, machine)).rejects.toThrow(/Not authorized|Bad user/i)
  await other.send('sale', sale(1, 1))
  expect(await salesOf(database, merchant.id)).toHaveLength(2)
})

test('without the hint, the next message of a deleted machine is refused and disconnects it', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const server = await aGateway(database)
  const connection = await aConnection(server, machine)
  await connection.send('sale', sale(1, 1))
  await remove(database, machine)
  const isGone = closed(connection)
  connection.send('sale', sale(1, 2)).catch(() => {})
  await isGone
  expect((await salesOf(database, merchant.id)).map(({ seq }) => Number(seq))).toEqual([1])
})

test('a deleted serial can join any merchant: as a new machine in a later epoch, and each machine keeps its own sales', async () => {
  const database = await aDatabase()
  const first = await aMerchant(database)
  const second = await aMerchant(database)
  const server = await aGateway(database)
  const pins = createPins(server.config.secretKey)
  const services = { doors: database, config: server.config, pins, mqttPort: server.gateway.mqttPort }
  const pin = await pins.givePin(database, second.id)
  const machine = await aMachine(database, first.id, { name: 'Atrium' })
  const request = { serial: machine.serial, deviceType: 'AZVT' as const, pin, name: 'Lobby' }
  const old = await aConnection(server, machine)
  await old.send('sale', sale(1, 1))
  // While it belongs to the first merchant, no other merchant gets it.
  await expect(associate(services, request, '10.0.0.1')).rejects.toMatchObject({ code: 'AssociationRefused' })
  const isGone = closed(old)
  await remove(database, machine)
  tellGone(server, machine)
  // The hint would end a connection of the new machine, which has the same serial, if it came later.
  await isGone
  const answer = await associate(services, request, '10.0.0.1')
  expect(answer.epoch).toBe(2)
  await server.gateway.renewed(machine.serial, answer.secret)
  const young = await aConnection(server, { serial: machine.serial, secret: answer.secret })
  // Numbers of the previous epoch do not count for the new machine, whose numbers start at 1 again.
  await young.send('sale', sale(1, 2)).catch(() => {})
  await young.send('sale', sale(2, 1))
  expect(await salesOf(database, first.id)).toMatchObject([{ machine_id: machine.id, epoch: 1, seq: '1' }])
  const [sold, ...more] = await salesOf(database, second.id)
  expect(sold).toMatchObject({ epoch: 2, seq: '1' })
  expect(sold?.machine_id).not.toBe(machine.id)
  expect(more).toEqual([])
  // Now the first merchant cannot get it, since it belongs to the second.
  const firstPin = await pins.givePin(database, first.id)
  await expect(associate(services, { ...request, pin: firstPin }, '10.0.0.1')).rejects.toMatchObject({
    code: 'AssociationRefused',
  })
})

test('the same merchant gets a new machine as well, and its old name is free again', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const server = await aGateway(database)
  const pins = createPins(server.config.secretKey)
  const services = { doors: database, config: server.config, pins, mqttPort: server.gateway.mqttPort }
  const pin = await pins.givePin(database, merchant.id)
  const machine = await aMachine(database, merchant.id, { name: 'Atrium' })
  await remove(database, machine)
  await associate(services, { serial: machine.serial, deviceType: 'AZVT', pin, name: 'Atrium' }, '10.0.0.1')
  const rows = await database.admin<{ id: string; name: string; deleted: boolean }>(
    'select id, name, deleted_at is not null as deleted from machines where merchant_id = $1 order by created_at',
    [merchant.id],
  )
  expect(rows.map(({ name, deleted }) => [name, deleted])).toEqual([
    ['Atrium', true],
    ['Atrium', false],
  ])
})

test('a machine that sells while it is deleted: each acknowledged sale is stored, and no sale after the deletion', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const server = await aGateway(database)
  const connection = await aConnection(server, machine)
  const isGone = closed(connection)
  let acknowledged = 0
  const selling = (async () => {
    for (let seq = 1; seq < 10_000; seq += 1) {
      await connection.send('sale', sale(1, seq))
      acknowledged = seq
      if (seq === 20) remove(database, machine).then(() => tellGone(server, machine))
    }
  })().catch(() => {})
  await isGone
  await Promise.race([selling, new Promise((resolve) => setTimeout(resolve, 500))])
  const stored = await salesOf(database, merchant.id)
  expect(stored.length).toBeGreaterThanOrEqual(20)
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged)
  const [hours] = await database.admin<{ n: number }>(
    'select sum(count)::int as n from sales_hourly where machine_id = $1',
    [machine.id],
  )
  expect(hours?.n).toBe(stored.length)
})
