import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import type { ReportFigure } from '#contract/vocabulary/insight/report.ts'
import { manageStock } from '#database/stock/manage.ts'
import { refreshDueSupplies } from '#database/stock/supply.ts'
import { addDays } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aPlanogramLine, aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.database.admin(`select ensure_partitions('2026-10-01', '2026-12-31')`)
})
afterAll(() => api.close())

/** A Wednesday in the merchant's zone, Rome: UTC and one hour. */
const today = '2026-11-18'
const now = new Date(`${today}T10:00:00Z`)
/** A time of day in Rome. */
const at = (daysAgo: number, time: string) => new Date(`${addDays(today, -daysAgo)}T${time}:00+01:00`)
const week = { startDate: addDays(today, -7), endDate: addDays(today, -1) }

interface World {
  merchantId: string
  admin: TestClient
  groups: string[]
  machine: TestMachine
  products: string[]
}

/** A managed machine with the selections 11 (Water) and 12 (Crisps), 5 pieces each, opened ten days ago at noon. */
async function aWorld(): Promise<World> {
  const { database } = api
  const merchantId = (await aMerchant(database)).id
  const groups = [await aGroup(database, merchantId, 'North'), await aGroup(database, merchantId, 'South')]
  const client = await aClient(database, merchantId, { name: 'Station' })
  const planogramId = await aPlanogram(database, merchantId)
  const products: string[] = []
  for (const [selection, name] of [
    ['11', 'Water'],
    ['12', 'Crisps'],
  ] as const) {
    const id = await aProduct(database, merchantId, { name })
    products.push(id)
    await aPlanogramLine(database, merchantId, planogramId, id, { selection, capacity: 10, refill_value: 8 })
  }
  const columns = { planogram_id: planogramId, client_id: client }
  const machine = await aMachine(database, merchantId, { groupId: groups[0] as string, columns })
  for (const selection of ['11', '12'])
    await aStock(database, machine, { selection, level: 5, at: at(10, '12:00'), planned: true })
  const admin = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  return { merchantId, admin, groups, machine, products }
}

const manage = ({ machine }: World, moment: Date) =>
  api.database.withTenant(wholeMerchant(machine.merchantId), (db) =>
    manageStock(db, [{ merchantId: machine.merchantId, machineId: machine.id }], true, moment),
  )
/** Books a movement as it is stored, and the balance with it. */
async function move({ merchantId, machine }: World, selection: string, moment: Date, amount: number): Promise<void> {
  await api.database.admin(
    `insert into stock_movements (merchant_id, machine_id, at, selection, id, kind, amount, opening, late)
     values ($1, $2, $3, $4, gen_random_uuid(), $5, $6, false, false)`,
    [merchantId, machine.id, moment, selection, amount < 0 ? 'sale' : 'refill', amount],
  )
  await api.database.admin(
    'update machine_stock set balance = balance + $4, level = greatest(0, balance + $4) where merchant_id = $1 and machine_id = $2 and selection = $3',
    [merchantId, machine.id, selection, amount],
  )
}
/** What the worker does on the next day. */
async function compute({ merchantId }: World, moment = now): Promise<void> {
  await api.database.admin(
    `update machine_supplies set computed_at = $2::timestamptz - interval '2 days', stale_at = $2 where merchant_id = $1`,
    [merchantId, moment],
  )
  await refreshDueSupplies(api.database, moment)
}
const reportOf = ({ admin, merchantId }: Pick<World, 'admin' | 'merchantId'>, query: object): Promise<Report> =>
  admin.getReport({ params: { merchantId }, query: { ...week, type: 'availability', ...query } as never })
const figureIn = (report: Report, figure: ReportFigure, values: readonly (number | null)[] = []) =>
  values[report.figures.indexOf(figure)] ?? null
const byLabel = (report: Report, figure: ReportFigure) =>
  Object.fromEntries(
    report.rows.map(({ keys, labels, values }) => [labels[0] ?? keys[0] ?? '', figureIn(report, figure, values)]),
  )

/** The hours that a selection had no pieces within days, minute by minute over its stored movements. */
async function hoursWithout(world: World, selection: string, from: Date, to: Date): Promise<number> {
  const [row] = await api.database.admin<{ hours: string }>(
    `select count(*) / 60.0 as hours from generate_series($4::timestamptz, $5::timestamptz - interval '1 minute', interval '1 minute') minute
     where (select sum(amount) from stock_entries e where e.merchant_id = $1 and e.machine_id = $2 and e.selection = $3 and e.at <= minute) <= 0`,
    [world.merchantId, world.machine.id, selection, from, to],
  )
  return Number(row?.hours)
}

test('hours in service and sold out are those of the movements, minute by minute', async () => {
  const world = await aWorld()
  await manage(world, at(9, '12:00'))
  // Sold out from Thursday 15:00 until Saturday 09:30, and Sunday for two hours.
  await move(world, '11', at(6, '15:00'), -5)
  await move(world, '11', at(4, '09:30'), 4)
  await move(world, '11', at(3, '10:00'), -4)
  await move(world, '11', at(3, '12:00'), 8)
  await move(world, '12', at(2, '08:00'), -2)
  await compute(world)
  const report = await reportOf(world, {})
  expect(report.figures).toEqual(['soldOutHours', 'serviceHours', 'serviceLevel'])
  const [from, to] = [at(7, '00:00'), at(0, '00:00')]
  const out = (await hoursWithout(world, '11', from, to)) + (await hoursWithout(world, '12', from, to))
  expect(out).toBe(9 + 24 + 9.5 + 2)
  expect(report.totals[0]?.values).toEqual([out, 2 * 7 * 24, 1 - out / (2 * 7 * 24)])
  const ofProducts = await reportOf(world, { by: ['stockProduct'] })
  expect(byLabel(ofProducts, 'soldOutHours')).toEqual({ Water: out, Crisps: 0 })
  expect(byLabel(ofProducts, 'serviceLevel')).toEqual({ Water: 1 - out / (7 * 24), Crisps: 1 })
  const ofMonths = await reportOf(world, { by: ['month'], startDate: '2026-11-01', endDate: today })
  // Opened on the 8th at noon.
  expect(byLabel(ofMonths, 'serviceHours')).toEqual({ '202611': 2 * (12 + 9 * 24) })
})

test('a late movement changes its day on the next one', async () => {
  const world = await aWorld()
  await manage(world, at(9, '12:00'))
  await compute(world)
  expect((await reportOf(world, {})).totals[0]?.values[0]).toBe(0)
  await move(world, '12', at(5, '20:00'), -5)
  await compute(world, new Date(now.getTime() + 86_400_000))
  const [from, to] = [at(7, '00:00'), at(0, '00:00')]
  expect((await reportOf(world, {})).totals[0]?.values[0]).toBe(await hoursWithout(world, '12', from, to))
})

test('days count for the group of their machine and the product of the day, whatever changes later', async () => {
  const world = await aWorld()
  const { admin, merchantId, machine, groups, products } = world
  await manage(world, at(9, '12:00'))
  await move(world, '11', at(2, '00:00'), -5)
  await compute(world)
  const tea = await aProduct(api.database, merchantId, { name: 'Tea' })
  await api.database.admin('update planogram_lines set product_id = $2 where merchant_id = $1 and product_id = $3', [
    merchantId,
    tea,
    products[0],
  ])
  await compute(world)
  expect(byLabel(await reportOf(world, { by: ['stockProduct'] }), 'soldOutHours')).toEqual({ Water: 48, Crisps: 0 })
  await api.database.admin(
    `insert into former_machine_places (merchant_id, machine_id, until, group_id, client_id) values ($1, $2, $3, $4, null)`,
    [merchantId, machine.id, addDays(today, -1), groups[1]],
  )
  const ofGroups = await reportOf(world, { by: ['group'] })
  expect(byLabel(ofGroups, 'soldOutHours')).toEqual({ South: 24, North: 24 })
  const ofToday = await reportOf(world, { by: ['client'], terms: 'today' })
  expect(byLabel(ofToday, 'soldOutHours')).toEqual({ Station: 48 })
  const scope = [{ merchantId, groups: [groups[1] as string] }]
  const other = api.as(await aUser(api.database, 'groupAdmin', scope))
  await expect(reportOf({ merchantId, admin: other }, {})).rejects.toMatchObject({ code: 'ReportWithoutData' })
  expect((await reportOf({ merchantId, admin }, { groupIds: [groups[0]] })).totals[0]?.values[0]).toBe(24)
})
