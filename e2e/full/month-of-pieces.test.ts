import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

/*
 * A month of three vans and 200 machines, in which nothing is simple: pieces are lost in vans, thrown away at machines, sent back to the supplier and returned to the
 * warehouse; phones are without a network while their van is counted, and send everything twice. What a plain list of what really happened says of each place,
 * driver and machine is what the tables say.
 */

const machineCount = 200
const days = 30
const mostStops = 14

/** A number from 0, always the same for the same calls (a linear congruential generator). */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Driver {
  user: TestClient
  id: string
  van: string
}

/** Sums by name. */
function ledger() {
  const sums = new Map<string, number>()
  return {
    add: (name: string, pieces: number) => sums.set(name, (sums.get(name) ?? 0) + pieces),
    of: (name: string) => sums.get(name) ?? 0,
    all: () => Object.fromEntries([...sums].filter(([, pieces]) => pieces !== 0).toSorted(byName)),
  }
}
const byName = ([one]: [string, number], [other]: [string, number]) => (one < other ? -1 : 1)

async function aFleet(api: TestApi) {
  const { id: merchantId } = await aMerchant(api.database)
  const scope = [{ merchantId, groups: 'all' as const }]
  const admin = api.as(await aUser(api.database, 'merchantAdmin', scope))
  const place = async (name: string, kind: 'warehouse' | 'van', with_: object = {}) =>
    (await admin.createStockPlace({ params: { merchantId }, body: { name, kind, ...with_ } })).id
  const warehouse = await place('Warehouse', 'warehouse')
  const drivers: Driver[] = []
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    const user = await aUser(api.database, 'merchantUser', scope)
    drivers.push({ user: api.as(user), id: user.id, van: await place(`Van of ${name}`, 'van', { driverId: user.id }) })
  }
  const products: string[] = []
  const planogramId = await aPlanogram(api.database, merchantId)
  for (let at = 0; at < 6; at++) {
    const product = await aProduct(api.database, merchantId, { name: `Product ${at}`, code: `P${at}`, cost: 10 + at })
    products.push(product)
    await aPlanogramLine(api.database, merchantId, planogramId, product, { selection: String(11 + at), capacity: 20 })
  }
  const machines: string[] = []
  for (let at = 0; at < machineCount; at++)
    machines.push((await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })).id)
  return { merchantId, admin, warehouse, drivers, products, machines }
}

test('over a month of 200 machines every place, driver and machine has what really happened there', async () => {
  const api = await openTestApi()
  onTestFinished(() => api.close())
  const { merchantId, admin, warehouse, drivers, products, machines } = await aFleet(api)
  const roll = dice(20_261_129)
  /** What is really there, by place and product; what drivers loaded and threw away; and what was lost. */
  const there = ledger()
  const byDriver = ledger()
  const inMachines = ledger()
  const lost = ledger()
  const bought = ledger()
  const at = (place: string, product: string) => `${place} ${product}`
  const book = (stockPlaceId: string, operation: object) => {
    const body = { id: randomUUID(), ...operation } as Parameters<TestClient['bookPieces']>[0]['body']
    return admin.bookPieces({ params: { merchantId, stockPlaceId }, body })
  }

  const buy = async () => {
    const lines = products.map((productId) => ({
      productId,
      pieces: 100 + roll(100),
      unitCost: 10 + roll(5),
      expiresOn: `2999-0${1 + roll(9)}-1${roll(9)}`,
    }))
    await book(warehouse, { kind: 'purchase', lines })
    for (const { productId, pieces } of lines) {
      there.add(at(warehouse, productId), pieces)
      bought.add(productId, pieces)
    }
  }
  const pick = async ({ user, van }: Driver, roundId: string) => {
    const lines = products.flatMap((productId) => {
      const pieces = Math.min(20 + roll(20), there.of(at(warehouse, productId)))
      return pieces > 0 ? [{ productId, pieces }] : []
    })
    if (lines.length === 0) return
    const body = { id: randomUUID(), stockPlaceId: warehouse, lines }
    for (let sending = 0; sending < 2; sending++) await user.pickRound({ params: { merchantId, roundId }, body })
    for (const { productId, pieces } of lines) {
      there.add(at(warehouse, productId), -pieces)
      there.add(at(van, productId), pieces)
    }
  }
  /** A visit happens now; it is sent when the phone has a network. */
  const visit = ({ user, van, id: driver }: Driver, posId: string) => {
    const lines = products.flatMap((productId, index) => {
      const has = there.of(at(van, productId))
      const loaded = Math.min(roll(6), has)
      const waste = roll(12) === 0 ? 1 + roll(2) : 0
      if (loaded + waste === 0) return []
      there.add(at(van, productId), -loaded)
      byDriver.add(`${driver} loaded`, loaded)
      byDriver.add(`${driver} waste`, waste)
      inMachines.add(posId, loaded - waste)
      return [{ selection: String(11 + index), loaded, waste }]
    })
    const body = { id: randomUUID(), at: new Date().toISOString(), lines }
    return () => user.createVisit({ params: { merchantId, posId }, body })
  }
  const count = async (place: string) => {
    const lines = products.map((productId) => {
      // A piece was taken, or two fell down.
      const missing = roll(4) === 0 ? Math.min(1 + roll(2), there.of(at(place, productId))) : 0
      there.add(at(place, productId), -missing)
      lost.add(place, missing)
      return { productId, counted: there.of(at(place, productId)) }
    })
    await book(place, { kind: 'count', lines })
  }
  const giveBack = async ({ van }: Driver) => {
    const [productId = ''] = products.filter((product) => there.of(at(van, product)) > 3)
    if (!productId) return
    await book(van, { kind: 'transfer', toStockPlaceId: warehouse, lines: [{ productId, pieces: 3 }] })
    there.add(at(van, productId), -3)
    there.add(at(warehouse, productId), 3)
  }
  const returnToSupplier = async () => {
    const [productId = ''] = products.filter((product) => there.of(at(warehouse, product)) > 10)
    if (!productId) return
    await book(warehouse, { kind: 'supplierReturn', lines: [{ productId, pieces: 5 }] })
    there.add(at(warehouse, productId), -5)
    bought.add(productId, -5)
  }

  /** Visits that phones still hold. */
  const outbox = new Map<Driver, (() => Promise<unknown>)[]>(drivers.map((driver) => [driver, []]))
  const send = async (driver: Driver) => {
    const waiting = outbox.get(driver) ?? []
    // In any order, each twice.
    for (const sending of waiting.toReversed()) await Promise.all([sending(), sending()])
    outbox.set(driver, [])
  }
  const workday = async (driver: Driver, day: number, stops: string[]) => {
    const dated = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)
    const body = { name: `Day ${day}`, day: dated, posIds: stops, vanId: driver.van, assigneeId: driver.id }
    const { id: roundId } = await admin.createRound({ params: { merchantId }, body })
    await pick(driver, roundId)
    await driver.user.startRound({ params: { merchantId, roundId } })
    const isOffline = roll(3) === 0
    for (const posId of stops) {
      outbox.get(driver)?.push(visit(driver, posId))
      if (!isOffline) await send(driver)
    }
    if (day % 7 === 6) await count(driver.van)
    if (roll(4) === 0) await send(driver).then(() => giveBack(driver))
    await send(driver)
    await driver.user.finishRound({ params: { merchantId, roundId } })
  }

  let next = 0
  for (let day = 0; day < days; day++) {
    if (day % 3 === 0) await buy()
    for (const driver of drivers) {
      const stops = Array.from({ length: mostStops }, (_, stop) => machines[(next + stop) % machineCount] as string)
      next += mostStops
      await workday(driver, day, stops)
    }
    if (day % 10 === 9) await returnToSupplier()
    if (day % 15 === 14) await count(warehouse)
  }

  const sums = async (text: string) => {
    const rows = await api.database.admin<{ name: string; pieces: number }>(text, [merchantId])
    return Object.fromEntries(rows.filter(({ pieces }) => pieces !== 0).map(({ name, pieces }) => [name, pieces]))
  }
  const entries =
    'from piece_entries e join piece_operations o on o.merchant_id = e.merchant_id and o.id = e.operation_id'
  expect(
    await sums(
      `select e.product_id::text as name, sum(e.pieces)::int as pieces from piece_entries e where merchant_id = $1 group by 1`,
    ),
  ).toEqual({})
  const booked = `select concat_ws(' ', e.owner_id, e.product_id) as name, sum(e.pieces)::int as pieces ${entries}
    where e.merchant_id = $1 and e.account = 'place' group by 1 order by 1`
  expect(await sums(booked)).toEqual(there.all())
  expect(
    await sums(
      `select concat_ws(' ', place_id, product_id) as name, sum(pieces)::int as pieces from place_lots where merchant_id = $1 group by 1`,
    ),
  ).toEqual(there.all())
  expect(
    await sums(
      `select e.product_id::text as name, -sum(e.pieces)::int as pieces ${entries} where e.merchant_id = $1 and e.account = 'supplier' group by 1`,
    ),
  ).toEqual(bought.all())
  expect(
    await sums(
      `select e.owner_id::text as name, sum(e.pieces)::int as pieces ${entries} where e.merchant_id = $1 and e.account = 'machine' group by 1`,
    ),
  ).toEqual(inMachines.all())
  // What late visits took out of a count is no loss.
  expect(
    await sums(
      `select o.place_id::text as name, sum(e.pieces)::int as pieces ${entries} where e.merchant_id = $1 and e.account = 'difference' group by 1`,
    ),
  ).toEqual(lost.all())
  const ofDrivers = (what: 'loaded' | 'waste') =>
    sums(
      `select concat_ws(' ', v.user_id, '${what}') as name, sum(l.${what})::int as pieces from visits v
       join visit_lines l on l.merchant_id = v.merchant_id and l.visit_id = v.id where v.merchant_id = $1 group by 1`,
    )
  expect({ ...(await ofDrivers('loaded')), ...(await ofDrivers('waste')) }).toEqual(byDriver.all())
  for (const place of [warehouse, ...drivers.map(({ van }) => van)]) {
    const pieces = products.reduce((sum, product) => sum + there.of(at(place, product)), 0)
    expect(await admin.getStockPlace({ params: { merchantId, stockPlaceId: place } })).toMatchObject({ pieces })
  }
  const [visited] = await api.database.admin('select count(*)::int as visits from visits where merchant_id = $1', [
    merchantId,
  ])
  expect(visited).toEqual({ visits: days * drivers.length * mostStops })
}, 1_200_000)
