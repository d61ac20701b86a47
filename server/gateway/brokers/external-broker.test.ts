import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import mqtt from 'mqtt'
import { expect, test } from 'vitest'
import type { Ack, AssociationAnswer, DownCommand, Go } from '#contract/device-protocol.ts'
import { deleteMachine } from '#database/machines/machine-acts.ts'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { aMosquitto } from '#testkit/machines/mosquitto.ts'
import { deviceAddresses } from '../association.ts'
import { createPins } from '../pins.ts'

const at = '2026-11-21T08:00:00'
const sales = (...seqs: number[]) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: seqs.map((seq) => ({ seq, at, type: 1, value: 100 })),
})

async function aFleet(size: number) {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machines: TestMachine[] = []
  for (let n = 0; n < size; n++) machines.push(await aMachine(database, merchant.id))
  return { database, machines, machine: machines[0] as TestMachine, broker: await aMosquitto(machines) }
}

test('behind Mosquitto, two gateways share what machines send, and each item is stored once and acknowledged', async () => {
  const { database, machines, broker } = await aFleet(4)
  const gateways = [
    await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() }),
    await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() }),
  ]
  const connections = await Promise.all(machines.map((machine) => aConnection({ mqttUrl: broker.url }, machine)))
  await Promise.all(
    connections.map(async (connection) => {
      for (let seq = 1; seq <= 50; seq++) await connection.send('sale', sales(seq, seq))
      await connection.next<Ack>('ack', ({ committed }) => committed === 50)
    }),
  )
  const [stored] = await database.admin(
    'select count(*)::int as n, count(distinct (machine_id, seq))::int as d from transactions',
  )
  expect(stored).toEqual({ n: 200, d: 200 })
  // When one gateway stops, the other gets its share.
  await gateways[0]?.stop()
  for (const connection of connections) await connection.send('sale', sales(51))
  for (const connection of connections) await connection.next<Ack>('ack', ({ committed }) => committed === 51)
}, 40_000)

const commandTo = async (database: TestDatabase, machine: TestMachine) => {
  const id = randomUUIDv7()
  await database.admin(
    `insert into remote_commands (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
     values ($1, $2, $3, 1, '{}', 0, now(), now(), now() + interval '1 hour', now())`,
    [machine.merchantId, id, machine.id],
  )
  return id
}

test.each(['is gone', 'stands still'])(
  'a gateway whose broker %s stops although a message to a machine is pending',
  async (what) => {
    const { database, machine, broker } = await aFleet(1)
    const gateway = await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() })
    const connection = await aConnection({ mqttUrl: broker.url }, machine)
    await connection.send('state', { id: randomUUID(), online: true })
    const connectionOf = async () =>
      (await database.admin('select connection from machines where id = $1', [machine.id]))[0]?.connection
    await expect.poll(connectionOf, { timeout: 10_000 }).toBe(1)
    // From here on the broker acknowledges nothing.
    broker.freeze()
    const id = await commandTo(database, machine)
    const statusOf = async () =>
      (await database.admin('select status from remote_commands where id = $1', [id]))[0]?.status
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(1)
    if (what === 'is gone') await broker.kill()
    await gateway.stop()
  },
  40_000,
)

test('behind Mosquitto, a command reaches its machine and is claimed', async () => {
  const { database, machine, broker } = await aFleet(1)
  await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() })
  const connection = await aConnection({ mqttUrl: broker.url }, machine)
  await connection.send('state', { id: randomUUID(), online: true })
  const id = await commandTo(database, machine)
  expect(await connection.next<DownCommand>('command')).toMatchObject({ id })
  await connection.send('claim', { id: randomUUID(), at, commandId: id })
  expect(await connection.next<Go>('go')).toEqual({ commandId: id, go: true })
})

test('behind Mosquitto, a machine with a broken connection is offline by its last will, and online with its next message', async () => {
  const { database, machine, broker } = await aFleet(1)
  await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() })
  const payload = Buffer.from(JSON.stringify({ id: randomUUID(), online: false }))
  const will = { topic: `gettone/v1/${machine.serial}/up/state`, payload, qos: 1 as const, retain: false }
  const stands = async () =>
    (await database.admin('select connection from machines where id = $1', [machine.id]))[0]?.connection
  const comes = async () => {
    const connection = await aConnection({ mqttUrl: broker.url }, machine, { will })
    await connection.send('state', { id: randomUUID(), online: true })
    await expect.poll(stands, { timeout: 10_000 }).toBe(1)
    return connection
  }
  const connection = await comes()
  connection.client.stream.destroy()
  await expect.poll(stands, { timeout: 10_000 }).toBe(0)
  await comes()
}, 40_000)

test('Mosquitto with the documented rules keeps machines apart', async () => {
  const { machines, broker } = await aFleet(2)
  const [one, other] = machines as [TestMachine, TestMachine]
  const spy = await aConnection({ mqttUrl: broker.url }, other)
  const topics: string[] = []
  spy.client.on('message', (topic) => topics.push(topic))
  await spy.client.subscribeAsync('gettone/v1/#', { qos: 1 }).catch(() => {})
  await spy.client.subscribeAsync(`gettone/v1/${one.serial}/down/ack`, { qos: 1 }).catch(() => {})
  const connection = await aConnection({ mqttUrl: broker.url }, one)
  await connection.send('sale', sales(1))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(topics).toEqual([])
  await expect(
    mqtt.connectAsync(broker.url, { username: one.serial, password: 'wrong', reconnectPeriod: 0 }),
  ).rejects.toThrow()
})

test('over TLS, gateway and machine connect only to a broker whose authority they know', async () => {
  const { database, machine, broker } = await aFleet(1)
  const stranger = await aMosquitto([machine])
  const gateway = await aGateway(database, {
    MQTT_URL: broker.tlsUrl.replace('//', '//gateway:gateway@'),
    MQTT_CA_FILE: broker.caFile,
    MQTT_PUBLIC_URL: 'mqtts://broker.example.com',
    GATEWAY_NAME: randomUUID(),
  })
  const ca = readFileSync(broker.caFile)
  const connection = await aConnection({ mqttUrl: broker.tlsUrl }, machine, { ca })
  await connection.send('sale', sales(1))
  expect(await connection.next<Ack>('ack')).toMatchObject({ committed: 1 })
  expect(deviceAddresses(gateway.config)).toMatchObject({
    mqttHost: 'broker.example.com',
    mqttPort: 8883,
    mqttTls: true,
  })
  const credentials = { username: machine.serial, password: machine.secret, reconnectPeriod: 0 }
  await expect(mqtt.connectAsync(stranger.tlsUrl, { ...credentials, ca })).rejects.toThrow(/certificate/)
})

test('with the dynamic security plugin, a machine has an account once it is associated, and a new one with each new secret', async () => {
  const database = await aDatabase()
  const broker = await aMosquitto('dynamic')
  const environment = { MQTT_URL: broker.gatewayUrl, MQTT_ACCOUNTS: 'dynamic-security', GATEWAY_NAME: randomUUID() }
  const server = await aGateway(database, environment)
  const pin = await createPins(server.config.secretKey).givePin(database, (await aMerchant(database)).id)
  const associate = async (serial: string, secret?: string): Promise<AssociationAnswer> => {
    const body = JSON.stringify({ serial, deviceType: 'AZVT', pin, secret })
    // Without the right to administer the broker, the gateway logs a warning.
    for (;;) {
      const response = await fetch(`${server.httpUrl}/device/v1/associate`, { method: 'POST', body })
      if (response.ok) return (await response.json()) as AssociationAnswer
      expect(response.status).toBe(503)
    }
  }
  const machine = await associate('DYN-1')
  const other = await associate('DYN-2')
  const connection = await aConnection({ mqttUrl: broker.url }, machine)
  await connection.send('sale', { ...sales(1), epoch: machine.epoch })
  expect(await connection.next<Ack>('ack')).toMatchObject({ committed: 1 })

  // Each machine sees only its own topics.
  const spy = await aConnection({ mqttUrl: broker.url }, other)
  const topics: string[] = []
  spy.client.on('message', (topic) => topics.push(topic))
  for (const filter of ['gettone/v1/#', '#', `gettone/v1/${machine.serial}/down/#`])
    await spy.client.subscribeAsync(filter, { qos: 1 }).catch(() => {})
  await spy.client.publishAsync(`gettone/v1/${machine.serial}/up/sale`, JSON.stringify(sales(7)), { qos: 1 })
  await connection.send('sale', { ...sales(2), epoch: machine.epoch })
  expect(await connection.next<Ack>('ack', ({ committed }) => committed === 2)).toMatchObject({ missing: [] })
  expect(topics).toEqual([])

  const gone = new Promise((resolve) => connection.client.once('close', () => resolve(undefined)))
  const renewed = await associate('DYN-1', machine.secret)
  await gone
  await expect(aConnection({ mqttUrl: broker.url }, machine)).rejects.toThrow()
  const again = await aConnection({ mqttUrl: broker.url }, renewed)
  await again.send('sale', { ...sales(1), epoch: renewed.epoch })
  expect(await again.next<Ack>('ack')).toMatchObject({ epoch: renewed.epoch, committed: 1 })

  // A deleted machine is disconnected, and its account is removed.
  const [{ id, merchant_id: merchantId } = { id: '', merchant_id: '' }] = await database.admin<{
    id: string
    merchant_id: string
  }>('select id, merchant_id from machines where serial = $1', [machine.serial])
  const isDismissed = new Promise((resolve) => again.client.once('close', () => resolve(undefined)))
  const by = { id: randomUUID(), name: 'Test admin', at: new Date() }
  await database.withTenant(wholeMerchant(merchantId), (db) => deleteMachine(db, merchantId, id, by))
  server.tell({ merchantId, words: ['machineDeleted'], machineIds: [id] })
  await isDismissed
  await expect(aConnection({ mqttUrl: broker.url }, renewed)).rejects.toThrow()
}, 60_000)
