import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { inputOf, storeItem } from '#testkit/machines/seller.ts'
import { type Entry, storeBatch } from './store-batch.ts'

const at = (time: string) => `2026-03-${time}:00Z`
/** A machine's week: its box fills, is collected with all reports, fills again and is emptied without a word. */
const week = [
  { kind: 'cash', at: at('02T03:00'), more: { box: 1000 } },
  { kind: 'cash', at: at('04T03:00'), more: { box: 5000 } },
  { kind: 'sale', at: at('04T09:58'), more: { type: 12, value: 6200 } },
  { kind: 'cash', at: at('04T09:59'), more: { box: 0 } },
  { kind: 'cash', at: at('05T03:00'), more: { box: 3000 } },
  { kind: 'cash', at: at('07T03:00'), more: { box: 0 } },
  { kind: 'cash', at: at('07T03:05'), more: { box: 100 } },
] as const

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-03-01', '2026-04-01')`)
})
afterAll(() => database.close())

const collectionsOf = (machine: TestMachine) =>
  database.admin(
    `select c.at, c.reported_total::int as reported, c.reading_at, c.reading_since, c.status from collections c where c.machine_id = $1 order by c.at`,
    [machine.id],
  )
const expected = [
  {
    at: new Date(at('04T09:58')),
    reported: 6200,
    status: 'open',
    reading_at: new Date(at('04T09:59')),
    reading_since: new Date(at('04T03:00')),
  },
  {
    at: new Date(at('07T03:00')),
    reported: null,
    status: 'open',
    reading_at: new Date(at('07T03:00')),
    reading_since: new Date(at('05T03:00')),
  },
]

test('cash reports and transactions open the same collections in any order, one by one or together, and repeated', async () => {
  const { id: merchantId } = await aMerchant(database)
  const orders = [
    [0, 1, 2, 3, 4, 5, 6],
    [6, 5, 4, 3, 2, 1, 0],
    [0, 3, 5, 6, 1, 2, 4],
  ]
  for (const order of orders) {
    const machine = await aMachine(database, merchantId)
    for (const index of [...order, ...order]) {
      const item = week[index]
      if (item) await storeItem(database, machine, { ...item, seq: index + 1 })
    }
    expect(await collectionsOf(machine), order.join(' ')).toEqual(expected)
  }
  const machine = await aMachine(database, merchantId)
  await storeBatch(
    database,
    week.map((item, index) => inputOf(machine, { ...item, seq: index + 1 })),
    () => {},
  )
  expect(await collectionsOf(machine)).toEqual(expected)
})

test('a collection audit opens a collection, another audit does not', async () => {
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const announced: string[] = []
  const read = async (seq: number, origin: number) => {
    const item = {
      origin,
      port: 'mqtt',
      crc: 'holds',
      warnings: 0,
      sha256: Buffer.from(randomUUIDv7()),
      currency: 'EUR',
      salesTotal: null,
      vendsTotal: null,
      selectionsTotal: null,
      prices: [],
      raw: Buffer.from('DXS'),
      content: {
        sales: {},
        payments: {},
        selections: [],
        priceRows: [],
        identity: {},
        money: { currency: 'EUR', digits: 2 },
        cash: { coins: [], bills: [], tubes: [] },
      },
    }
    const entry = {
      kind: 'audit',
      seq,
      at: Date.parse(at(`04T0${seq}:00`)),
      machineTime: null,
      item,
    } as unknown as Entry
    const input = { ...inputOf(machine, { kind: 'sale', seq, at: at('04T09:00') }), entries: [entry] }
    await storeBatch(database, [input], (_, topic) => announced.push(topic))
  }
  await read(1, 1)
  expect(await collectionsOf(machine)).toEqual([])
  await read(2, 4)
  expect(await collectionsOf(machine)).toHaveLength(1)
  expect(announced.filter((topic) => topic === 'collection')).toHaveLength(1)
})
