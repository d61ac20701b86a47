import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockJournals } from '#database/ingest/journal.ts'
import { manageStock, setStockCounter } from '#database/stock/manage.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
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
const batch = (items: object[], epoch = 1) => ({ id: randomUUID(), at: clock(), epoch, items })
const level = (selection: string, left: number, more: object = {}) => ({
  selection,
  level: left,
  capacity: 10,
  ...more,
})
const report = (seq: number, ...levels: object[]) => ({ seq, at: clock(), levels })

async function aTalker() {
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const connection = await aConnection(server, machine)
  const say = async (...items: object[]) => {
    await connection.send('stock', batch(items))
  }
  return { machine, connection, say }
}
const stockOf = (machine: TestMachine) =>
  database.admin(
    `select selection, level, status, product, warning_level, refilled_at, gone, seq::int from machine_stock
     where machine_id = $1 order by selection`,
    [machine.id],
  )
const alarmsOf = (machine: TestMachine) =>
  database.admin(
    'select code, status, criticity, detail, count from alarms where machine_id = $1 order by code desc, created_at, id',
    [machine.id],
  )
const lettersOf = (machine: TestMachine) =>
  database.admin('select kind, reason from dead_letters where serial = $1', [machine.serial])

describe('stock', () => {
  test('is stored by selection, with the last refill by the machine’s own clock, and acknowledged', async () => {
    const { machine, connection, say } = await aTalker()
    await say(report(1, level('12', 7, { product: 'Water', warningLevel: 3, refilledAt: clock(60) }), level('A3', 0)))
    const rows = await stockOf(machine)
    expect(rows).toMatchObject([
      { selection: '12', level: 7, status: 9, product: 'Water', warning_level: 3 },
      { selection: 'A3', level: 0, status: 1, product: null, warning_level: null, refilled_at: null },
    ])
    const hourAgo = Date.now() - rows[0]?.refilled_at.getTime()
    expect(Math.abs(hourAgo - 3_600_000)).toBeLessThan(60_000)
    expect(await connection.next<{ committed: number }>('ack', ({ committed }) => committed === 1)).toBeDefined()
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'stock', machineId: machine.id })
  })

  test('a selection that is not listed keeps its level; a removed selection is stored as removed', async () => {
    const { machine, say } = await aTalker()
    await say(report(1, level('1', 9), level('2', 9), level('3', 9)))
    await say(report(2, level('2', 8), level('3', 0, { gone: true })))
    expect(await stockOf(machine)).toMatchObject([
      { level: 9, seq: 1, gone: false },
      { level: 8, seq: 2, gone: false },
      { level: 0, seq: 2, gone: true },
    ])
  })

  test('is the same whatever the order and repetition of messages', async () => {
    const reports = [
      report(1, level('1', 9), level('2', 9)),
      report(2, level('1', 8)),
      report(3, level('2', 5), level('1', 7)),
      report(4, level('2', 4, { gone: true })),
    ]
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 2, 1, 0],
    ]
    for (const order of orders) {
      const one = await aTalker()
      const other = await aTalker()
      // Each in a separate message, and all of them in one.
      for (const index of order) await one.say(reports[index] as object)
      await other.say(...[...new Set(order)].map((index) => reports[index] as object))
      for (const { machine } of [one, other])
        expect(await stockOf(machine)).toMatchObject([
          { selection: '1', level: 7, seq: 3, gone: false },
          { selection: '2', level: 4, seq: 4, gone: true },
        ])
    }
  })

  test('of a new association replaces that of the previous one, though its numbers start at 1 again', async () => {
    const { machine, connection, say } = await aTalker()
    await say(report(7, level('1', 3)))
    await database.admin(`update machine_journals set epoch = 2, seen = '{}' where machine_id = $1`, [machine.id])
    await database.admin('update machine_directory set epoch = 2 where machine_id = $1', [machine.id])
    await connection.send('stock', batch([report(1, level('1', 10))], 2))
    expect(await stockOf(machine)).toMatchObject([{ level: 10, seq: 1 }])
  })

  test.each([
    ['a level below nothing', report(1, level('1', -1))],
    ['a level of 2^60', report(1, level('1', 2 ** 60))],
    ['5,000 selections', report(1, ...Array.from({ length: 5000 }, (_, index) => level(String(index), 1)))],
    ['a selection named twice', report(1, level('1', 1), level('1', 2))],
    ['a selection of two lines', report(1, level('1\n2', 1))],
    ['a selection with a control character', report(1, level('1\u0007', 1))],
    ['a selection that turns the text round', report(1, level('\u202e12', 1))],
  ])('with %s is set aside, and the valid items beside it are stored', async (_, wrong) => {
    const { machine, connection, say } = await aTalker()
    // Without their capacities, 5,000 levels fit into one message.
    const lean = { ...wrong, levels: wrong.levels.map((one) => ({ ...one, capacity: undefined })) }
    await say(lean, report(2, level('1', 10)))
    expect(await stockOf(machine)).toMatchObject([{ selection: '1', level: 10 }])
    expect(await lettersOf(machine)).toMatchObject([{ kind: 'stock' }])
    expect(await connection.next<{ committed: number }>('ack', ({ committed }) => committed === 2)).toBeDefined()
  })
})

describe('prices', () => {
  const price = (priceTable: number, selection: string, minor: number, more: object = {}) => ({
    priceTable,
    selection,
    price: minor,
    ...more,
  })
  const pricesOf = (machine: TestMachine) =>
    database.admin(
      `select selection, price_table, price::int, gone from machine_prices where machine_id = $1 order by selection, price_table`,
      [machine.id],
    )

  test('are stored by list and selection; the newest value wins, whatever the order', async () => {
    const { machine, connection } = await aTalker()
    const item = (seq: number, ...prices: object[]) => ({ seq, at: clock(), prices })
    await connection.send('prices', batch([item(2, price(1, '1', 130)), item(3, price(2, '2', 90, { gone: true }))]))
    await connection.send('prices', batch([item(1, price(1, '1', 120), price(2, '1', 110), price(2, '2', 95))]))
    expect(await pricesOf(machine)).toEqual([
      { selection: '1', price_table: 1, price: 130, gone: false },
      { selection: '1', price_table: 2, price: 110, gone: false },
      { selection: '2', price_table: 2, price: 90, gone: true },
    ])
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'stock', machineId: machine.id })
  })

  test.each([
    ['a price below nothing', price(1, '1', -1)],
    ['a price of 2^60', price(1, '1', 2 ** 60)],
    ['a ninth list', price(9, '1', 100)],
  ])('with %s are set aside', async (_, wrong) => {
    const { machine, connection } = await aTalker()
    const items = [
      { seq: 1, at: clock(), prices: [wrong] },
      { seq: 2, at: clock(), prices: [price(1, '1', 100)] },
    ]
    await connection.send('prices', batch(items))
    expect(await pricesOf(machine)).toEqual([{ selection: '1', price_table: 1, price: 100, gone: false }])
    expect(await lettersOf(machine)).toMatchObject([{ kind: 'prices' }])
  })
})

describe('low stock', () => {
  test('is one alarm that follows the levels, more severe when a selection is empty, and ends with the refill', async () => {
    const { machine, say } = await aTalker()
    await say(report(1, level('12', 3), level('14', 10)))
    expect(await alarmsOf(machine)).toEqual([])
    await say(report(2, level('12', 2)))
    const alarm = { code: 'P:STOCK', count: 1 }
    expect(await alarmsOf(machine)).toEqual([{ ...alarm, status: 'notification', criticity: 0, detail: '↓ 12' }])
    await say(report(3, level('12', 0), level('14', 1)))
    expect(await alarmsOf(machine)).toEqual([{ ...alarm, status: 'active', criticity: 2, detail: '∅ 12 · ↓ 14' }])
    expect(await database.admin('select pos_status from machines where id = $1', [machine.id])).toEqual([
      { pos_status: 2 },
    ])
    // Above the warning level of two, but within its margin.
    await say(report(4, level('12', 3), level('14', 3)))
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'active', count: 1 }])
    await say(report(5, level('12', 10), level('14', 10)))
    expect(await alarmsOf(machine)).toMatchObject([{ ...alarm, status: 'repaired' }])
    expect(await database.admin('select pos_status from machines where id = $1', [machine.id])).toEqual([
      { pos_status: 1 },
    ])
  })

  test('uses the machine’s own warning level', async () => {
    const { machine, say } = await aTalker()
    await say(report(1, level('12', 5, { warningLevel: 5 }), { selection: '13', level: 1 }))
    expect(await alarmsOf(machine)).toMatchObject([{ detail: '↓ 12' }])
  })

  test('a selection with an alarm from the machine keeps that alarm, and counts among several', async () => {
    const { machine, connection, say } = await aTalker()
    const event = (seq: number, code: string) => connection.send('event', batch([{ seq, at: clock(), code }]))
    const portalOf = async () => (await alarmsOf(machine)).filter(({ code }) => code === 'P:STOCK')
    await say(report(1, level('12', 1), level('13', 10), level('14', 10)))
    expect(await portalOf()).toMatchObject([{ status: 'notification', detail: '↓ 12' }])
    // The machine reports it too: one alarm is enough.
    await event(2, 'ELB_12')
    await say(report(3, level('12', 0)))
    expect(await alarmsOf(machine)).toMatchObject([
      { code: 'P:STOCK', status: 'repaired' },
      { code: 'ELB_12', status: 'active' },
    ])
    await event(4, 'ELB_13')
    expect(await portalOf()).toHaveLength(1)
    await say(report(5, level('12', 0), level('14', 1)))
    const several = { status: 'active', criticity: 2, detail: '3 ≥ 3 · ↓ 14' }
    // Low again so soon, it is the same alarm.
    expect(await portalOf()).toMatchObject([{ ...several, count: 2 }])
    // Refilled: the event arrives first, and older levels raise no alarm.
    await event(6, 'OA1B')
    expect((await portalOf()).filter(({ status }) => status !== 'repaired')).toHaveLength(1)
    await say(report(7, level('12', 10), level('13', 10), level('14', 10)))
    const alarms = await alarmsOf(machine)
    expect(alarms).toHaveLength(3)
    expect(new Set(alarms.map(({ status }) => status))).toEqual(new Set(['repaired']))
  })

  test('older levels raise no alarm after a refill event', async () => {
    const { machine, connection, say } = await aTalker()
    await connection.send('event', batch([{ seq: 1, at: clock(), code: 'ELB_12' }]))
    await say(report(2, level('12', 0)))
    await connection.send('event', batch([{ seq: 3, at: clock(), code: 'OA1B' }]))
    await say(report(4, level('12', 10)))
    expect(await alarmsOf(machine)).toMatchObject([{ code: 'ELB_12', status: 'repaired' }])
  })

  test('marked as repaired while still low, it is not raised again until refilled', async () => {
    const { machine, say } = await aTalker()
    await say(report(1, level('12', 1)))
    await database.admin(`update alarms set status = 'repairedManually', repaired_at = now() where machine_id = $1`, [
      machine.id,
    ])
    await say(report(2, level('12', 0)))
    expect(await alarmsOf(machine)).toHaveLength(1)
    await say(report(3, level('12', 10)))
    await say(report(4, level('12', 1)))
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repairedManually' }, { status: 'notification' }])
  })

  test('has the severity that the merchant sets, and is not raised if switched off', async () => {
    const grave = await aTalker()
    const none = await aTalker()
    const setting = (machine: TestMachine, column: string, value: string) =>
      database.admin(`insert into alarm_settings (merchant_id, code, ${column}) values ($1, 'P:STOCK', ${value})`, [
        machine.merchantId,
      ])
    await setting(grave.machine, 'criticity', '4')
    await setting(none.machine, 'enabled', 'false')
    for (const { say } of [grave, none]) {
      await say(report(1, level('12', 1)))
      await say(report(2, level('12', 0)))
    }
    expect(await alarmsOf(grave.machine)).toMatchObject([{ criticity: 4, detail: '∅ 12' }])
    expect(await alarmsOf(none.machine)).toEqual([])
  })
})

describe('stock of a managed machine', () => {
  const sale = (seq: number, minutesAgo = 0, more: object = {}) => ({
    seq,
    at: clock(minutesAgo),
    type: 1,
    mediaType: 1,
    mediaSource: 1,
    priceLine: 12,
    value: 100,
    ...more,
  })
  const levelOf = async (machine: TestMachine) => (await stockOf(machine))[0]?.level
  async function aManaged(level_: number, counter: 'portal' | 'machine' = 'machine') {
    const one = await aTalker()
    await one.say(report(10, level('12', level_)))
    const key = { merchantId: one.machine.merchantId, machineId: one.machine.id }
    await database.withTenant(wholeMerchant(key.merchantId), async (db) => {
      await lockJournals(db, [one.machine])
      await manageStock(db, [key], true, new Date())
      await setStockCounter(db, [key], counter, new Date())
    })
    return { ...one, sell: (...items: object[]) => one.connection.send('sale', batch(items)) }
  }

  test('falls with each sale, once, and raises and ends the low-stock alarm', async () => {
    const { machine, sell, say } = await aManaged(3)
    await sell(sale(11))
    await sell(sale(11))
    expect(await levelOf(machine)).toBe(2)
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'notification', detail: '↓ 12' }])
    await sell(
      sale(12, 0, { errorSale: true }),
      sale(13, 0, { type: 2, freeSale: true, value: 0 }),
      sale(14, 0, { type: 3 }),
    )
    expect(await levelOf(machine)).toBe(0)
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'active', detail: '∅ 12' }])
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'stock', machineId: machine.id })
    await say(report(15, level('12', 10)))
    expect(await levelOf(machine)).toBe(10)
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repaired' }])
  })

  test('keeps the newest count when a sale or a report from before it arrives a day late', async () => {
    const { machine, sell, say } = await aManaged(9)
    await say(report(20, level('12', 6)))
    await sell(sale(5, 24 * 60), sale(15, 60))
    await say({ ...report(12, level('12', 9)), at: clock(90) })
    expect(await levelOf(machine)).toBe(6)
  })
})
