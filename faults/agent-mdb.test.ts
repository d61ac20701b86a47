import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MdbSettings } from '#agent/mdb/mdb-settings.ts'
import { PortSettings } from '#agent/ports/port-settings.ts'
import { writeSettings } from '#agent/settings/settings.ts'
import { randomFrom } from '#simulator/random.ts'
import { startAgentProcess } from '#testkit/agent/agent-process.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { isFull } from './harness.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const kills = isFull || isFullRun ? 20 : 5
/** The moments of the kills follow from it. */
const seed = 'board 20'
const passkey = 'secret'
const board = '51'

/** A broker, and a board that sells another selection each second of its clock. */
async function aBoard() {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = await mqtt.connectAsync(url)
  onTestFinished(async () => {
    await client.endAsync(true)
    await new Promise<void>((resolve) => broker.close(resolve))
    server.close()
  })
  let second = Math.floor(Date.now() / 1000) - 3600
  let sold = 0
  return {
    url,
    sold: () => sold,
    async sell() {
      sold++
      second++
      const text = `${100 + sold}:${sold}:${second}`
      const line = `${text}:${createHmac('sha256', passkey).update(text).digest('hex')}`
      await client.publishAsync(`domain.vmflow.xyz/${board}/sale`, line, { qos: 1 })
    },
  }
}

test(`an agent that is killed ${kills} times while a board sells loses no sale and books none twice`, async () => {
  const gateway = await aGateway(database)
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { url, sell, sold } = await aBoard()
  const { hostname, port } = new URL(gateway.mqttUrl)
  writeSettings(folder, {
    portal: gateway.httpUrl,
    serial: machine.serial,
    secret: machine.secret,
    epoch: machine.epoch,
    transport: 'mqtt',
    mqtt: { host: hostname, port: Number(port), tls: false },
    machine: PortSettings.parse({ path: '/dev/no-such-port' }),
    readEvery: 0,
    mdb: MdbSettings.parse({ source: { kind: 'vmflow', broker: url, board, passkey } }),
  })
  const booked = async () =>
    (
      await database.admin<{ price_line: number; value: string }>(
        'select price_line, value from transactions where merchant_id = $1 order by price_line',
        [merchantId],
      )
    ).map(({ price_line, value }) => [price_line, Number(value)])
  const all = () => Array.from({ length: sold() }, (_, at) => [at + 1, 101 + at])

  // The first start subscribes: what a board publishes before has no receiver.
  const random = randomFrom(seed)
  const start = async () => {
    rmSync(join(folder, 'agent.pid'), { force: true })
    const agent = startAgentProcess('run', '--folder', folder)
    const isRunning = () => expect(existsSync(join(folder, 'agent.pid')), agent.said()).toBe(true)
    await vi.waitFor(isRunning, { timeout: 60_000, interval: 5 })
    return agent
  }
  const first = await start()
  await vi.waitFor(
    async () => {
      await sell()
      expect((await booked()).length).toBeGreaterThan(0)
    },
    { timeout: 60_000, interval: 1000 },
  )
  await first.kill('SIGKILL')
  const before = (await booked())[0]?.[0] ?? 1
  for (let n = 0; n < kills; n++) {
    const agent = await start()
    const selling = (async () => {
      for (let one = 0; one < 4; one++) {
        await sell()
        await pause(random.next() * 300)
      }
    })()
    await pause(random.next() * 1000)
    await agent.kill('SIGKILL')
    await selling
  }
  const last = await start()
  await vi.waitFor(async () => expect(await booked()).toEqual(all().slice(before - 1)), {
    timeout: 120_000,
    interval: 1000,
  })
  await last.kill('SIGTERM')
}, 600_000)
