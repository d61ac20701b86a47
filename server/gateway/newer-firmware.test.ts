import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ack, type DeviceAnswer, deviceLimits, protocolVersion } from '#contract/device-protocol.ts'
import { findMachinesBySerial } from '#database/machines/machine-directory.ts'
import { requestReplay } from '#database/platform/dead-letter-replay.ts'
import { trimDeadLetters } from '#database/platform/dead-letters.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { createAuditReader } from './audits/audit-reader.ts'
import { createBatcher } from './batcher.ts'
import { createCashless } from './cashless/authorise.ts'
import { createCommands } from './commands.ts'
import { createConditions } from './conditions.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { createReceiver } from './receive.ts'
import { storeBatch } from './store-batch.ts'

const at = '2026-11-21T08:00:00'
const sale = (seq: number, more: object = {}) => ({ seq, at, type: 1, value: 100, ...more })
/** A sale that this version cannot book. */
const odd = (seq: number) => sale(seq, { value: '1.00 EUR' })
const batch = (items: unknown[], more: object = {}) => ({ id: randomUUID(), at, epoch: 1, items, ...more })
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

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

const aMember = async () => aMachine(database, (await aMerchant(database)).id)
const salesOf = async (machine: TestMachine) =>
  (
    await database.admin<{ seq: number }>(
      'select seq::int as seq from transactions where machine_id = $1 order by seq',
      [machine.id],
    )
  ).map(({ seq }) => seq)
const lettersOf = (machine: TestMachine) =>
  database.admin<{ id: string; seq: number | null; reason: string; payload: Buffer; replay_outcome: string | null }>(
    'select id, seq::int as seq, reason, payload, replay_outcome from dead_letters where serial = $1 order by seq, id',
    [machine.serial],
  )

interface Problem {
  code: string
  errors?: { seqs: number[]; code: string; message: string; kept: boolean }[]
  facts?: { ack?: Ack }
}
async function post(machine: TestMachine, kind: string, body: object | string) {
  const response = await fetch(`${server.httpUrl}/device/v1/${machine.serial}/${kind}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as DeviceAnswer & Problem }
}
async function replay(machine: TestMachine, letters: readonly { id: string }[]) {
  for (const { id } of letters) await requestReplay(database, id, { id: randomUUID(), name: 'Support' }, new Date())
  const stored = async () => (await lettersOf(machine)).filter((one) => one.replay_outcome === 'stored').length
  await expect.poll(stored, { timeout: 20_000 }).toBe(letters.length)
}

describe('a machine with newer firmware', () => {
  test('has its sales stored, and unknown fields are kept once', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    const message = batch([sale(1, { cup: 'XL' }), sale(2), sale(3, { loyalty: { points: 12 } })], { mesh: 4 })
    await connection.send('sale', message)
    expect(await connection.next<Ack>('ack')).toMatchObject({ committed: 3, missing: [] })
    await connection.send('sale', message)
    expect(await salesOf(machine)).toEqual([1, 2, 3])
    const unknownFields = await database.admin(
      'select seq::int as seq, kind, fields from unknown_fields where machine_id = $1 order by seq',
      [machine.id],
    )
    expect(unknownFields).toEqual([
      { seq: 1, kind: 'sale', fields: '{"cup":"XL"}' },
      { seq: 3, kind: 'sale', fields: '{"loyalty":{"points":12}}' },
    ])
    expect(await lettersOf(machine)).toEqual([])
  })

  test('gets an answer to its hello with the server’s time, whatever unknown fields it contains', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    const news = { networkType: '6G', firmwareVersion: 'x'.repeat(99), boardModel: 'B7', cells: [1, 2] }
    await connection.send('hello', { id: randomUUID(), at, epoch: 1, lastSeq: 0, ...news })
    const ack = await connection.next<Ack>('ack')
    expect(ack).toMatchObject({ epoch: 1, committed: 0, protocol: protocolVersion })
    expect(ack.refused).toMatchObject([
      { kind: 'hello', code: 'invalidField', reason: expect.stringContaining('firmwareVersion') },
    ])
    expect(Math.abs(Date.parse(ack.time.utc) - Date.now())).toBeLessThan(10_000)
    // Machines of these tests are in Rome.
    const rome = new Date(ack.time.utc).toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')
    expect(ack.time.local).toBe(rome)
    const [row] = await database.admin('select board_model, firmware_version from machines where id = $1', [machine.id])
    expect(row).toEqual({ board_model: 'B7', firmware_version: null })
    expect(JSON.stringify(server.warnings.map(({ facts }) => facts))).toContain(
      JSON.stringify('"cells":[1,2]').slice(1, -1),
    )
  })

  test('has unknown enumeration numbers stored unchanged', async () => {
    const machine = await aMember()
    await post(machine, 'sale', batch([sale(1, { type: 201, mediaType: 77, mediaSource: 99, priceTable: 42 })]))
    const [row] = await database.admin(
      'select type, media_type, media_source, price_table from transactions where machine_id = $1',
      [machine.id],
    )
    expect(row).toEqual({ type: 201, media_type: 77, media_source: 99, price_table: 42 })
  })

  test('may send unknown kinds of messages: their items are kept, and the journal continues', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    await connection.client.publishAsync(
      `gettone/v1/${machine.serial}/up/waste`,
      JSON.stringify(batch([{ seq: 1, grams: 40 }])),
      { qos: 1 },
    )
    expect(await connection.next<Ack>('ack')).toMatchObject({
      committed: 1,
      refused: [{ kind: 'waste', seqs: [1], code: 'unknownKind', kept: true }],
    })
    expect(await post(machine, 'waste', batch([{ seq: 2, grams: 40 }]))).toMatchObject({
      status: 400,
      body: { errors: [{ seqs: [2], code: 'unknownKind', kept: true }], facts: { ack: { committed: 2 } } },
    })
    expect(await post(machine, 'waste', '{}')).toMatchObject({ status: 404 })
  })
})

describe('items that cannot be booked', () => {
  test('are acknowledged only when a complete copy is stored: above any limit none is lost, and all can be booked later', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    const message = batch(numbers(1, 500).map((seq) => (seq <= 250 ? sale(seq) : odd(seq))))
    await connection.send('sale', message)
    const ack = await connection.next<Ack>('ack')
    expect(ack).toMatchObject({ committed: 500, missing: [], refused: [{ code: 'invalidItem', kept: true }] })
    expect(ack.refused?.[0]?.seqs).toEqual(numbers(251, 500))
    expect(ack.refused?.[0]?.reason).toContain('value')
    // Sent again, they are stored once.
    await connection.send('sale', message)
    const letters = await lettersOf(machine)
    expect(letters.map(({ seq }) => seq)).toEqual(numbers(251, 500))
    expect(JSON.parse(letters[0]?.payload.toString() ?? '')).toEqual({ ...message, items: [odd(251)] })

    // Months later the machine is associated again, and a newer version can read them.
    await trimDeadLetters(database, 12)
    await database.admin(
      `update dead_letters set payload = replace(convert_from(payload, 'UTF8'), '"1.00 EUR"', '100')::bytea where serial = $1`,
      [machine.serial],
    )
    await database.admin(`update machine_journals set epoch = 2, seen = '{}' where machine_id = $1`, [machine.id])
    await database.admin('update machine_directory set epoch = 2 where machine_id = $1', [machine.id])
    await database.admin('update machine_secrets set created_at = now() where machine_id = $1', [machine.id])
    server.tell({ merchantId: machine.merchantId, words: ['machineDeleted'], machineIds: [machine.id] })
    await post(machine, 'sale', batch([sale(1)], { epoch: 2 }))
    await replay(machine, letters.slice(-20))
    const rows = await database.admin(
      'select epoch, count(distinct seq)::int as numbers, count(*)::int as sales, sum(value)::int as value from transactions where machine_id = $1 group by 1 order by 1',
      [machine.id],
    )
    expect(rows).toEqual([
      { epoch: 1, numbers: 270, sales: 270, value: 27_000 },
      { epoch: 2, numbers: 1, sales: 1, value: 100 },
    ])
  }, 60_000)

  test('stay with the machine, unacknowledged, when the server has stored its maximum of them', async () => {
    const machine = await aMember()
    await database.admin(
      `insert into dead_letters (id, at, serial, merchant_id, kind, transport, reason, payload, machine_id, epoch, seq)
       select gen_random_uuid(), now(), $1, $2, 'sale', 'mqtt', 'invalidItem: value', '{}', $3, 1, 1000000 + n
       from generate_series(1, $4::int) n`,
      [machine.serial, machine.merchantId, machine.id, deviceLimits.keptItems - 1],
    )
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([odd(1), odd(2), sale(3)]))
    const ack = await connection.next<Ack>('ack')
    expect(ack).toMatchObject({ committed: 1, missing: [[2, 2]] })
    expect(ack.refused).toMatchObject([
      { seqs: [1], code: 'invalidItem', kept: true },
      { seqs: [2], code: 'noRoom', kept: false },
    ])
    expect(await salesOf(machine)).toEqual([3])
    expect(await post(machine, 'sale', batch([odd(2)]))).toMatchObject({ status: 503 })
  })

  test('are kept when noise is deleted', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([odd(1)]))
    await connection.send('sale', 'noise')
    await database.admin(`update dead_letters set at = now() - interval '200 days' where serial = $1`, [machine.serial])
    await trimDeadLetters(database, 12)
    expect(await lettersOf(machine)).toMatchObject([{ seq: 1 }])
    await trimDeadLetters(database, 6)
    expect(await lettersOf(machine)).toEqual([])
  })

  test('because the database refuses them are set aside alone, and the items beside them are booked', async () => {
    const machine = await aMember()
    const [knownMachine] = await findMachinesBySerial(database, [machine.serial])
    if (!knownMachine) throw new Error('The machine is not known')
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const settings = { fullWeight: 1, delayMs: 1, maximumWeight: 10, maximumMerchants: 1, parallel: 1 }
    const deadLetters = createDeadLetterBox(database, () => {})
    const conditions = createConditions(database, () => {}, 60, log)
    const commands = createCommands(database, { isReachable: () => false, sendCommand: () => {} }, () => {}, log)
    const cashless = createCashless(
      { doors: database, secretKey: 'a secret' },
      () => {},
      () => {},
    )
    const audits = createAuditReader()
    const receiver = createReceiver({
      doors: database,
      batcher: createBatcher((inputs) => {
        const isRefused = inputs.some(({ entries }) => entries.some(({ seq }) => seq === 2))
        if (isRefused) throw Object.assign(new RangeError('out of range'), { code: '22003' })
        return storeBatch(database, inputs, () => {})
      }, settings),
      conditions,
      commands,
      cashless,
      deadLetters,
      audits,
      logOnce: () => {},
      forgetMachine: () => {},
    })
    const message = batch([sale(1), sale(2, { cup: 'XL' }), sale(3), odd(4)])
    const { journal, refused, isRefused } = await receiver.receive(knownMachine, {
      kind: 'sale',
      transport: 'mqtt',
      isRepeated: false,
      receivedAt: new Date(),
      payload: Buffer.from(JSON.stringify(message)),
    })
    expect(journal?.seen).toEqual([[1, 4]])
    expect(refused).toMatchObject([{ seqs: [4] }, { seqs: [2], reason: expect.stringContaining('out of range') }])
    expect(isRefused).toBe(false)
    expect(await salesOf(machine)).toEqual([1, 3])
    const copy = (await lettersOf(machine)).find(({ seq }) => seq === 2)
    expect(JSON.parse(copy?.payload.toString() ?? '')).toEqual({ ...message, items: [sale(2, { cup: 'XL' })] })
    await Promise.all([conditions.stop(), commands.stop(), audits.stop(), deadLetters.stop()])
  })
})

describe('a message that is refused', () => {
  test('over HTTP names the refused items with their reasons: 400 when all were refused, 200 when some were', async () => {
    const machine = await aMember()
    const all = await post(machine, 'sale', batch([odd(1), sale(2, { type: 999 })]))
    expect(all).toMatchObject({
      status: 400,
      body: {
        code: 'ValidationFailed',
        errors: [
          { path: 'items', seqs: [1], code: 'invalidItem', message: expect.stringContaining('value'), kept: true },
          { path: 'items', seqs: [2], code: 'invalidItem', message: expect.stringContaining('type'), kept: true },
        ],
        facts: { ack: { epoch: 1, committed: 2, missing: [] } },
      },
    })
    const some = await post(machine, 'sale', batch([sale(3), odd(4)]))
    expect(some).toMatchObject({
      status: 200,
      body: { ack: { committed: 4, refused: [{ kind: 'sale', seqs: [4], code: 'invalidItem', kept: true }] } },
    })
    const none = await post(machine, 'sale', batch([sale(5)]))
    expect(none.status).toBe(200)
    expect(none.body.ack).not.toHaveProperty('refused')
  })

  test('over HTTP is a conflict when its epoch is over, or its numbers are implausible', async () => {
    const machine = await aMember()
    await database.admin('update machine_journals set epoch = 2 where machine_id = $1', [machine.id])
    expect(await post(machine, 'sale', batch([sale(1)]))).toMatchObject({
      status: 409,
      body: { code: 'StaleEpoch', errors: [{ code: 'staleEpoch', kept: false }], facts: { ack: { epoch: 2 } } },
    })
    const other = await aMember()
    const gappy = (from: number) => batch(numbers(from, from + 400).map((n) => sale(2 * n)))
    for (const from of [1, 402]) expect(await post(other, 'sale', gappy(from))).toMatchObject({ status: 200 })
    expect(await post(other, 'sale', gappy(803))).toMatchObject({
      status: 409,
      body: { code: 'TooManyGaps', facts: { ack: { committed: 0 } } },
    })
  })

  test('over MQTT gets an ack with an instruction, and later messages are stored', async () => {
    const machine = await aMember()
    const connection = await aConnection(server, machine)
    await connection.send('sale', '{"id":')
    expect(await connection.next<Ack>('ack')).toMatchObject({
      committed: 0,
      refused: [{ kind: 'sale', seqs: [], code: 'notJson', kept: false }],
    })
    await connection.send('sale', batch(numbers(1, deviceLimits.items + 1).map((seq) => sale(seq))))
    expect(await connection.next<Ack>('ack')).toMatchObject({
      refused: [{ code: 'invalid', reason: expect.stringContaining('items') }],
    })
    await connection.send('sale', batch([sale(1)]))
    expect(await connection.next<Ack>('ack')).toMatchObject({ committed: 1 })
  })

  test('for its size is reported to the machine when it reconnects', async () => {
    const machine = await aMember()
    const first = await aConnection(server, machine)
    const closed = new Promise<void>((resolve) => first.client.once('close', () => resolve()))
    first.client.publish(`gettone/v1/${machine.serial}/up/sale`, Buffer.alloc(deviceLimits.upBytes + 1024), { qos: 1 })
    await closed
    const second = await aConnection(server, machine)
    await second.send('hello', { id: randomUUID(), at, epoch: 1, lastSeq: 0 })
    const ack = await second.next<Ack>('ack', ({ refused }) => refused !== undefined)
    expect(ack.refused).toMatchObject([{ code: 'oversized', kept: false }])
  })
})
