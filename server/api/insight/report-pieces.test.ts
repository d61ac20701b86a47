import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import type { ReportFigure } from '#contract/vocabulary/insight/report.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const today = dayIn(new Date(), 'Europe/Rome')
const days = { startDate: addDays(today, -10), endDate: today }

interface World {
  merchantId: string
  admin: TestClient
  driver: TestUser & { id: string; name: string }
  warehouse: string
  van: string
  water: string
  crisps: string
}

/** A merchant with a warehouse and a van of Anna. Water costs 20, crisps have no cost. */
async function aWorld(with_: { currency?: string } = {}): Promise<World> {
  const { database } = api
  const merchantId = (await aMerchant(database, with_)).id
  const scope = [{ merchantId, groups: 'all' as const }]
  const admin = api.as(await aUser(database, 'merchantAdmin', scope))
  const driver = await aUser(database, 'merchantUser', scope)
  const place = async (name: string, more: object) =>
    (await admin.createStockPlace({ params: { merchantId }, body: { name, ...more } as never })).id
  return {
    merchantId,
    admin,
    driver,
    warehouse: await place('Milano', { kind: 'warehouse' }),
    van: await place('Ducato', { kind: 'van', driverId: driver.id }),
    water: await aProduct(database, merchantId, { name: 'Water', cost: 20 }),
    crisps: await aProduct(database, merchantId, { name: 'Crisps' }),
  }
}

const book = ({ admin, merchantId }: World, stockPlaceId: string, operation: object) =>
  admin.bookPieces({ params: { merchantId, stockPlaceId }, body: { id: randomUUIDv7(), ...operation } as never })
const reportOf = ({ admin, merchantId }: Pick<World, 'admin' | 'merchantId'>, query: object): Promise<Report> =>
  admin.getReport({ params: { merchantId }, query: { ...days, type: 'pieces', ...query } as never })
const listOf = ({ admin, merchantId }: Pick<World, 'admin' | 'merchantId'>, query: object) =>
  admin.listPieceLosses({ params: { merchantId }, query: { ...days, ...query } as never })
const figureIn = (report: Report, figure: ReportFigure, values: readonly (number | null)[] = []) =>
  values[report.figures.indexOf(figure)] ?? null
const byLabel = (report: Report, figure: ReportFigure) =>
  Object.fromEntries(report.rows.map(({ labels, values }) => [labels[0] ?? '', figureIn(report, figure, values)]))

let world: World
/**
 * The warehouse has bought 24 water at 25, of which 12 are expired, and 10 crisps. It throws away 2 expired water; its count lacks 3 water. The van
 * got 6 water, of which its count lacks 1, and its count found 2 crisps.
 */
beforeEach(async () => {
  world = await aWorld()
  const { warehouse, van, water, crisps } = world
  await book(world, warehouse, {
    kind: 'purchase',
    lines: [
      { productId: water, pieces: 12, unitCost: 25, expiresOn: addDays(today, -1) },
      { productId: water, pieces: 12, unitCost: 25, expiresOn: addDays(today, 90) },
      { productId: crisps, pieces: 10 },
    ],
  })
  await book(world, warehouse, { kind: 'transfer', toStockPlaceId: van, lines: [{ productId: water, pieces: 6 }] })
  await book(world, warehouse, { kind: 'waste', lines: [{ productId: water, pieces: 2 }] })
  await book(world, warehouse, { kind: 'count', lines: [{ productId: water, counted: 13 }] })
  await book(world, van, {
    kind: 'count',
    lines: [
      { productId: water, counted: 5 },
      { productId: crisps, counted: 2 },
    ],
  })
})

test('losses of warehouses, vans and drivers are those of the book, at the cost of their lots', async () => {
  const ofPlaces = await reportOf(world, {})
  const rows = await api.database.admin<{ place: string; loss: number }>(
    `select p.name as place, sum(e.pieces * coalesce(l.unit_cost, d.cost))::int as loss
     from piece_entries e join piece_operations o on o.id = e.operation_id join stock_places p on p.id = o.place_id
     join products d on d.id = e.product_id left join product_lots l on l.id = e.lot_id
     where e.merchant_id = $1 and e.account in ('waste', 'difference') group by 1`,
    [world.merchantId],
  )
  expect(byLabel(ofPlaces, 'loss')).toEqual(Object.fromEntries(rows.map(({ place, loss }) => [place, loss])))
  expect(byLabel(ofPlaces, 'loss')).toEqual({ Milano: 5 * 25, Ducato: 25 })
  expect([byLabel(ofPlaces, 'missing'), byLabel(ofPlaces, 'expired'), byLabel(ofPlaces, 'discarded')]).toEqual([
    { Milano: 75, Ducato: 25 },
    { Milano: 50, Ducato: 0 },
    { Milano: 0, Ducato: 0 },
  ])
  const ofDrivers = await reportOf(world, { by: ['driver'] })
  expect(byLabel(ofDrivers, 'loss')).toEqual({ [world.driver.name]: 25, '': 125 })
})

test('what has no cost is unknown, and the report says the share that is known', async () => {
  const ofProducts = await reportOf(world, { by: ['stockProduct'] })
  expect(byLabel(ofProducts, 'found')).toEqual({ Water: 0, Crisps: null })
  expect(byLabel(ofProducts, 'loss')).toEqual({ Water: 150, Crisps: null })
  expect(byLabel(ofProducts, 'lostPieces')).toEqual({ Water: 6, Crisps: -2 })
  expect(ofProducts.known).toEqual([{ currency: 'EUR', of: 'lostPieces', part: 6, whole: 8 }])
})

test('every number equals the list that it leads to', async () => {
  const names = { stockPlace: 'stockPlaceIds', driver: 'driverIds', stockProduct: 'productIds' } as const
  let compared = 0
  for (const by of ['stockPlace', 'driver', 'stockProduct'] as const) {
    const report = await reportOf(world, { by: [by] })
    for (const { keys, values } of report.rows) {
      if (keys[0] === null) continue
      const { totals } = await listOf(world, { [names[by]]: [keys[0]] })
      expect(figureIn(report, 'lostPieces', values)).toBe(totals[0]?.values.pieces)
      expect(figureIn(report, 'loss', values)).toBe(totals[0]?.values.value)
      const { totals: ofMissing } = await listOf(world, { [names[by]]: [keys[0]], kinds: ['missing'] })
      if (ofMissing[0]) expect(figureIn(report, 'missing', values)).toBe(ofMissing[0].values.value)
      compared++
    }
  }
  expect(compared).toBe(5)
})

test('what a visit throws away at a machine is no loss of its van', async () => {
  const { merchantId, admin, driver, water } = world
  const planogramId = await aPlanogram(api.database, merchantId)
  const line = { selection: '11', capacity: 10, warning_level: 2, refill_value: 8 }
  await aPlanogramLine(api.database, merchantId, planogramId, water, line)
  const machine = await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })
  await aStock(api.database, machine, { selection: '11', level: 5 })
  const before = await reportOf(world, {})
  await api.as(driver).createVisit({
    params: { merchantId, posId: machine.id },
    body: {
      id: randomUUID(),
      at: new Date().toISOString(),
      lines: [{ selection: '11', loaded: 1, waste: 2 }],
    } as never,
  })
  expect((await reportOf(world, {})).totals).toEqual(before.totals)
  const visits = await admin.getReport({ params: { merchantId }, query: { ...days, type: 'visits' } as never })
  expect(byLabel(visits, 'wasted')).toEqual({ [driver.name]: 40 })
})

test('a deleted place and product stay, without a list behind them', async () => {
  const { merchantId, admin, van, water } = world
  await book(world, van, { kind: 'waste', lines: [{ productId: water, pieces: 5 }] })
  await api.database.admin('delete from place_lots where place_id = $1', [van])
  await api.database.admin('delete from stock_places where id = $1', [van])
  const ofPlaces = await reportOf(world, {})
  expect(ofPlaces.rows.map(({ labels, isGone }) => [labels[0], isGone])).toEqual(
    expect.arrayContaining([
      ['Milano', false],
      [null, true],
    ]),
  )
  expect((await listOf({ merchantId, admin }, {})).items.some(({ place }) => place === null)).toBe(true)
})

test('currencies are never added', async () => {
  const pesos = await aWorld({ currency: 'MXN' })
  await book(pesos, pesos.warehouse, { kind: 'count', lines: [{ productId: pesos.water, counted: 4 }] })
  const scopes = [world, pesos].map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
  const admin = api.as(await aUser(api.database, 'merchantAdmin', scopes))
  const { totals, figures } = await reportOf({ admin, merchantId: allMerchants }, {})
  const of = (figure: ReportFigure) =>
    Object.fromEntries(totals.map(({ currency, values }) => [currency, values[figures.indexOf(figure)]]))
  expect([of('loss'), of('found')]).toEqual([
    { EUR: 150, MXN: -80 },
    { EUR: 0, MXN: 80 },
  ])
})

test('users who do not see products see pieces without costs', async () => {
  const { merchantId } = world
  const admin = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const report = await reportOf({ admin, merchantId }, {})
  expect(report.offered).toEqual(['lostPieces'])
  const { items, totals } = await listOf({ admin, merchantId }, {})
  expect(items.every(({ unitCost, value }) => unitCost === null && value === null)).toBe(true)
  expect(Object.keys(totals[0]?.values ?? {})).toEqual(['pieces'])
})
