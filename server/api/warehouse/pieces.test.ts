import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewPieceOperation } from '#contract/warehouse/piece-operation.ts'
import { storedBy } from '#database/merchants/merchant-edit.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let warehouse: string
let van: string
let water: string
let crisps: string
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const place = async (name: string, kind: 'warehouse' | 'van') =>
    (await admin.createStockPlace({ params: { merchantId }, body: { name, kind } })).id
  warehouse = await place('Milano', 'warehouse')
  van = await place('Ducato', 'van')
  water = await aProduct(api.database, merchantId, { name: 'Water', code: 'W', cost: 20 })
  crisps = await aProduct(api.database, merchantId, { name: 'Crisps', code: 'C' })
})

type Operation = NewPieceOperation extends infer O
  ? O extends { kind: string }
    ? Partial<O> & Pick<O, 'kind'>
    : never
  : never
const book = (stockPlaceId: string, operation: Operation) =>
  admin.bookPieces({
    params: { merchantId, stockPlaceId },
    body: { id: randomUUIDv7(), ...operation } as Parameters<TestClient['bookPieces']>[0]['body'],
  })
type Line = { productId: string; pieces: number; unitCost?: number; expiresOn?: string; lotCode?: string }
const buy = (...lines: Line[]) => book(warehouse, { kind: 'purchase', lines } as Operation)
const move = (...lines: Line[]) => book(warehouse, { kind: 'transfer', toStockPlaceId: van, lines })
const lotsAt = async (stockPlaceId: string, query: object = {}) =>
  (await admin.listPlaceLots({ params: { merchantId, stockPlaceId }, query })).items.map(
    ({ product, expiresOn, pieces }) => [product, expiresOn, pieces],
  )
const movesAt = async (stockPlaceId: string) =>
  (await admin.listPieceOperations({ params: { merchantId, stockPlaceId }, query: {} })).items
const placeOf = (stockPlaceId: string) => admin.getStockPlace({ params: { merchantId, stockPlaceId } })

test('a delivery goes into the warehouse and on into the van, first the lot that expires first', async () => {
  await buy(
    { productId: water, pieces: 24, unitCost: 25, expiresOn: '2027-03-31', lotCode: 'B' },
    { productId: water, pieces: 12, unitCost: 22, expiresOn: '2026-12-31', lotCode: 'A' },
    { productId: crisps, pieces: 10 },
  )
  expect(await placeOf(warehouse)).toMatchObject({ products: 2, pieces: 46, value: 24 * 25 + 12 * 22, expired: 0 })
  await move({ productId: water, pieces: 20 })
  expect(await lotsAt(van)).toEqual([
    ['Water', '2026-12-31', 12],
    ['Water', '2027-03-31', 8],
  ])
  expect(await lotsAt(warehouse)).toEqual([
    ['Water', '2027-03-31', 16],
    ['Crisps', null, 10],
  ])
  expect(await movesAt(van)).toMatchObject([
    { kind: 'transfer', product: 'Water', pieces: 20, otherPlaceName: 'Milano', by: 'Test merchantAdmin' },
  ])
  expect(await movesAt(warehouse)).toMatchObject([
    { kind: 'transfer', product: 'Water', pieces: -20, otherPlaceName: 'Ducato' },
    { kind: 'purchase', pieces: expect.any(Number) },
    { kind: 'purchase', pieces: expect.any(Number) },
  ])
})

describe('refused, without a trace', () => {
  test('moving more than is there: each product with what there is', async () => {
    await buy({ productId: water, pieces: 3 })
    await expect(move({ productId: water, pieces: 4 }, { productId: crisps, pieces: 1 })).rejects.toMatchObject({
      code: 'NotEnoughPieces',
      facts: {
        names: 'Water, Crisps',
        products: [
          { productId: water, pieces: 4, has: 3, product: 'Water' },
          { productId: crisps, pieces: 1, has: 0, product: 'Crisps' },
        ],
      },
    })
    expect(await lotsAt(warehouse)).toEqual([['Water', null, 3]])
    expect(await movesAt(van)).toEqual([])
  })

  test('a transfer to the same place, a product of another merchant, a place that has pieces', async () => {
    await buy({ productId: water, pieces: 3 })
    await expect(
      book(warehouse, { kind: 'transfer', toStockPlaceId: warehouse, lines: [{ productId: water, pieces: 1 }] }),
    ).rejects.toMatchObject({ code: 'SameStockPlace' })
    const foreign = await aProduct(api.database, (await aMerchant(api.database)).id)
    await expect(buy({ productId: foreign, pieces: 1 })).rejects.toMatchObject({ code: 'ProductNotFound' })
    const params = { merchantId, stockPlaceId: warehouse }
    await expect(admin.deleteStockPlace({ params })).rejects.toMatchObject({
      code: 'StockPlaceInUse',
      facts: { products: 1 },
    })
    await book(warehouse, { kind: 'count', lines: [{ productId: water, counted: 0 }] })
    await admin.deleteStockPlace({ params })
  })
})

test('the same operation sent twice is booked once; another one under its id is refused', async () => {
  const id = randomUUIDv7()
  const delivery = { id, kind: 'purchase', lines: [{ productId: water, pieces: 5 }] } as Operation
  const [one, other] = await Promise.all([book(warehouse, delivery), book(warehouse, delivery)])
  expect([one, other].map(({ changes }) => changes[0]?.left)).toEqual([5, 5])
  expect(await lotsAt(warehouse)).toEqual([['Water', null, 5]])
  await expect(
    book(warehouse, { ...delivery, lines: [{ productId: water, pieces: 6 }] } as Operation),
  ).rejects.toMatchObject({ code: 'OperationIdTaken' })
})

test('a product with pieces is not deleted, and the answer names their place; afterwards the movements are kept', async () => {
  await buy({ productId: water, pieces: 3 })
  const params = { merchantId, productId: water }
  await expect(admin.deleteProduct({ params })).rejects.toMatchObject({
    code: 'ProductInPlanograms',
    facts: { planograms: 0, stockPlaces: 1, firstStockPlaces: [{ id: warehouse, name: 'Milano' }] },
  })
  const waste = { id: randomUUIDv7(), kind: 'waste', lines: [{ productId: water, pieces: 3 }] } as Operation
  await book(warehouse, waste)
  await admin.deleteProduct({ params })
  await expect(book(warehouse, { ...waste, id: randomUUIDv7() } as Operation)).rejects.toMatchObject({
    code: 'ProductNotFound',
  })
  expect((await movesAt(warehouse)).map(({ pieces }) => pieces)).toEqual([-3, 3])
})

test('a product that is deleted while a delivery of it is booked stays with its pieces, or there are none', async () => {
  for (let round = 0; round < 8; round++) {
    const product = await aProduct(api.database, merchantId)
    const [deletion, delivery] = await Promise.allSettled([
      admin.deleteProduct({ params: { merchantId, productId: product } }),
      buy({ productId: product, pieces: 1 }),
    ])
    expect([deletion.status, delivery.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('the currency of a merchant with lots is fixed: their costs are in it', async () => {
  await buy({ productId: water, pieces: 3, unitCost: 25 })
  const scope = [{ merchantId, groups: 'all' as const }]
  expect((await api.database.withTenant(scope, (db) => storedBy(db, merchantId))).money).toBe(true)
})

test('a count is what there is; what it misses is of the lots that leave first, what it finds is of none', async () => {
  await buy(
    { productId: water, pieces: 6, expiresOn: '2026-12-31' },
    { productId: water, pieces: 6, expiresOn: '2027-03-31' },
  )
  await book(warehouse, { kind: 'count', lines: [{ productId: water, counted: 4 }] })
  expect(await lotsAt(warehouse)).toEqual([['Water', '2027-03-31', 4]])
  await book(warehouse, { kind: 'count', lines: [{ productId: water, counted: 9 }] })
  expect(await lotsAt(warehouse)).toEqual([
    ['Water', '2027-03-31', 4],
    ['Water', null, 5],
  ])
})

test('expired pieces are counted and found', async () => {
  await buy({ productId: water, pieces: 6, expiresOn: '2020-01-31' }, { productId: crisps, pieces: 2 })
  expect(await placeOf(warehouse)).toMatchObject({ pieces: 8, expired: 6, value: 6 * 20 })
  expect(await lotsAt(warehouse, { isExpired: 'true' })).toEqual([['Water', '2020-01-31', 6]])
  expect(await lotsAt(warehouse, { isExpired: 'false' })).toEqual([['Crisps', null, 2]])
  await book(warehouse, { kind: 'waste', lines: [{ productId: water, pieces: 6 }] })
  expect(await placeOf(warehouse)).toMatchObject({ pieces: 2, expired: 0 })
})

test('two people who empty a place at once take no more than is there, and each piece stays somewhere', async () => {
  await buy({ productId: water, pieces: 10, expiresOn: '2027-01-31' }, { productId: crisps, pieces: 10 })
  const tries = await Promise.allSettled(
    [1, 2, 3, 4, 5].flatMap(() => [
      move({ productId: water, pieces: 3 }, { productId: crisps, pieces: 1 }),
      book(van, { kind: 'transfer', toStockPlaceId: warehouse, lines: [{ productId: water, pieces: 2 }] }),
      book(warehouse, { kind: 'waste', lines: [{ productId: water, pieces: 1 }] }),
    ]),
  )
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'NotEnoughPieces' })
  const sums = await api.database.admin<{ product: string; everywhere: string; at_places: string; wasted: string }>(
    `select e.product_id as product, sum(e.pieces) as everywhere,
       sum(e.pieces) filter (where e.account = 'place') as at_places,
       coalesce(sum(e.pieces) filter (where e.account = 'waste'), 0) as wasted
     from piece_entries e where e.merchant_id = $1 group by 1`,
    [merchantId],
  )
  const held = await api.database.admin<{ product: string; pieces: string; least: number }>(
    `select product_id as product, sum(pieces) as pieces, min(pieces) as least from place_lots where merchant_id = $1 group by 1`,
    [merchantId],
  )
  for (const { product, everywhere, at_places, wasted } of sums) {
    expect(Number(everywhere)).toBe(0)
    const lots = held.find((one) => one.product === product)
    expect(Number(lots?.pieces)).toBe(Number(at_places))
    expect(lots?.least).toBeGreaterThanOrEqual(0)
    expect(Number(at_places) + Number(wasted)).toBe(10)
  }
})
