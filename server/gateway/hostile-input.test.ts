import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ack, type UpKind, upKinds } from '#contract/device-protocol.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aSocket, connectPacket, publishPacket } from '#testkit/machines/mqtt-packets.ts'

const at = '2026-11-21T08:00:00'
const sales = (...seqs: number[]) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: seqs.map((seq) => ({ seq, at, type: 1, value: 100 + (seq % 50) })),
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

async function aFleet() {
  const merchant = await aMerchant(database)
  return { machine: await aMachine(database, merchant.id), other: await aMachine(database, merchant.id) }
}
const storedOf = (machine: { id: string }, below: number) =>
  database.admin<{ seq: string; value: string }>(
    'select seq, value from transactions where machine_id = $1 and seq < $2 order by seq',
    [machine.id, below],
  )

/** Numbers of broken items, far from those of valid items: an item that is set aside keeps its number. */
const farAway = 9_000_000

const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
const batchOf = (item: object) => (seq: number) => ({ id, at, epoch: 1, items: [{ seq: farAway + seq, at, ...item }] })
const sound: Record<UpKind, (seq: number) => object> = {
  hello: () => ({ id, at, epoch: 1, lastSeq: 0, firmwareVersion: '1.0' }),
  state: () => ({ id, at, online: true, signalPercent: 60 }),
  sale: batchOf({ type: 1, value: 100, product: 'Espresso' }),
  event: batchOf({ code: 'EAD', message: 'Coin jam' }),
  audit: (seq) => ({ id, at, epoch: 1, seq: farAway + seq, data: 'RFhTKjE=' }),
  cash: batchOf({ box: 100, tubes: [{ value: 50, count: 3 }] }),
  reading: batchOf({ signalPercent: 60 }),
  config: batchOf({ parameters: { price: '120' } }),
  vpConfig: batchOf({ sha256: '0'.repeat(64), document: { boilers: { coffeeTemperature: 92 } } }),
  stock: batchOf({ levels: [{ selection: '12', level: 3, capacity: 10 }] }),
  prices: batchOf({ prices: [{ priceTable: 1, selection: '12', price: 120 }] }),
  result: batchOf({ commandId: id, outcome: 'success' }),
  claim: () => ({ id, at, commandId: id }),
  authorise: () => ({ id, at, mediaSerial: 'K1', mediaType: 2, amount: 100, purpose: 'vend' }),
  credit: batchOf({ action: 'recharge', mediaSerial: 'K1', mediaType: 2, amount: 100, to: 'cloud' }),
  blocks: () => ({ id, at, version: 0 }),
  linkCode: () => ({ id, at, mediaSerial: 'K1', mediaType: 2 }),
  progress: () => ({ id, at, commandId: id, phase: 'installing' }),
}

const broken = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => () => Buffer.from(bytes)),
  fc.jsonValue().map((value) => () => Buffer.from(JSON.stringify(value))),
  // Truncate, change and insert at any place.
  fc
    .array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 6 })
    .map((changes) => (payload: Buffer) => {
      const bytes = [...payload]
      for (const [place, byte, removed] of changes) bytes.splice(place % bytes.length, removed, byte)
      return Buffer.from(bytes)
    }),
  fc.nat().map((place) => (payload: Buffer) => payload.subarray(0, place % payload.length)),
  fc
    .constantFrom(
      '-1',
      '1e99',
      '18446744073709551616',
      'null',
      '"x"',
      '[]',
      '{"__proto__":{}}',
      '"\\ud800"',
      '"\\u0000"',
    )
    .map(
      (value) => (payload: Buffer) => Buffer.from(payload.toString().replace(/:(\d+|"[^"]*")(?=[,}\]])/, `:${value}`)),
    ),
)

test('in a stream of broken messages every valid one is stored and acknowledged', async () => {
  const { machine, other } = await aFleet()
  const connection = await aConnection(server, machine)
  const bystander = await aConnection(server, other)
  const kinds = fc.constantFrom<UpKind | 'nonsense'>(...upKinds, 'nonsense')
  const stream = fc.sample(fc.tuple(kinds, broken), { numRuns: 400, seed: 20_261_121 })
  const sent: Promise<void>[] = []
  for (const [index, [kind, mutilate]] of stream.entries()) {
    const example = Buffer.from(JSON.stringify(sound[kind === 'nonsense' ? 'state' : kind](index)))
    sent.push(connection.send(kind as UpKind, mutilate(example)))
    sent.push(connection.send('sale', sales(index + 1)))
    if (index % 20 === 0) sent.push(bystander.send('sale', sales(index / 20 + 1)))
    if (index % 25 === 0) await Promise.all(sent)
  }
  await Promise.all(sent)
  await connection.next<Ack>('ack', ({ committed }) => committed === stream.length)
  await bystander.next<Ack>('ack', ({ committed }) => committed === stream.length / 20)
  const expected = sales(...stream.map((_, index) => index + 1)).items
  expect(await storedOf(machine, farAway)).toEqual(
    expected.map(({ seq, value }) => ({ seq: String(seq), value: String(value) })),
  )
  expect(await storedOf(other, farAway)).toHaveLength(stream.length / 20)
  const [letters] = await database.admin<{ count: number }>(
    'select count(*)::int as count from dead_letters where serial = $1',
    [machine.serial],
  )
  expect(letters?.count).toBeGreaterThan(100)
}, 120_000)

test.each([
  ['in the year 2037', '2037-01-19T03:14:07', '2037-01-19T03:14:07', 0],
  ['that remembers the year 2037', at, '2037-01-19T03:14:07', 0],
  ['in the year 9999', '9999-12-31T23:59:59', '9999-12-31T23:59:59', 0],
  ['in the year 0001', '0001-01-01T00:00:00', '0001-01-01T00:00:00', 0],
  ['on the 31st of February', '2026-02-31T08:00:00', '2026-02-31T25:61:61', 0],
  ['on 29 February 2026, which is no date', '2026-02-29T08:00:00', '2026-02-29T07:00:00', 0],
  ['that remembers the year 2021 and knows today', '2026-11-21T08:00:00', '2021-01-01T00:00:00', 90],
  ['that was set only after the sale', '2026-11-21T08:00:00', '1970-01-01T00:00:42', 0],
])(
  'a sale with a clock %s is stored within the retention, and never in the future',
  async (_, sentAt, soldAt, daysAgo) => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const item = { seq: 1, at: soldAt, type: 1, value: 100 }
    await connection.send('sale', { id: randomUUID(), at: sentAt, epoch: 1, items: [item] })
    await connection.next<Ack>('ack', ({ committed }) => committed === 1)
    const [row] = await database.admin<{ days: number }>(
      `select round(extract(epoch from saved_at - created_at) / 86400)::int as days from transactions
     where machine_id = $1 and created_at <= saved_at`,
      [machine.id],
    )
    expect(row?.days).toBe(daysAgo)
  },
)

test('implausible amounts are set aside, and the items between them are stored', async () => {
  const { machine } = await aFleet()
  const connection = await aConnection(server, machine)
  const message = sales(1, 2, 3, 4, 5)
  const [, negative, huge, fraction] = message.items as [object, object, object, object]
  Object.assign(negative, { value: -100 })
  Object.assign(huge, { value: 2 ** 60 })
  Object.assign(fraction, { value: 0.1 })
  await connection.send('sale', message)
  expect(await connection.next<Ack>('ack')).toMatchObject({ epoch: 1, committed: 5, missing: [] })
  expect((await storedOf(machine, farAway)).map(({ seq }) => seq)).toEqual(['1', '5'])
})

const hostileNames: [string, (serial: string) => string][] = [
  ['#', () => '#'],
  ['+', () => '+'],
  ['a serial and #', (serial) => `${serial}#`],
  ['a serial and /', (serial) => `${serial}/`],
  ['a serial and NUL', (serial) => `${serial}\0`],
  ['NUL and a serial', (serial) => `\0${serial}`],
  ['nothing', () => ''],
  ['10 kB', () => 'A'.repeat(10_000)],
]

describe.each(hostileNames)('the name %s', (_, nameOf) => {
  test('refuses all connections over MQTT', async () => {
    const { machine } = await aFleet()
    const socket = await aSocket(server)
    const answers: Buffer[] = []
    socket.on('data', (bytes: Buffer) => answers.push(bytes))
    socket.write(connectPacket(nameOf(machine.serial), machine.secret))
    await socket.ended
    // No CONNACK, or a refusal.
    const answer = Buffer.concat(answers)
    expect(answer.length === 0 || answer[3] !== 0).toBe(true)
  })

  test('in a topic ends the connection and stores nothing, and the machine can reconnect', async () => {
    const { machine } = await aFleet()
    for (const topic of [
      `gettone/v1/${nameOf(machine.serial)}/up/sale`,
      `gettone/v1/${machine.serial}/up/${nameOf('sale')}`,
    ]) {
      const socket = await aSocket(server)
      socket.write(connectPacket(machine.serial, machine.secret))
      await once(socket, 'data')
      socket.write(publishPacket(topic, JSON.stringify(sales(1))))
      await socket.ended
    }
    expect(await storedOf(machine, farAway)).toEqual([])
    const connection = await aConnection(server, machine)
    await connection.send('sale', sales(1))
    expect(await storedOf(machine, farAway)).toHaveLength(1)
  })

  test('is refused over HTTP', async () => {
    const { machine } = await aFleet()
    const name = nameOf(machine.serial)
    const response = await fetch(`${server.httpUrl}/device/v1/${encodeURIComponent(name)}/sale`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${name}:${machine.secret}`).toString('base64')}` },
      body: JSON.stringify(sales(1)),
    })
    expect([400, 401, 404, 414, 431]).toContain(response.status)
    expect(await storedOf(machine, farAway)).toEqual([])
  })
})
