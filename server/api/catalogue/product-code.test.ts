import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnIdsOf } from '#contract/export/export-lists.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { storeItem } from '#testkit/machines/seller.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let user: TestUser
let admin: TestClient
let machine: TestMachine
let seq = 0
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(user)
  machine = await aMachine(api.database, merchantId, { groupId: await aGroup(api.database, merchantId) })
})
afterAll(() => api.close())

const codes = async (query: object = {}, by = admin) =>
  (await by.listProductCodes({ params: { merchantId }, query })).items
const codeNamed = async (code: string) => {
  const productCode = (await codes()).find((one) => one.code === code)
  if (!productCode) throw new Error(`No code ${code}`)
  return productCode.id
}
const map = (productCodeId: string, productId: string | null) =>
  admin.mapProductCode({ params: { merchantId, productCodeId }, body: { productId } })
const sell = (more: object) =>
  storeItem(api.database, machine, { kind: 'sale', seq: ++seq, at: Date.now(), more: { value: 50, ...more } })

const today = new Date().toISOString().slice(0, 10)
const [before, after] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
const period = { startDate: before ?? today, endDate: after ?? today }

test('sales, their search, their file, statistics and stock show the product that a code is mapped to', async () => {
  const water = await aProduct(api.database, merchantId, { code: 'W-50', name: 'Still water' })
  await sell({ product: 'ACQUA NAT' })
  await sell({ product: 'ACQUA 0,5' })
  await sell({ productCode: '77' })
  await sell({ product: 'Other', productCode: '9' })
  await aStock(api.database, machine, { selection: '4', product: 'ACQUA NAT' })
  for (const code of ['ACQUA NAT', 'ACQUA 0,5', '77']) await map(await codeNamed(code), water)

  const { items } = await admin.listTransactions({ params: { merchantId }, query: { ...period, search: 'still wat' } })
  expect(items.map(({ product, sentProduct, productCode }) => [product, sentProduct, productCode]).toSorted()).toEqual([
    ['Still water', null, '77'],
    ['Still water', 'ACQUA 0,5', null],
    ['Still water', 'ACQUA NAT', null],
  ])
  const [one] = items
  const id = { merchantId, transactionId: one?.id ?? '' }
  expect(await admin.getTransaction({ params: id })).toMatchObject({ product: 'Still water' })
  const order = {
    list: 'transactions',
    format: 'csv',
    language: 'en',
    columns: columnIdsOf('transactions'),
    filter: period,
  }
  const file = await api.send('exportShown', { params: { merchantId }, body: order }, user)
  expect(file.payload.match(/Still water/g)).toHaveLength(3)
  expect(file.payload).toContain('Other')
  const used = await admin.productsUsed({ params: { merchantId }, query: period })
  expect(used.map(({ product, count, value }) => [product, count, value])).toEqual([
    ['Still water', 3, 150],
    ['Other', 1, 50],
  ])
  const stock = await admin.listStock({ params: { merchantId, posId: machine.id }, query: { search: 'still' } })
  expect(stock.items).toMatchObject([{ product: 'Still water', sentProduct: 'ACQUA NAT' }])

  await map(await codeNamed('ACQUA NAT'), null)
  const again = await admin.productsUsed({ params: { merchantId }, query: period })
  expect(again.map(({ product, count }) => [product, count])).toEqual([
    ['Still water', 2],
    ['ACQUA NAT', 1],
    ['Other', 1],
  ])
})

test('unmapped codes are listed first and counted; a mapping is logged', async () => {
  const codeId = await aProductCode(api.database, machine, { code: 'AAA', machine_code: '123' })
  const productId = await aProduct(api.database, merchantId, { name: 'Mapped' })
  const { unmapped } = await admin.listProductCodes({ params: { merchantId }, query: { size: 1 } })
  expect(await map(codeId, productId)).toMatchObject({
    productName: 'Mapped',
    posName: machine.name ?? expect.any(String),
  })
  const rows = await codes()
  const firstMapped = rows.findIndex((row) => row.productId !== null)
  expect(rows.slice(firstMapped).every((row) => row.productId !== null)).toBe(true)
  const now = await admin.listProductCodes({ params: { merchantId }, query: { isMapped: 'true', search: '123' } })
  expect(now).toMatchObject({ total: 1, unmapped: unmapped - 1, items: [{ id: codeId }] })
  const log = await api.database.admin('select action, before, after from change_log where subject_id = $1', [codeId])
  expect(log).toEqual([
    {
      action: 'productCode.map',
      before: { code: 'AAA', productId: null },
      after: { code: 'AAA', productId },
    },
  ])
})

test('a group admin sees, and maps, the codes that machines of the own groups have sent, and no others', async () => {
  const group = await aGroup(api.database, merchantId)
  const groupUser = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  const ownMachine = await aMachine(api.database, merchantId, { groupId: group })
  await sell({ product: 'Shared' })
  await sell({ product: 'Elsewhere' })
  expect(await codes({}, groupUser)).toEqual([])
  const sellHere = (product: string, at: number) =>
    storeItem(api.database, ownMachine, { kind: 'sale', seq: at, at: Date.now(), more: { value: 50, product } })
  await sellHere('Shared', 1)
  await sellHere('Here', 2)
  expect((await codes({}, groupUser)).map(({ code, posId }) => [code, posId])).toEqual([
    ['Here', ownMachine.id],
    ['Shared', null],
  ])
  expect((await groupUser.listProductCodes({ params: { merchantId }, query: { search: 'else' } })).total).toBe(0)
  const productId = await aProduct(api.database, merchantId)
  const foreign = { merchantId, productCodeId: await codeNamed('Elsewhere') }
  await expect(groupUser.mapProductCode({ params: foreign, body: { productId } })).rejects.toMatchObject({
    status: 404,
  })
  await groupUser.mapProductCode({
    params: { merchantId, productCodeId: await codeNamed('Here') },
    body: { productId },
  })
})

test('a code is not mapped to a product of another merchant, also under all merchants', async () => {
  const other = (await aMerchant(api.database)).id
  const both = api.as(
    await aUser(
      api.database,
      'merchantAdmin',
      [merchantId, other].map((id) => ({ merchantId: id, groups: 'all' as const })),
    ),
  )
  const productCodeId = await aProductCode(api.database, machine)
  const productId = await aProduct(api.database, other)
  for (const path of [merchantId, allMerchants]) {
    const mapping = both.mapProductCode({ params: { merchantId: path, productCodeId }, body: { productId } })
    await expect(mapping).rejects.toMatchObject({ status: 404 })
  }
})
