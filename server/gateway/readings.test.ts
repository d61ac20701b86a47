import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

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

/** The local time of a machine in Rome, some minutes ago. */
const clock = (minutesAgo = 0) =>
  new Date(Date.now() - minutesAgo * 60_000)
    .toLocaleString('sv-SE', { timeZone: 'Europe/Rome', hour12: false })
    .replace(' ', 'T')
const batch = (items: object[]) => ({ id: randomUUID(), at: clock(), epoch: 1, items })

async function aTalker() {
  const machine = await aMachine(database, (await aMerchant(database)).id)
  return { machine, connection: await aConnection(server, machine) }
}
const rowsOf = (table: 'readings' | 'configurations', machine: TestMachine) =>
  database.admin(`select * from ${table} where machine_id = $1 order by seq`, [machine.id])
const conditionOf = async (machine: TestMachine) =>
  (
    await database.admin(
      'select signal_percent, temperature_celsius::float as temperature from machines where id = $1',
      [machine.id],
    )
  )[0]

describe('readings', () => {
  test('are stored once with their values, and acknowledged', async () => {
    const { machine, connection } = await aTalker()
    const items = [
      { seq: 1, at: clock(20), signalPercent: 61 },
      { seq: 2, at: clock(10), temperatureCelsius: 4.3 },
    ]
    await connection.send('reading', batch(items))
    await connection.send(
      'reading',
      batch([...items, { seq: 3, at: clock(1), signalPercent: 58, temperatureCelsius: 5 }]),
    )
    expect(await rowsOf('readings', machine)).toMatchObject([
      { seq: '1', signal_percent: 61, temperature_celsius: null },
      { seq: '2', signal_percent: null, temperature_celsius: '4.3' },
      { seq: '3', signal_percent: 58, temperature_celsius: '5.0' },
    ])
    expect(await connection.next<{ committed: number }>('ack', ({ committed }) => committed === 3)).toBeDefined()
  })

  test('update the machine’s current state, unless they arrive long after they were taken', async () => {
    const { machine, connection } = await aTalker()
    await connection.send('reading', batch([{ seq: 1, at: clock(2), signalPercent: 61, temperatureCelsius: 4.5 }]))
    await expect.poll(() => conditionOf(machine), { timeout: 5000 }).toEqual({ signal_percent: 61, temperature: 4.5 })
    await connection.send('reading', batch([{ seq: 2, at: clock(300), signalPercent: 12, temperatureCelsius: 30 }]))
    await connection.send('reading', batch([{ seq: 3, at: clock(1), signalPercent: 62 }]))
    await expect.poll(() => conditionOf(machine), { timeout: 5000 }).toEqual({ signal_percent: 62, temperature: 4.5 })
  })

  test('raise an alarm when the signal is below the minimum', async () => {
    const { machine, connection } = await aTalker()
    await connection.send('reading', batch([{ seq: 1, at: clock(), signalPercent: 20 }]))
    const alarms = () => database.admin('select code from alarms where machine_id = $1', [machine.id])
    await expect.poll(alarms, { timeout: 5000 }).toEqual([{ code: 'P:SIGNAL' }])
  })

  test.each([
    ['nothing was measured', {}],
    ['a signal beyond 100 %', { signalPercent: 101 }],
    ['a temperature that no machine has', { temperatureCelsius: -300 }],
    ['a temperature that is no number', { temperatureCelsius: '4' }],
  ])('are set aside when %s, and the others are stored', async (_, wrong) => {
    const { machine, connection } = await aTalker()
    await connection.send(
      'reading',
      batch([
        { seq: 1, at: clock(), ...wrong },
        { seq: 2, at: clock(), signalPercent: 70 },
      ]),
    )
    expect(await rowsOf('readings', machine)).toMatchObject([{ seq: '2' }])
    expect(await connection.next<{ committed: number }>('ack', ({ committed }) => committed === 2)).toBeDefined()
    expect(await database.admin('select kind from dead_letters where serial = $1', [machine.serial])).toEqual([
      { kind: 'reading' },
    ])
  })
})

describe('configurations', () => {
  const config = (seq: number, minutesAgo: number, parameters: object, more: object = {}) => ({
    seq,
    at: clock(minutesAgo),
    parameters,
    ...more,
  })

  test('are stored with their time, origin and port', async () => {
    const { machine, connection } = await aTalker()
    await connection.send('config', batch([config(1, 5, { 'sale.maximumCredit': '20' }, { origin: 2, port: 'mqtt' })]))
    expect(await rowsOf('configurations', machine)).toMatchObject([
      { origin: 2, port: 'mqtt', parameters: { 'sale.maximumCredit': '20' }, machine_time: expect.any(String) },
    ])
    expect(server.hints).toContainEqual({
      merchantId: machine.merchantId,
      topic: 'configuration',
      machineId: machine.id,
    })
  })

  test('with the same values as the previous one confirm it, in any order of parameters', async () => {
    const { machine, connection } = await aTalker()
    await connection.send('config', batch([config(1, 60, { a: '1', b: '2' }), config(2, 30, { b: '2', a: '1' })]))
    const [row, ...others] = await rowsOf('configurations', machine)
    expect(others).toEqual([])
    expect(row?.confirmed_at - row?.read_at).toBe(30 * 60_000)
    await connection.send('config', batch([config(3, 10, { a: '1' }), config(4, 5, { a: '1', b: '2' })]))
    expect(await rowsOf('configurations', machine)).toHaveLength(3)
  })

  test('with the same values for weeks are stored again, so that retention keeps the current one', async () => {
    const { machine, connection } = await aTalker()
    const day = 24 * 60
    await connection.send('config', batch([config(1, 20 * day, { a: '1' }), config(2, 5, { a: '1' })]))
    expect(await rowsOf('configurations', machine)).toHaveLength(2)
  })

  test.each([
    ['a name with a blank', { 'a b': '1' }],
    ['a name that begins with no letter', { _a: '1' }],
    ['a name too long', { ['a'.repeat(61)]: '1' }],
    ['a value that is no text', { a: 1 }],
    ['a value too long', { a: 'x'.repeat(501) }],
    ['a NUL', { a: 'x\0' }],
    ['too many', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`p${index}`, '1']))],
  ])('with %s are set aside', async (_, parameters) => {
    const { machine, connection } = await aTalker()
    await connection.send('config', batch([config(1, 1, parameters), config(2, 1, { a: '1' })]))
    expect(await rowsOf('configurations', machine)).toMatchObject([{ seq: '2', parameters: { a: '1' } }])
    expect(await database.admin('select kind from dead_letters where serial = $1', [machine.serial])).toHaveLength(1)
  })
})

test('of documents of the visual programmer the newest is kept, and the server computes its hash', async () => {
  const { machine, connection } = await aTalker()
  const item = (seq: number, more: object) => ({ seq, at: clock(), sha256: 'a'.repeat(64), ...more })
  await connection.send('vpConfig', batch([item(2, { name: 'New', document: {} }), item(1, { name: 'Old' })]))
  const hashOfNothing = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
  const vpReports = () =>
    database.admin('select name, sha256, document from vp_reports where machine_id = $1', [machine.id])
  expect(await vpReports()).toEqual([{ name: 'New', sha256: hashOfNothing, document: {} }])
  // A hash alone, of a document that does not fit into a message.
  await connection.send('vpConfig', batch([item(3, { name: 'Large' })]))
  expect(await vpReports()).toEqual([{ name: 'Large', sha256: 'a'.repeat(64), document: null }])
})
