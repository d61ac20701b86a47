import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let water: string
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const bought = { supplier: 'Acqua', pack_size: 6, minimum_packs: 2, lead_days: 3, cost: 20 }
  water = await aProduct(api.database, merchantId, { name: 'Water', code: 'W', ...bought })
  await aProduct(api.database, merchantId, { name: 'Crisps', code: 'C', supplier: 'Snacks' })
})

/** A managed machine with 2 of 10 pieces of water; it sells 2 a day. */
async function aWaterMachine() {
  const planogramId = await aPlanogram(api.database, merchantId)
  const line = { selection: '11', capacity: 12, warning_level: 2, refill_value: 10 }
  await aPlanogramLine(api.database, merchantId, planogramId, water, line)
  const machine = await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })
  await aStock(api.database, machine, { selection: '11', level: 2, at: new Date(Date.now() - 7_200_000) })
  await admin.setManageStock({ params: { merchantId, posId: machine.id }, body: { manageStock: true } })
  await api.database.admin(
    `update machine_stock set usual = array_fill(2::real, array[7]), forecast = array_fill(2::real, array[28]),
       forecast_from = (now() at time zone 'Europe/Rome')::date
     where machine_id = $1`,
    [machine.id],
  )
}
const toBuy = async (query: object = {}) =>
  (await admin.listProductsToBuy({ params: { merchantId }, query })).items.map(({ product, toBuy, packs }) => [
    product,
    toBuy,
    packs,
  ])
async function deliver(pieces: number, with_: object = {}) {
  const place = await admin.createStockPlace({
    params: { merchantId },
    body: { name: `Place ${randomUUID().slice(-6)}`, kind: 'warehouse' },
  })
  await admin.bookPieces({
    params: { merchantId, stockPlaceId: place.id },
    body: { id: randomUUID(), kind: 'purchase', lines: [{ productId: water, pieces, ...with_ }] },
  })
}

test('what machines lack and will sell until and after the delivery is bought in packs', async () => {
  await aWaterMachine()
  const { items, totals } = await admin.listProductsToBuy({ params: { merchantId }, query: { coverDays: 7 } })
  // 8 missing, and 2 a day for 3 days of delivery and 7 days after it: 28 pieces, in packs of 6.
  expect(items).toMatchObject([
    { product: 'Water', supplier: 'Acqua', missing: 8, expected: 20, onHand: 0, packs: 5, toBuy: 30, cost: 600 },
  ])
  expect(totals).toEqual([{ currency: 'EUR', values: { toBuy: 30, cost: 600 } }])
})

test('what warehouses and vans have is not bought again, unless it has expired', async () => {
  await aWaterMachine()
  await deliver(20)
  expect(await toBuy()).toEqual([['Water', 12, 2]])
  await deliver(100, { expiresOn: '2020-01-01' })
  expect(await toBuy()).toEqual([['Water', 12, 2]])
  await deliver(8)
  expect(await toBuy()).toEqual([])
  expect(await toBuy({ withEnough: 'true' })).toEqual([
    ['Water', 0, 0],
    ['Crisps', 0, 0],
  ])
})

test('the list is filtered by supplier and days, and is a file', async () => {
  await aWaterMachine()
  expect(await toBuy({ supplier: 'Snacks', withEnough: 'true' })).toEqual([['Crisps', 0, 0]])
  expect(await toBuy({ coverDays: 30 })).toEqual([['Water', 78, 13]])
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const columns = ['product', 'toBuy', 'packs']
  const order = { list: 'productsToBuy', format: 'csv', language: 'en', columns, filter: { coverDays: 30 } }
  const file = await api.send('exportShown', { params: { merchantId }, body: order }, user)
  expect(file.payload.trim().split('\n').at(-1)).toContain('Water')
  expect(file.payload).toContain('78')
  const pdf = await api.send('getProductsToBuyPdf', { params: { merchantId }, query: {} }, user)
  expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
})

test('another merchant sees nothing of it', async () => {
  await aWaterMachine()
  const elsewhere = (await aMerchant(api.database)).id
  const other = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: elsewhere, groups: 'all' }]))
  const list = await other.listProductsToBuy({ params: { merchantId: elsewhere }, query: { withEnough: 'true' } })
  expect(list.items).toEqual([])
})
