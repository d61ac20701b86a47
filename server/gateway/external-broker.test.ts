import { randomUUID, randomUUIDv7 } from 'node:crypto'
import mqtt from 'mqtt'
import { expect, test } from 'vitest'
import type { Ack, DownCommand, Go } from '#contract/device-protocol.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/gateway.ts'
import { aMosquitto } from '#testkit/mosquitto.ts'

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
  // One of them stops; the other gets its part.
  await gateways[0]?.stop()
  for (const connection of connections) await connection.send('sale', sales(51))
  for (const connection of connections) await connection.next<Ack>('ack', ({ committed }) => committed === 51)
}, 40_000)

test('behind Mosquitto, a command reaches its machine and is claimed', async () => {
  const { database, machine, broker } = await aFleet(1)
  await aGateway(database, { MQTT_URL: broker.gatewayUrl, GATEWAY_NAME: randomUUID() })
  const connection = await aConnection({ mqttUrl: broker.url }, machine)
  await connection.send('state', { id: randomUUID(), online: true })
  const id = randomUUIDv7()
  await database.admin(
    `insert into remote_commands (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
     values ($1, $2, $3, 1, '{}', 0, now(), now(), now() + interval '1 hour', now())`,
    [machine.merchantId, id, machine.id],
  )
  expect(await connection.next<DownCommand>('command')).toMatchObject({ id })
  await connection.send('claim', { id: randomUUID(), at, commandId: id })
  expect(await connection.next<Go>('go')).toEqual({ commandId: id, go: true })
})

test('Mosquitto with the documented rules keeps machines apart', async () => {
  const { machines, broker } = await aFleet(2)
  const [one, other] = machines as [TestMachine, TestMachine]
  const spy = await aConnection({ mqttUrl: broker.url }, other)
  const heard: string[] = []
  spy.client.on('message', (topic) => heard.push(topic))
  await spy.client.subscribeAsync('gettone/v1/#', { qos: 1 }).catch(() => {})
  await spy.client.subscribeAsync(`gettone/v1/${one.serial}/down/ack`, { qos: 1 }).catch(() => {})
  const connection = await aConnection({ mqttUrl: broker.url }, one)
  await connection.send('sale', sales(1))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(heard).toEqual([])
  await expect(
    mqtt.connectAsync(broker.url, { username: one.serial, password: 'wrong', reconnectPeriod: 0 }),
  ).rejects.toThrow()
})
