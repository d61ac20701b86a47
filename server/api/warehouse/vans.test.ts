import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let driver: { id: string; name: string }
let technician: TestClient
let warehouse: string
let van: string
let water: string
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  technician = api.as(user)
  const assignees = await admin.listRoundAssignees({ params: { merchantId } })
  driver = assignees.find(({ id }) => id === user.id) as typeof driver
  warehouse = await aPlace('Milano', 'warehouse')
  van = await aPlace('Ducato', 'van')
  water = await aProduct(api.database, merchantId, { name: 'Water', code: 'W' })
  machine = await aWaterMachine()
})

const aPlace = async (name: string, kind: 'warehouse' | 'van', with_: object = {}) =>
  (await admin.createStockPlace({ params: { merchantId }, body: { name, kind, ...with_ } })).id

/** A managed machine with 2 of 10 pieces of water in selection 11. */
async function aWaterMachine() {
  const planogramId = await aPlanogram(api.database, merchantId)
  const line = { selection: '11', capacity: 10, warning_level: 2, refill_value: 10 }
  await aPlanogramLine(api.database, merchantId, planogramId, water, line)
  const made = await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })
  await aStock(api.database, made, { selection: '11', level: 2, at: new Date(Date.now() - 7_200_000) })
  await admin.setManageStock({ params: { merchantId, posId: made.id }, body: { manageStock: true } })
  return made
}

const today = new Date().toISOString().slice(0, 10)
const roundOf = (with_: object = {}) => ({ name: 'Monday', day: today, posIds: [machine.id], vanId: van, ...with_ })
const plan = (with_: object = {}) => admin.createRound({ params: { merchantId }, body: roundOf(with_) })
const buy = (pieces: number, with_: object = {}) =>
  admin.bookPieces({
    params: { merchantId, stockPlaceId: warehouse },
    body: { id: randomUUID(), kind: 'purchase', lines: [{ productId: water, pieces, ...with_ }] },
  })
const pick = (roundId: string, pieces: number, id = randomUUID()) =>
  technician.pickRound({
    params: { merchantId, roundId },
    body: { id, stockPlaceId: warehouse, lines: [{ productId: water, pieces }] },
  })
const pickingOf = (roundId: string) =>
  technician.getRoundPicking({ params: { merchantId, roundId }, query: { stockPlaceId: warehouse } })
const visit = (with_: { at?: Date; id?: string; loaded?: number; waste?: number } = {}) =>
  technician.createVisit({
    params: { merchantId, posId: machine.id },
    body: {
      id: with_.id ?? randomUUID(),
      at: (with_.at ?? new Date()).toISOString(),
      lines: [{ selection: '11', loaded: with_.loaded ?? 0, waste: with_.waste ?? 0 }],
    },
  })
const count = (counted: number) =>
  admin.bookPieces({
    params: { merchantId, stockPlaceId: van },
    body: { id: randomUUID(), kind: 'count', lines: [{ productId: water, counted }] },
  })
const piecesIn = async (stockPlaceId: string) =>
  (await admin.getStockPlace({ params: { merchantId, stockPlaceId } })).pieces
/** The sum of an account of the book. */
const booked = async (account: string) => {
  const [row] = await api.database.admin<{ pieces: number }>(
    'select coalesce(sum(pieces), 0)::int as pieces from piece_entries where merchant_id = $1 and account = $2',
    [merchantId, account],
  )
  return row?.pieces
}

test('a product goes from the warehouse into the van of a round, and from there into the machine', async () => {
  await buy(20)
  const { id, vanName } = await plan()
  expect(vanName).toBe('Ducato')
  expect(await pickingOf(id)).toMatchObject({
    vanName: 'Ducato',
    unnamed: 0,
    lines: [{ product: 'Water', needed: 8, inVan: 0, toPick: 8, has: 20, expired: 0 }],
  })
  await pick(id, 8)
  expect((await pickingOf(id)).lines[0]).toMatchObject({ needed: 8, inVan: 8, toPick: 0, has: 12 })
  await visit({ loaded: 7 })
  expect([await piecesIn(warehouse), await piecesIn(van), await booked('machine')]).toEqual([12, 1, 7])
  const { items } = await admin.listPieceOperations({ params: { merchantId, stockPlaceId: van }, query: {} })
  expect(items).toMatchObject([
    { kind: 'visit', pieces: -7, posId: machine.id, by: driver.name },
    { kind: 'transfer', pieces: 8, otherPlaceName: 'Milano' },
  ])
})

test('a picking whose answer was lost is booked once, also when its round has ended', async () => {
  await buy(20)
  const { id } = await plan()
  const sent = randomUUID()
  await pick(id, 8, sent)
  await technician.finishRound({ params: { merchantId, roundId: id } })
  await pick(id, 8, sent)
  expect([await piecesIn(warehouse), await piecesIn(van)]).toEqual([12, 8])
  await expect(pick(id, 2)).rejects.toMatchObject({ code: 'RoundClosed' })
})

describe('a visit', () => {
  test('sent twice takes its pieces once', async () => {
    await buy(20)
    await pick((await plan()).id, 8)
    const again = { id: randomUUID(), at: new Date(), loaded: 3 }
    await visit(again)
    await visit(again)
    expect(await piecesIn(van)).toBe(5)
  })

  test('under the id of another operation is refused, and stores nothing', async () => {
    await buy(20)
    const { id } = await plan()
    const taken = randomUUID()
    await pick(id, 8, taken)
    await expect(visit({ id: taken, loaded: 2 })).rejects.toMatchObject({ code: 'VisitIdTaken' })
    expect(await piecesIn(van)).toBe(8)
    await visit({ loaded: 2 })
    expect(await piecesIn(van)).toBe(6)
  })

  test('loads more than the van has: the van owes it until the next delivery', async () => {
    const { id } = await plan()
    await visit({ loaded: 5 })
    expect(await piecesIn(van)).toBe(-5)
    await buy(20)
    expect((await pickingOf(id)).lines).toEqual([])
    await pick(id, 8)
    expect([await piecesIn(van), await booked('difference')]).toEqual([3, 0])
  })

  test('that arrives after a count of the van changes no more what was counted', async () => {
    await buy(20)
    await pick((await plan()).id, 8)
    const at = new Date()
    await count(5)
    expect(await booked('difference')).toBe(3)
    await visit({ at, loaded: 3 })
    expect([await piecesIn(van), await booked('difference'), await booked('machine')]).toEqual([5, 0, 3])
  })

  test('throws away what was in the machine', async () => {
    await plan()
    await visit({ waste: 2 })
    expect([await piecesIn(van), await booked('machine'), await booked('waste')]).toEqual([0, -2, 2])
  })

  test('outside of rounds takes from the van of its driver, and without a van from nothing', async () => {
    await visit({ loaded: 1 })
    expect(await booked('machine')).toBe(0)
    const own = await aPlace('Own van', 'van', { driverId: driver.id })
    await visit({ loaded: 2 })
    expect([await piecesIn(own), await booked('machine')]).toEqual([-2, 2])
  })
})

describe('what has expired', () => {
  test('is named at the visit and on the dashboard', async () => {
    const bring = (pieces: number, expiresOn: string) =>
      admin.bookPieces({
        params: { merchantId, stockPlaceId: van },
        body: { id: randomUUID(), kind: 'purchase', lines: [{ productId: water, pieces, expiresOn }] },
      })
    const inVan = async () =>
      (await technician.getVisitPlan({ params: { merchantId, posId: machine.id } })).selections[0]?.inVan
    expect(await inVan()).toBeNull()
    await plan({ assigneeId: driver.id })
    expect(await inVan()).toEqual({ pieces: 0, firstExpiresOn: null, expired: 0 })
    await bring(5, '2020-01-01')
    await bring(4, '2999-12-31')
    await bring(3, '2998-12-31')
    expect(await inVan()).toEqual({ pieces: 7, firstExpiresOn: '2998-12-31', expired: 5 })
    expect(await admin.getDashboard({ params: { merchantId } })).toMatchObject({ expiredPieces: 5 })
  })

  test('is not picked, and named', async () => {
    await buy(5, { expiresOn: '2020-01-01', lotCode: 'OLD' })
    await buy(6, { expiresOn: '2999-12-31', lotCode: 'NEW' })
    const { id } = await plan()
    expect((await pickingOf(id)).lines[0]).toMatchObject({
      toPick: 8,
      has: 6,
      expired: 5,
      lots: [{ lotCode: 'NEW', expiresOn: '2999-12-31', pieces: 6 }],
    })
    await expect(pick(id, 7)).rejects.toMatchObject({ code: 'NotEnoughPieces', facts: { products: [{ has: 6 }] } })
    await pick(id, 6)
    expect([await piecesIn(warehouse), await piecesIn(van)]).toEqual([5, 6])
  })

  test('comes back into the warehouse', async () => {
    await admin.bookPieces({
      params: { merchantId, stockPlaceId: van },
      body: { id: randomUUID(), kind: 'purchase', lines: [{ productId: water, pieces: 4, expiresOn: '2020-01-01' }] },
    })
    await admin.bookPieces({
      params: { merchantId, stockPlaceId: van },
      body: {
        id: randomUUID(),
        kind: 'transfer',
        toStockPlaceId: warehouse,
        lines: [{ productId: water, pieces: 4 }],
      },
    })
    expect([await piecesIn(warehouse), await piecesIn(van)]).toEqual([4, 0])
  })
})

describe('refused', () => {
  test('a van that another driver has on that day, also when both are planned at the same time', async () => {
    const other = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
    const results = await Promise.allSettled([plan({ assigneeId: driver.id }), plan({ assigneeId: other.id })])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'VanTaken' } })
    // A second tour of the same driver is none, nor is one on another day.
    const taken = results[0].status === 'fulfilled' ? driver.id : other.id
    await plan({ assigneeId: taken })
    await plan({ assigneeId: taken === driver.id ? other.id : driver.id, day: '2999-12-31' })
  })

  test('a warehouse as a van, and a van of another merchant', async () => {
    await expect(plan({ vanId: warehouse })).rejects.toMatchObject({ code: 'StockPlaceNotFound' })
    const elsewhere = (await aMerchant(api.database)).id
    const there = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: elsewhere, groups: 'all' }]))
    const foreign = await there.createStockPlace({
      params: { merchantId: elsewhere },
      body: { name: 'Foreign', kind: 'van' },
    })
    await expect(plan({ vanId: foreign.id })).rejects.toMatchObject({ code: 'StockPlaceNotFound' })
  })

  test('deleting a van with which an open round drives', async () => {
    const { id } = await plan()
    const remove = () => admin.deleteStockPlace({ params: { merchantId, stockPlaceId: van } })
    await expect(remove()).rejects.toMatchObject({ code: 'StockPlaceInUse', facts: { rounds: 1 } })
    await admin.cancelRound({ params: { merchantId, roundId: id } })
    await remove()
    expect((await admin.getRound({ params: { merchantId, roundId: id } })).vanName).toBeNull()
  })

  test('picking for a round without a van, or a closed round', async () => {
    await buy(20)
    const { id } = await plan({ vanId: null })
    await expect(pickingOf(id)).rejects.toMatchObject({ code: 'RoundWithoutVan' })
    await expect(pick(id, 1)).rejects.toMatchObject({ code: 'RoundWithoutVan' })
    const over = (await plan()).id
    await admin.cancelRound({ params: { merchantId, roundId: over } })
    await expect(pick(over, 1)).rejects.toMatchObject({ code: 'RoundClosed' })
  })
})

test('picking, visits and counts at the same time lose no piece and make none', async () => {
  await buy(1000)
  const { id } = await plan()
  // Many visits in a row: the machine’s stock is not managed, and they are outside of the round.
  await admin.setManageStock({ params: { merchantId, posId: machine.id }, body: { manageStock: false } })
  await visit()
  const place = await admin.getStockPlace({ params: { merchantId, stockPlaceId: van } })
  await admin.updateStockPlace({
    params: { merchantId, stockPlaceId: van },
    body: { name: place.name, kind: 'van', driverId: driver.id, version: place.version },
  })
  const at = () => new Date(Date.now() - Math.floor(Math.random() * 2000))
  await Promise.all(Array.from({ length: 10 }, () => [pick(id, 10), visit({ at: at(), loaded: 1 }), count(50)]).flat())
  const [row] = await api.database.admin<{ sum: number; held: number; book: number }>(
    `select (select sum(pieces)::int from piece_entries where merchant_id = $1) as sum,
       (select sum(pieces)::int from place_lots where merchant_id = $1) as held,
       (select sum(pieces)::int from piece_entries where merchant_id = $1 and account = 'place') as book`,
    [merchantId],
  )
  expect([row?.sum, row?.held]).toEqual([0, row?.book])
  expect([await booked('machine'), await booked('supplier')]).toEqual([10, -1000])
})
