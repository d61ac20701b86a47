import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { aDatabase, openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aSocket, connectPacket, packet, publishPacket, text } from '#testkit/machines/mqtt-packets.ts'

const at = '2026-11-21T08:00:00'
const sales = (...seqs: number[]) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: seqs.map((seq) => ({ seq, at, type: 1, value: 100 })),
})

let database: TestDatabase
let server: TestGateway
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

/** Two machines of a merchant, and a log that starts here. */
async function aFleet() {
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const other = await aMachine(database, merchant.id)
  const before = server.warnings.length
  return { machine, other, warnings: () => server.warnings.slice(before) }
}

/** Connects with a bare MQTT client and returns the outcome. */
async function knock(server: TestGateway, options: mqtt.IClientOptions): Promise<string> {
  const client = mqtt.connect(server.mqttUrl, { reconnectPeriod: 0, connectTimeout: 3000, ...options })
  onTestFinished(async () => void (await client.endAsync(true)))
  return new Promise((resolve) => {
    client.on('connect', () => resolve('let in'))
    client.on('error', (error) => resolve(`refused: ${error.message}`))
    client.on('close', () => resolve('refused'))
  })
}

describe('who may connect', () => {
  test('a machine with its serial and secret', async () => {
    const { machine } = await aFleet()
    expect(await knock(server, { username: machine.serial, password: machine.secret })).toBe('let in')
  })
  test.each([
    ['an unknown serial', (_: string, secret: string) => ({ username: 'NOBODY-1', password: secret })],
    ['a wrong secret', (serial: string) => ({ username: serial, password: 'wrong' })],
    ['no secret', (serial: string) => ({ username: serial })],
    ['nobody', () => ({})],
    ['a serial with a wildcard', (_: string, secret: string) => ({ username: '+', password: secret })],
    ['a serial with a slash', (serial: string, secret: string) => ({ username: `${serial}/up`, password: secret })],
    ['a serial of 10 kB', (_: string, secret: string) => ({ username: 'A'.repeat(10_000), password: secret })],
    [
      'a client id with a wildcard',
      (serial: string, secret: string) => ({ username: serial, password: secret, clientId: 'a#' }),
    ],
    [
      'a will on another machine’s topic',
      (serial: string, secret: string) => ({
        username: serial,
        password: secret,
        will: { topic: 'gettone/v1/OTHER/up/state', payload: Buffer.from('{}'), qos: 1 as const, retain: true },
      }),
    ],
  ])('not %s', async (_, credentials) => {
    const { machine, warnings } = await aFleet()
    expect(await knock(server, credentials(machine.serial, machine.secret))).toMatch('refused')
    expect(warnings()).toHaveLength(1)
  })
  test('connections beyond the limit are refused, and existing connections stay', async () => {
    const database = await aDatabase()
    const merchant = await aMerchant(database)
    const machine = await aMachine(database, merchant.id)
    const other = await aMachine(database, merchant.id)
    const server = await aGateway(database, { MAX_MQTT_CONNECTIONS: '1' })
    const connection = await aConnection(server, machine)
    expect(await knock(server, { username: other.serial, password: other.secret })).toMatch('refused')
    await connection.send('sale', sales(1))
    expect(await connection.next('ack')).toMatchObject({ committed: 1 })
  })
  test('a machine never disconnects another machine, whatever its client id', async () => {
    const { machine, other } = await aFleet()
    const connection = await aConnection(server, machine, { clientId: 'same' })
    await aConnection(server, other, { clientId: 'same' })
    await connection.send('sale', sales(1))
    expect(connection.client.connected).toBe(true)
  })
})

describe('isolation of machines', () => {
  test('a machine cannot receive messages from or to another machine', async () => {
    const { machine, other } = await aFleet()
    const spy = await aConnection(server, other)
    const topics: string[] = []
    spy.client.on('message', (topic) => topics.push(topic))
    const filters = [
      '#',
      '+/+/+/+/+',
      'gettone/#',
      `gettone/v1/${machine.serial}/up/sale`,
      `gettone/v1/${machine.serial}/down/#`,
      `gettone/v1/${other.serial}/up/#`,
      '$SYS/#',
      '$share/x/gettone/v1/+/up/+',
    ]
    for (const filter of filters) {
      const granted = await spy.client.subscribeAsync(filter, { qos: 1 }).catch(() => [{ qos: 128 }])
      expect(
        granted.map(({ qos }) => qos),
        filter,
      ).toEqual([128])
    }
    const connection = await aConnection(server, machine)
    await connection.client.publishAsync(`gettone/v1/${machine.serial}/up/sale`, JSON.stringify(sales(1)), {
      qos: 1,
      retain: true,
    })
    await connection.next('ack')
    expect(topics).toEqual([])
  })

  test.each([
    ['another machine’s topic', (_: string, other: string) => `gettone/v1/${other}/up/sale`],
    ['its own downward topic', (serial: string) => `gettone/v1/${serial}/down/command`],
    ['a topic of nobody', () => 'hello/world'],
    ['a system topic', () => '$SYS/x'],
    ['a topic of many levels', (serial: string) => `gettone/v1/${serial}/up${'/x'.repeat(200)}`],
  ])('publishing to %s ends the connection, is logged once and stores nothing', async (_, topicOf) => {
    const { machine, other, warnings } = await aFleet()
    const topic = topicOf(machine.serial, other.serial)
    for (let attempt = 0; attempt < 2; attempt++) {
      const connection = await aConnection(server, machine)
      const closed = new Promise<void>((resolve) => connection.client.once('close', () => resolve()))
      connection.client.publish(topic, JSON.stringify(sales(1)), { qos: 1 })
      await closed
    }
    expect(
      await database.admin('select 1 from transactions where machine_id = any($1)', [[machine.id, other.id]]),
    ).toEqual([])
    expect(warnings().length).toBeLessThanOrEqual(1)
    const connection = await aConnection(server, machine)
    await connection.send('sale', sales(1))
  })
})

describe('a bad message is set aside with its reason and acknowledged, and the next message is stored', () => {
  test.each([
    ['no JSON', 'sale', 'this is not JSON', 'notJson'],
    ['binary', 'sale', Buffer.from([0, 255, 1, 254]), 'notJson'],
    ['empty', 'event', '', 'notJson'],
    ['of another shape', 'sale', { hello: 'world' }, 'invalid: '],
    ['without items', 'sale', { ...sales(), items: [] }, 'invalid: items'],
    ['of too many items', 'sale', sales(...Array.from({ length: 501 }, (_, n) => n + 1)), 'invalid: items'],
    ['without a field that it must have', 'hello', { id: randomUUID(), at, epoch: 1 }, 'invalid: lastSeq'],
    ['deeply nested', 'sale', '['.repeat(100_000), 'notJson'],
    ['of a kind that does not exist', 'nonsense', '{}', 'unknownKind'],
    ['a little too large', 'sale', 'x'.repeat(256 * 1024 + 100), 'oversized'],
  ])('%s', async (_, kind, payload, reason) => {
    const { machine, warnings } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send(kind as 'sale', payload)
    await connection.send('sale', sales(1))
    expect(
      await database.admin('select serial, kind, transport, reason from dead_letters where serial = $1', [
        machine.serial,
      ]),
    ).toEqual([{ serial: machine.serial, kind, transport: 'mqtt', reason: expect.stringMatching(`^${reason}`) }])
    await connection.next<Ack>('ack', ({ committed, missing }) => committed === 1 && missing.length === 0)
    expect(warnings()).toHaveLength(1)
  })

  test('a bad item is set aside alone, and is not requested again', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const message = sales(1, 2, 3, 4)
    Object.assign(message.items[1] as object, { value: 2 ** 60 })
    Object.assign(message.items[2] as object, { product: 'nul \0 inside' })
    await connection.send('sale', message)
    expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 4, missing: [] })
    expect(
      await database.admin('select seq from transactions where machine_id = $1 order by seq', [machine.id]),
    ).toEqual([{ seq: '1' }, { seq: '4' }])
    expect(
      await database.admin('select reason from dead_letters where serial = $1 order by reason', [machine.serial]),
    ).toMatchObject([
      { reason: expect.stringMatching('^invalidItem: product') },
      { reason: expect.stringMatching('^invalidItem: value') },
    ])
  })

  test('implausible numbers are ignored', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    for (let part = 0; part < 5; part++)
      await connection.send('sale', sales(...Array.from({ length: 400 }, (_, n) => (part * 400 + n) * 2 + 2)))
    const ack = await connection.next<Ack>('ack')
    expect(ack.missing).toHaveLength(50)
    await connection.send('sale', sales(1))
    expect(await connection.next<Ack>('ack', ({ committed }) => committed === 2)).toBeDefined()
  })
})

describe('raw sockets', () => {
  test('a message that announces more than 256 KB is cut off at its header', async () => {
    const { machine } = await aFleet()
    const socket = await aSocket(server)
    socket.write(connectPacket(machine.serial, machine.secret))
    await once(socket, 'data')
    socket.write(packet(0x32, 300 * 1024, text(`gettone/v1/${machine.serial}/up/audit`)))
    await socket.ended
    await expect
      .poll(() => database.admin('select reason, serial from dead_letters where serial = $1', [machine.serial]))
      .toEqual([{ serial: machine.serial, reason: expect.stringContaining('oversized: 307200 bytes') }])
    const connection = await aConnection(server, machine)
    await connection.send('sale', sales(1))
  })

  test.each([
    ['a first packet that is no CONNECT', () => packet(0x30, 10, Buffer.alloc(10))],
    ['a CONNECT of 100 kB', () => packet(0x10, 100_000)],
    ['a length that has no end', () => Buffer.from([0x10, 255, 255, 255, 255, 255])],
    ['HTTP', () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['noise', () => Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 7919) % 256))],
    ['a CONNECT that means nothing', () => packet(0x10, 20, Buffer.alloc(20, 1))],
  ])('%s is cut off', async (_, bytes) => {
    await aFleet()
    const socket = await aSocket(server)
    socket.write(bytes())
    await socket.ended
  })

  test('packets before the CONNACK wait for it', async () => {
    const { machine } = await aFleet()
    const socket = await aSocket(server)
    const sale = publishPacket(`gettone/v1/${machine.serial}/up/sale`, JSON.stringify(sales(1)))
    const bytes = Buffer.concat([connectPacket(machine.serial, machine.secret), sale])
    // Split inside the headers.
    socket.write(bytes.subarray(0, 1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.write(bytes.subarray(1, bytes.length - 3))
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.write(bytes.subarray(bytes.length - 3))
    await expect
      .poll(() => database.admin('select 1 from transactions where machine_id = $1', [machine.id]), { timeout: 5000 })
      .toHaveLength(1)
  })

  test('packets after a refused CONNECT are ignored', async () => {
    const { machine } = await aFleet()
    const socket = await aSocket(server)
    const sale = publishPacket(`gettone/v1/${machine.serial}/up/sale`, JSON.stringify(sales(1)))
    socket.write(Buffer.concat([connectPacket(machine.serial, 'wrong'), sale]))
    await socket.ended
    expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toEqual([])
  })

  test('500 idle connections without a CONNECT do not keep other machines from sending', async () => {
    const { machine } = await aFleet()
    await Promise.all(Array.from({ length: 500 }, () => aSocket(server)))
    const connection = await aConnection(server, machine)
    await connection.send('sale', sales(1))
    expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toHaveLength(1)
  })
})
