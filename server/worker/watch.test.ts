import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { connections } from '#contract/vocabulary/device.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { watchMachines } from './watch.ts'

const minute = 60_000

test('a machine is online while it sends, unknown when it falls silent, missing after its time, and online with its next message', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId, { columns: { last_audit_at: new Date() } })
  const server = await aGateway(database)
  const hints: object[] = []
  const announce = (merchant: string, topic: string, machineId?: string) => hints.push({ merchant, topic, machineId })
  const deps = {
    doors: database,
    live: { announce },
    mail: { send: async () => {} },
    config: { NO_DATA_MINUTES: 60, publicUrl: 'http://localhost' },
  }
  const look = () => watchMachines(deps, new Date())
  const stands = async () => {
    const [row] = await database.admin(
      `select connection, array(select code || ' ' || status from alarms where machine_id = machines.id) as alarms
       from machines where id = $1`,
      [machine.id],
    )
    return row
  }
  const once = async (expected: object) => {
    await expect.poll(stands, { timeout: 15_000, interval: 50 }).toEqual({ alarms: [], ...expected })
  }
  const heardMinutesAgo = (minutes: number) =>
    database.admin('update machines set last_seen_at = $2 where id = $1', [
      machine.id,
      new Date(Date.now() - minutes * minute),
    ])
  const connection = await aConnection(server, machine)
  const speak = () => connection.send('state', { id: randomUUID(), online: true })

  await speak()
  await once({ connection: connections.online })
  await heardMinutesAgo(9)
  await look()
  expect(await stands()).toEqual({ connection: connections.online, alarms: [] })
  await heardMinutesAgo(11)
  await look()
  expect(await stands()).toEqual({ connection: connections.unknown, alarms: [] })
  expect(hints).toContainEqual({ merchant: merchantId, topic: 'machine', machineId: machine.id })

  server.hints.length = 0
  await speak()
  await once({ connection: connections.online })
  const hint = { merchantId, topic: 'machine', machineId: machine.id }
  await expect.poll(() => server.hints).toContainEqual(hint)

  await database.admin(`update gateway_listening set since = now() - interval '2 hours'`)
  await heardMinutesAgo(61)
  await look()
  expect(await stands()).toEqual({ connection: connections.unknown, alarms: ['P:NODATA active'] })
  expect(hints).toContainEqual({ merchant: merchantId, topic: 'alarm', machineId: machine.id })
  await speak()
  await once({ connection: connections.online, alarms: ['P:NODATA repaired'] })

  await connection.send('state', { id: randomUUID(), online: false })
  await once({ connection: connections.offline, alarms: ['P:NODATA repaired'] })
})

test('a machine whose connection breaks is offline by its last will', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const server = await aGateway(database)
  const will = { topic: `gettone/v1/${machine.serial}/up/state`, qos: 1 as const, retain: false }
  const payload = Buffer.from(JSON.stringify({ id: randomUUID(), online: false }))
  const connection = await aConnection(server, machine, { will: { ...will, payload } })
  const stands = async () =>
    (await database.admin('select connection from machines where id = $1', [machine.id]))[0]?.connection
  await expect.poll(stands, { timeout: 15_000, interval: 50 }).toBe(connections.online)
  connection.client.stream.destroy()
  await expect.poll(stands, { timeout: 15_000, interval: 50 }).toBe(connections.offline)
})
