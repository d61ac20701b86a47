import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import mqtt, { type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { upTopic } from '#contract/device-protocol.ts'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aDatabase, systemAddressOf, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine, testSecretKey } from '#testkit/fixtures.ts'
import { readConfig } from './config.ts'
import { startServer } from './start.ts'

/** Each HTTP connection has two ends in this process, and there are as many over MQTT. A system may allow fewer open files. */
const openFiles = Number(
  (process.report.getReport() as { userLimits?: { open_files?: { hard?: unknown } } }).userLimits?.open_files?.hard,
)
const many = Math.min(2000, Number.isFinite(openFiles) ? Math.floor((openFiles - 500) / 4) : 2000)
/** The gateway's limit per machine. */
const perMachine = 8

interface Place {
  database: TestDatabase
  port: number
  mqttPort: number
}

/** API and gateway as in production, with their own database. */
async function aServer(limits: Record<string, string> = {}): Promise<Place> {
  const database = await aDatabase()
  const port = await aFreePort()
  const mqttPort = await aFreePort()
  const config = readConfig(
    { PORT: String(port), MQTT_PORT: String(mqttPort), ...limits },
    { production: false, keptSecret: testSecretKey },
  )
  const running = await startServer({
    config,
    storage: {
      doors: database,
      adminUrl: database.adminUrl,
      systemAddress: systemAddressOf(database.adminUrl),
      config,
      applied: [],
      stop: async () => {},
    },
    roles: ['api', 'gateway'],
    log: pino({ level: 'silent' }),
    withPortal: false,
  })
  onTestFinished(() => running.stop())
  return { database, port, mqttPort }
}

/** An HTTP connection that sends one request and then stays idle. */
async function idleHttp(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise<void>((resolve) => socket.once('data', () => resolve()).once('close', () => resolve()))
  return socket
}
const isHeld = (socket: Socket) => socket.readyState === 'open'

async function signIn(mqttPort: number, machine: TestMachine): Promise<MqttClient> {
  const options = {
    username: machine.serial,
    password: machine.secret,
    keepalive: 0,
    reconnectPeriod: 0,
  }
  // A refused connection is not retried.
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, options, false)
  onTestFinished(() => void client.end(true))
  return client
}

const asks = async ({ port }: Place) => (await fetch(`http://127.0.0.1:${port}/api/v1/spa-configuration`)).status

/** Sends one sale, and returns when it is stored. */
async function sells(client: MqttClient, { serial }: TestMachine, seq: number): Promise<void> {
  const at = new Date().toISOString().slice(0, 19)
  const items = [{ seq, at, type: 1, mediaType: 1, value: 150 }]
  const payload = JSON.stringify({ id: randomUUID(), at, epoch: 1, items })
  await client.publishAsync(upTopic(serial, 'sale'), payload, { qos: 1 })
}
const salesOf = ({ database }: Place, { id }: TestMachine) =>
  database.admin('select seq from transactions where machine_id = $1 order by seq', [id])

test(`${many} idle connections over HTTP and ${many} over MQTT are held, and other clients are served`, async () => {
  const place = await aServer()
  const merchant = await aMerchant(place.database)
  const seller = await aMachine(place.database, merchant.id)
  const selling = await signIn(place.mqttPort, seller)
  const machines: MqttClient[] = []
  while (machines.length < many) {
    const machine = await aMachine(place.database, merchant.id)
    const connections = Array.from({ length: perMachine }, () => signIn(place.mqttPort, machine))
    machines.push(...(await Promise.all(connections)))
  }
  const browsers = await Promise.all(Array.from({ length: many }, () => idleHttp(place.port)))

  expect(await asks(place)).toBe(200)
  await sells(selling, seller, 1)
  expect(await salesOf(place, seller)).toHaveLength(1)

  expect(browsers.filter(isHeld)).toHaveLength(many)
  expect(machines.filter((client) => client.connected).length).toBeGreaterThanOrEqual(many)
  // An idle client gets an answer to its next request.
  const [browser] = browsers as [Socket]
  browser.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String(await once(browser, 'data'))).toContain('200 OK')
}, 120_000)

test('beyond the limits a connection is refused at once, others are served, and a freed place can be used', async () => {
  const place = await aServer({ MAX_HTTP_CONNECTIONS: '20', MAX_MQTT_CONNECTIONS: '10' })
  const merchant = await aMerchant(place.database)
  const machine = await aMachine(place.database, merchant.id)

  const browsers = await Promise.all(Array.from({ length: 30 }, () => idleHttp(place.port)))
  const inside = browsers.filter(isHeld)
  expect(inside).toHaveLength(20)
  const strangers = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const socket = connect(place.mqttPort, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      return socket
    }),
  )
  const selling = await signIn(place.mqttPort, machine)
  await expect(signIn(place.mqttPort, machine)).rejects.toThrow()

  await sells(selling, machine, 1)
  expect(await salesOf(place, machine)).toHaveLength(1)
  const [browser] = inside as [Socket]
  browser.write('GET /api/v1/spa-configuration HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String(await once(browser, 'data'))).toContain('200 OK')

  const ended = [browser, ...strangers.slice(0, 1)].map((socket) => once(socket.destroy(), 'close'))
  await Promise.all(ended)
  await expect.poll(() => asks(place).catch(() => 0)).toBe(200)
  await expect
    .poll(() =>
      signIn(place.mqttPort, machine).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})
