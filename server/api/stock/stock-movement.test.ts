import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refreshDueSupplies } from '#database/stock/supply.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aPrice, aSale, aStock } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  machine = await aMachine(api.database, merchantId, { name: 'Station' })
  await aStock(api.database, machine, { selection: '12', level: 6, capacity: 10, at: new Date(Date.now() - 3_600_000) })
  await aStock(api.database, machine, { selection: '13', level: 0, capacity: 10, at: new Date(Date.now() - 3_600_000) })
})

const params = () => ({ merchantId, posId: machine.id })
const manage = (manageStock: boolean) => admin.setManageStock({ params: params(), body: { manageStock } })
const book = (...edits: { selection: string; before: number; count?: number; waste?: number; refill?: number }[]) =>
  admin.bookStock({ params: params(), body: { edits } })
const levels = async () => {
  const { items } = await admin.listStock({ params: params(), query: { ord: 'selection' } })
  return items.map(({ selection, level, balance }) => [selection, level, balance])
}

test('counts, waste and refills of managed stock are booked and listed with their user', async () => {
  await expect(book({ selection: '12', before: 6, refill: 1 })).rejects.toMatchObject({ code: 'StockNotManaged' })
  await manage(true)
  expect(await levels()).toEqual([
    ['12', 6, 6],
    ['13', 0, 0],
  ])
  expect(await book({ selection: '12', before: 6, count: 5, waste: 1, refill: 4 })).toMatchObject({
    booked: 1,
    levels: [{ selection: '12', level: 8 }],
  })
  const { items, shrinkage } = await admin.listStockMovements({ params: params(), query: { selections: ['12'] } })
  expect(items.map(({ kind, amount, opening, changedBy }) => [kind, amount, opening, changedBy])).toEqual([
    ['refill', 4, false, 'Test merchantAdmin'],
    ['waste', -1, false, 'Test merchantAdmin'],
    ['correction', -1, false, 'Test merchantAdmin'],
    ['report', 6, true, null],
  ])
  expect(shrinkage).toBe(1)
  const filtered = await admin.listStockMovements({ params: params(), query: { kinds: ['refill'] } })
  expect(filtered).toMatchObject({ total: 1, shrinkage: 1 })
})

test('a count of a level that changed meanwhile is a conflict; a refill is added to it', async () => {
  await manage(true)
  await book({ selection: '12', before: 6, waste: 2 })
  expect(await book({ selection: '12', before: 6, count: 9 })).toMatchObject({
    booked: 0,
    conflicts: [{ selection: '12', current: 4 }],
  })
  expect(await book({ selection: '12', before: 6, refill: 3 })).toMatchObject({ booked: 1, conflicts: [] })
  expect(await levels()).toContainEqual(['12', 7, 7])
})

test('more than the capacity and an unknown selection are refused line by line', async () => {
  await manage(true)
  const edits = [
    { selection: '12', before: 6, refill: 5 },
    { selection: '13', before: 0, refill: 10 },
    { selection: '99', before: 0, refill: 1 },
  ]
  expect(await book(...edits)).toMatchObject({
    booked: 1,
    refused: [
      { selection: '12', reason: 'aboveCapacity' },
      { selection: '99', reason: 'unknown' },
    ],
  })
  expect(await book({ selection: '12', before: 6, waste: 100_000 })).toMatchObject({
    booked: 0,
    refused: [{ selection: '12', reason: 'aboveLevel' }],
  })
  await expect(book({ selection: '12', before: 6, count: -1 })).rejects.toMatchObject({ code: 'ValidationFailed' })
  await expect(book({ selection: '12', before: 6, count: 1_000_000 })).rejects.toMatchObject({
    code: 'ValidationFailed',
  })
})

test('a machine user sees stock and movements and books nothing', async () => {
  await manage(true)
  const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  expect(await user.listStockMovements({ params: params() })).toMatchObject({ total: 1 })
  await expect(
    user.bookStock({ params: params(), body: { edits: [{ selection: '12', before: 6, refill: 1 }] } }),
  ).rejects.toMatchObject({ code: 'Forbidden' })
})

test('managed machines are listed by when the first selection is empty, with an estimate of lost sales', async () => {
  // Two a day on each of the last 28 days.
  for (let day = 0; day < 28; day++)
    for (const priceLine of [12, 13])
      for (let n = 0; n < 2; n++)
        await aSale(api.database, machine, {
          created_at: new Date(Date.now() - day * 86_400_000 - 7_200_000),
          price_line: priceLine,
          value: 100,
        })
  await aPrice(api.database, machine, { selection: '13', price: 150 })
  const other = await aMachine(api.database, merchantId, { name: 'Airport' })
  await aStock(api.database, other, { selection: '1', level: 9, capacity: 10 })
  const all = { machines: { ids: [machine.id, other.id] } }
  expect(await admin.setManageStocks({ params: { merchantId }, body: { ...all, manageStock: true } })).toMatchObject({
    unchanged: 0,
  })
  const list = (query: object = {}) => admin.listSupplies({ params: { merchantId }, query })
  const { items } = await list()
  expect(items).toMatchObject([
    { posName: 'Station', status: 1, out: 1, low: 0, level: 6, capacity: 20, fillPercent: 30 },
    { posName: 'Airport', status: 9, out: 0, fillPercent: 90, emptyAt: null, lostPerDay: 0 },
  ])
  // A forecast, so about two a day.
  expect(Math.round((items[0]?.lostPerDay ?? 0) / 10)).toBe(30)
  expect((await list({ ord: 'fill', ordType: 'DESC' })).items[0]).toMatchObject({ posName: 'Airport' })
  expect((await list({ statuses: [1] })).total).toBe(1)
  expect((await list({ emptyWithinDays: 7 })).total).toBe(1)
  expect((await list({ search: 'airp' })).total).toBe(1)
  const [stock] = (await admin.listStock({ params: params(), query: { ord: 'selection' } })).items
  expect(stock).toMatchObject({ usualPerDay: 2, daysUntilEmpty: expect.closeTo(3, 0) })

  await book({ selection: '13', before: 0, refill: 10 })
  expect((await list()).items[0]).toMatchObject({ out: 1 })
  await refreshDueSupplies(api.database, new Date())
  expect((await list()).items[0]).toMatchObject({ out: 0, level: 16, lostPerDay: 0 })
  await admin.setManageStocks({ params: { merchantId }, body: { ...all, manageStock: false } })
  expect((await list()).total).toBe(0)
})

test('stock of a machine follows its planogram while it is managed', async () => {
  const planogramId = randomUUIDv7()
  await api.database.admin(
    `insert into planograms (merchant_id, id, name, planogram_type, created_at) values ($1, $2, 'Snacks', 'B', now())`,
    [merchantId, planogramId],
  )
  const line = { productId: null, warningLevel: 2, refillValue: 7, prices: {} }
  const planogram = { name: 'Snacks', description: null, planogramType: 'B' as const }
  const save = (version: number, lines: object[]) =>
    admin.updatePlanogram({
      params: { merchantId, planogramId },
      body: { version, ...planogram, lines } as never,
    })
  await save(1, [{ ...line, selection: '7', capacity: 8 }])
  await manage(true)
  await admin.setMachinePlanogram({ params: params(), body: { planogramId } })
  expect(await levels()).toEqual([
    ['7', 7, 7],
    ['12', 6, 6],
    ['13', 0, 0],
  ])
  await save(2, [
    { ...line, selection: '8', capacity: 9 },
    { ...line, selection: '12', capacity: 20 },
  ])
  const { items } = await admin.listStock({ params: params(), query: { ord: 'selection' } })
  expect(items.map(({ selection, capacity, refillValue }) => [selection, capacity, refillValue])).toEqual([
    ['8', 9, 7],
    ['12', 20, 7],
    ['13', 10, null],
  ])
  await manage(false)
  expect((await levels()).map(([selection]) => selection)).toEqual(['12', '13'])
})
