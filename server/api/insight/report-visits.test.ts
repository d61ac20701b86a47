import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import type { ReportFigure } from '#contract/vocabulary/insight/report.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCollection, aSale, aStock } from '#testkit/machines/machine-data.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'
import { aRound, aVisit, aVisitLine } from '#testkit/nouns/rounds.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const today = dayIn(new Date(), 'Europe/Rome')
const daysAgo = (days: number) => addDays(today, -days)
const atNoon = (day: string) => new Date(`${day}T10:00:00Z`)
const days = { startDate: daysAgo(10), endDate: daysAgo(1) }
const past = daysAgo(3)

interface World {
  merchantId: string
  admin: TestClient
  groups: string[]
  clients: string[]
  machines: TestMachine[]
  productId: string
}

/** A merchant with three machines in two groups; the first two are at the client "Station". Espresso costs 40, of 122 with 22 % VAT. */
async function aWorld(with_: { currency?: string } = {}): Promise<World> {
  const { database } = api
  const merchantId = (await aMerchant(database, with_)).id
  const groups = [await aGroup(database, merchantId, 'North'), await aGroup(database, merchantId, 'South')]
  const clients = [await aClient(database, merchantId, { name: 'Station' }), await aClient(database, merchantId)]
  const at = (groupId?: string, client_id?: string) =>
    aMachine(database, merchantId, { ...(groupId && { groupId }), columns: { client_id: client_id ?? null } })
  const [north, south] = groups as [string, string]
  const machines = [await at(north, clients[0]), await at(south, clients[0]), await at(south)]
  const productId = await aProduct(database, merchantId, { name: 'Espresso', cost: 40, vat: 22 })
  await aProductCode(database, machines[0] as TestMachine, { code: 'ESP', product_id: productId })
  const admin = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  return { merchantId, admin, groups, clients, machines, productId }
}

const sell = (machine: TestMachine, day = past) =>
  aSale(api.database, machine, { created_at: atNoon(day), product: 'ESP', value: 122 })

/** A visit that threw away pieces of a cost; null: not known. */
async function visit(
  machine: TestMachine,
  { day = past, cost = 500, waste = 0, unitCost = 40 as number | null, ...with_ }: VisitOf = {},
) {
  const id = await aVisit(api.database, machine, { at: atNoon(day), cost, ...with_ })
  await aVisitLine(api.database, machine, id, { waste, unit_cost: unitCost })
  return id
}
interface VisitOf extends Record<string, unknown> {
  day?: string
  cost?: number | null
  waste?: number
  unitCost?: number | null
}

const reportOf = ({ admin, merchantId }: Pick<World, 'admin' | 'merchantId'>, query: object): Promise<Report> =>
  admin.getReport({ params: { merchantId }, query: { ...days, ...query } as never })
const figureIn = (report: Report, figure: ReportFigure, values: readonly (number | null)[] = []) =>
  values[report.figures.indexOf(figure)] ?? null
const byKey = (report: Report, figure: ReportFigure) =>
  Object.fromEntries(
    report.rows.map(({ keys, labels, values }) => [labels[0] ?? keys[0] ?? '', figureIn(report, figure, values)]),
  )
const totalOf = (report: Report, figure: ReportFigure) => figureIn(report, figure, report.totals[0]?.values)
const listOf = ({ admin, merchantId }: Pick<World, 'admin' | 'merchantId'>, query: object) =>
  admin.listVisits({ params: { merchantId }, query: { ...days, ...query } as never })

describe('the cost of a visit', () => {
  test('is what the merchant had set when it arrived; unset and 0 are unknown', async () => {
    const { merchantId, admin, machines } = await aWorld()
    const [machine] = machines as [TestMachine]
    const { pin: _, ...settings } = await admin.getMerchantSettings({ params: { merchantId } })
    const costs: unknown[] = []
    for (const [at, visitCost] of [null, 0, 1250].entries()) {
      await admin.updateMerchantSettings({
        params: { merchantId },
        body: { ...settings, visitCost, version: settings.version + at },
      })
      const params = { merchantId, posId: machine.id }
      const { id } = await admin.createVisit({ params, body: { id: randomUUID(), at: new Date().toISOString() } })
      const [row] = await api.database.admin<{ cost: string | null }>('select cost from visits where id = $1', [id])
      costs.push(row?.cost ?? null)
    }
    expect(costs).toEqual([null, null, '1250'])
  })

  test('of a late visit has the pieces at the cost of its day', async () => {
    const { merchantId, admin, machines, productId } = await aWorld()
    const [machine] = machines as [TestMachine]
    await aStock(api.database, machine, { selection: '11', product: 'ESP', level: 5 })
    await api.database.admin(
      'insert into former_product_terms (merchant_id, product_id, until, cost, vat) values ($1, $2, $3, 30, 22)',
      [merchantId, productId, daysAgo(2)],
    )
    const unitCosts: unknown[] = []
    for (const at of [atNoon(past), new Date()]) {
      const body = { id: randomUUID(), at: at.toISOString(), lines: [{ selection: '11', waste: 2 }] }
      await admin.createVisit({ params: { merchantId, posId: machine.id }, body: body as never })
      const [row] = await api.database.admin<{ unit_cost: string }>(
        'select unit_cost from visit_lines where visit_id = $1',
        [body.id],
      )
      unitCosts.push(row?.unit_cost)
    }
    expect(unitCosts).toEqual(['30', '40'])
  })
})

test('profit is the margin without the cost of visits and of what they threw away, as the rows have it', async () => {
  const world = await aWorld()
  const [first, second] = world.machines as [TestMachine, TestMachine]
  for (let n = 0; n < 30; n++) await sell(first)
  await visit(first, { cost: 500, waste: 3, unitCost: 40 })
  await visit(first, { cost: 400, day: daysAgo(5) })
  // Outside the period.
  await visit(first, { day: daysAgo(11), waste: 9 })
  await visit(second, { cost: 300, waste: 1, unitCost: 50 })
  const report = await reportOf(world, { type: 'machines' })
  const rows = await api.database.admin<Record<string, string>>(
    `select v.machine_id, count(*)::int as visits, sum(v.cost)::int as cost, sum(l.waste * l.unit_cost)::int as wasted,
       (select count(*) * (100 - 40) from transactions t where t.machine_id = v.machine_id)::int as margin
     from visits v join visit_lines l on l.visit_id = v.id
     where v.merchant_id = $1 and v.at >= $2::date at time zone 'Europe/Rome' group by 1`,
    [world.merchantId, days.startDate],
  )
  const shown = report.rows.map(({ keys, values }) => [
    keys[0],
    ...(['visits', 'visitCost', 'wasted', 'profit'] as const).map((one) => figureIn(report, one, values)),
  ])
  const stored = rows.map(({ machine_id, visits, cost, wasted, margin }) => [
    machine_id,
    visits,
    cost,
    wasted,
    Number(margin) - Number(cost) - Number(wasted),
  ])
  // The second machine sold nothing and is a row as well.
  expect(shown.toSorted()).toEqual(stored.toSorted())
  expect(totalOf(report, 'profit')).toBe(30 * 60 - 900 - 120 - 300 - 50)
  expect(totalOf(report, 'netPerVisit')).toBe(1000)
  expect(report.known).toEqual([
    { currency: 'EUR', of: 'visits', part: 3, whole: 3 },
    { currency: 'EUR', of: 'wastedPieces', part: 4, whole: 4 },
  ])
  const page = await reportOf(world, { type: 'machines', page: 2, size: 1 })
  expect([page.rowCount, page.rows.map(({ keys }) => keys[0]), totalOf(page, 'profit')]).toEqual([
    2,
    [second.id],
    totalOf(report, 'profit'),
  ])
})

test('every number of visits equals the list that it leads to', async () => {
  const world = await aWorld()
  const [first, second, third] = world.machines as [TestMachine, TestMachine, TestMachine]
  await sell(first)
  await visit(first, { cost: 500, waste: 3 })
  await visit(second, { cost: 300 })
  await visit(second, { cost: null, waste: 2, unitCost: null })
  await visit(third, { cost: 100 })
  const names = { machine: 'posIds', client: 'clientIds', group: 'groupIds' } as const
  let compared = 0
  for (const by of ['machine', 'client', 'group'] as const) {
    const report = await reportOf(world, { type: 'machines', by: [by] })
    for (const { keys, values } of report.rows) {
      if (keys[0] === null) continue
      const { total, totals } = await listOf(world, { [names[by]]: [keys[0]], terms: 'ofDay' })
      expect(figureIn(report, 'visits', values)).toBe(total)
      expect(figureIn(report, 'visitCost', values)).toBe(totals[0]?.values.cost ?? null)
      const thrown = await listOf(world, { [names[by]]: [keys[0]], terms: 'ofDay', hasWaste: 'true' })
      expect(figureIn(report, 'wasted', values)).toBe(thrown.total > 0 ? thrown.totals[0]?.values.wasted : 0)
      compared++
    }
  }
  expect(compared).toBe(6)
})

describe('what is not known', () => {
  test('stays unknown: neither visits nor waste without cost are free', async () => {
    const world = await aWorld()
    const [first, second, third] = world.machines as [TestMachine, TestMachine, TestMachine]
    for (const machine of world.machines) await sell(machine)
    await visit(first, { cost: null })
    await visit(second, { cost: 10, waste: 2, unitCost: null })
    await visit(third, { cost: 10, waste: 1, unitCost: 5 })
    await visit(third, { cost: null, waste: 3, unitCost: null })
    const report = await reportOf(world, { type: 'machines' })
    const of = (figure: ReportFigure) =>
      world.machines.map(({ id }) => {
        const row = report.rows.find(({ keys }) => keys[0] === id)
        return figureIn(report, figure, row?.values)
      })
    expect(of('visitCost')).toEqual([null, 10, 10])
    expect(of('wasted')).toEqual([0, null, 5])
    expect(of('profit')).toEqual([null, null, 45])
    expect(report.known).toEqual([
      { currency: 'EUR', of: 'visits', part: 2, whole: 4 },
      { currency: 'EUR', of: 'wastedPieces', part: 1, whole: 6 },
    ])
  })

  test('has no profit where no cost of visits is known', async () => {
    const world = await aWorld()
    const [machine] = world.machines as [TestMachine]
    await sell(machine)
    const before = await reportOf(world, { type: 'machines' })
    expect(before.figures).not.toContain('visits')
    await visit(machine, { cost: null })
    const { figures, known } = await reportOf(world, { type: 'machines' })
    expect([figures.includes('visits'), figures.includes('profit'), known]).toEqual([true, false, []])
  })
})

test('a visit counts for the client and group of its day, also when they are deleted', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines, groups, clients } = world
  const [machine] = machines as [TestMachine]
  await sell(machine)
  await visit(machine, { cost: 500, waste: 1 })
  const params = { merchantId, posId: machine.id }
  const { version } = await admin.getMachine({ params })
  await admin.updateMachine({ params, body: { version, groupId: groups[1] as string, clientId: clients[1] as string } })
  const now = { startDate: past, endDate: today }
  await aVisit(api.database, machine, { at: new Date(), cost: 200 })
  await admin.updateMachine({
    params: { merchantId, posId: machines[1]?.id as string },
    body: { version: 1, clientId: null },
  })
  await admin.deleteClient({ params: { merchantId, clientId: clients[0] as string } })
  const ofClients = await reportOf(world, { ...now, type: 'clients' })
  expect(byKey(ofClients, 'visitCost')).toMatchObject({ Station: 500 })
  expect(ofClients.rows.find(({ labels }) => labels[0] === 'Station')).toMatchObject({ isGone: true })
  expect(byKey(await reportOf(world, { ...now, type: 'groups' }), 'visits')).toEqual({ North: 1, South: 1 })
  expect(byKey(await reportOf(world, { ...now, type: 'groups', terms: 'today' }), 'visits')).toEqual({ South: 2 })
  const ofNorth = { ...now, groupIds: [groups[0]] }
  expect((await listOf(world, { ...ofNorth, terms: 'ofDay' })).total).toBe(1)
  expect((await listOf(world, { ...ofNorth, terms: 'today' })).total).toBe(0)
  expect(byKey(await reportOf(world, { ...ofNorth, type: 'machines' }), 'visitCost')).toEqual({ [machine.name]: 500 })
})

test('currencies are never added, and each merchant has its own visits', async () => {
  const euros = await aWorld()
  const pesos = await aWorld({ currency: 'MXN' })
  for (const { machines } of [euros, pesos]) {
    const [machine] = machines as [TestMachine]
    await sell(machine)
    await visit(machine, { cost: machines === euros.machines ? 500 : 9000, waste: 1 })
  }
  const both = [euros, pesos].map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
  const admin = api.as(await aUser(api.database, 'merchantAdmin', both))
  const report = await admin.getReport({
    params: { merchantId: allMerchants },
    query: { ...days, type: 'machines' } as never,
  })
  const profits = report.totals.map(({ currency, values }) => [currency, figureIn(report, 'profit', values)])
  expect(Object.fromEntries(profits)).toEqual({ EUR: 60 - 500 - 40, MXN: 60 - 9000 - 40 })
  expect(report.known.flatMap(({ currency, of, whole }) => (of === 'visits' ? [[currency, whole]] : []))).toEqual([
    ['EUR', 1],
    ['MXN', 1],
  ])
  const { totals } = await listOf({ admin, merchantId: allMerchants }, {})
  expect(totals.map(({ currency, values }) => [currency, values.cost])).toEqual([
    ['EUR', 500],
    ['MXN', 9000],
  ])
})

describe('who sees what', () => {
  test('users of some groups see their visits alone', async () => {
    const world = await aWorld()
    for (const machine of world.machines) {
      await sell(machine)
      await visit(machine, { cost: 100, waste: 1 })
    }
    const scope = [{ merchantId: world.merchantId, groups: [world.groups[1] as string] }]
    const admin = api.as(await aUser(api.database, 'groupAdmin', scope))
    const report = await reportOf({ ...world, admin }, { type: 'groups' })
    expect([byKey(report, 'visits'), byKey(report, 'visitCost')]).toEqual([{ South: 2 }, { South: 200 }])
    expect((await listOf({ ...world, admin }, {})).total).toBe(2)
  })

  test('users who do not see products see visits without their costs', async () => {
    const world = await aWorld()
    const [machine] = world.machines as [TestMachine]
    await sell(machine)
    await visit(machine, { cost: 100, waste: 1 })
    const scope = [{ merchantId: world.merchantId, groups: 'all' as const }]
    const admin = api.as(await aUser(api.database, 'merchantUser', scope))
    const report = await reportOf({ ...world, admin }, { type: 'machines' })
    expect(totalOf(report, 'visits')).toBe(1)
    expect(report.offered.filter((one) => ['visitCost', 'wasted', 'profit', 'netPerVisit'].includes(one))).toEqual([])
    const { items, totals } = await listOf({ ...world, admin }, {})
    expect(items[0]).toMatchObject({ waste: 1, cost: null, wasted: null })
    expect(Object.keys(totals[0]?.values ?? {})).toEqual(['loaded', 'waste', 'counted'])
  })
})

describe('the report of visits', () => {
  test('adds them up by technician, month and route, as plain statements over their rows do', async () => {
    const world = await aWorld()
    const { merchantId, machines } = world
    const [first, second] = machines as [TestMachine, TestMachine]
    const [anna, bruno] = [randomUUID(), randomUUID()]
    const routeId = randomUUID()
    await api.database.admin(
      `insert into routes (merchant_id, id, name, days, created_at) values ($1, $2, 'Monday tour', '{1}', now())`,
      [merchantId, routeId],
    )
    const roundId = await aRound(api.database, merchantId, { route_id: routeId })
    const goneRoute = await aRound(api.database, merchantId, { route_id: randomUUID() })
    const period = { startDate: '2026-10-31', endDate: '2026-11-20' }
    // The 1st of November in Rome.
    const november = '2026-10-31T23:30:00Z'
    const by = (user_id: string, user_name: string, at: string, more: object = {}) => ({
      user_id,
      user_name,
      at: new Date(at),
      ...more,
    })
    await visit(first, { waste: 2, cost: 300, ...by(anna, 'Anna', '2026-10-31T22:30:00Z', { round_id: roundId }) })
    await visit(first, { cost: 300, ...by(anna, 'Anna B.', november, { round_id: goneRoute }) })
    const taken = await visit(second, { cost: null, ...by(bruno, 'Bruno', '2026-11-10T10:00:00Z') })
    const again = await visit(second, { cost: 100, ...by(anna, 'Anna B.', '2026-11-10T10:05:00Z') })
    const collectionId = await aCollection(api.database, second, {
      at: '2026-11-10T10:00:00Z',
      until: '2026-11-10T10:00:00Z',
      status: 'counted',
      counted: '[]',
      counted_total: 4500,
      counted_at: '2026-11-11T10:00:00Z',
    })
    for (const [id, at] of [
      [taken, '2026-11-10T10:00:00Z'],
      [again, '2026-11-10T10:05:00Z'],
    ] as const)
      await api.database.admin(
        `insert into collection_sources (merchant_id, machine_id, source, source_id, at, since, collection_id)
         values ($1, $2, 'visit', $3, $4, $4, $5)`,
        [merchantId, second.id, id, at, collectionId],
      )
    const get = (query: object) => reportOf(world, { ...period, type: 'visits', ...query })
    const ofTechnicians = await get({})
    expect(ofTechnicians.figures).toEqual([
      'visits',
      'loaded',
      'wastedPieces',
      'counted',
      'uncounted',
      'wasted',
      'visitCost',
    ])
    const rows = await api.database.admin<Record<string, string>>(
      `select v.user_id, count(*)::int as visits, sum(l.loaded)::int as loaded, sum(l.waste)::int as waste, sum(v.cost)::int as cost
       from visits v join visit_lines l on l.visit_id = v.id where v.merchant_id = $1 group by 1`,
      [merchantId],
    )
    const of = (key: string, ...figures: ReportFigure[]) => {
      const row = ofTechnicians.rows.find(({ keys }) => keys[0] === key)
      return figures.map((figure) => figureIn(ofTechnicians, figure, row?.values))
    }
    for (const { user_id, visits, loaded, waste, cost } of rows)
      expect(of(user_id as string, 'visits', 'loaded', 'wastedPieces', 'visitCost')).toEqual([
        visits,
        loaded,
        waste,
        cost,
      ])
    expect(ofTechnicians.rows.map(({ labels }) => labels[0]).toSorted()).toEqual(['Anna B.', 'Bruno'])
    // A collection that two visits reported is the first one's.
    expect([of(anna, 'counted'), of(bruno, 'counted')]).toEqual([[null], [4500]])
    expect(byKey(await get({ by: ['month'] }), 'visits')).toEqual({ '202610': 1, '202611': 3 })
    const ofRoutes = await get({ by: ['route'] })
    expect(ofRoutes.rows.map(({ labels, isGone, values }) => [labels[0], isGone, values[0]])).toEqual(
      expect.arrayContaining([
        ['Monday tour', false, 1],
        [null, false, 2],
        [null, true, 1],
      ]),
    )
    const ofAnna = await listOf(world, { ...period, technicianIds: [anna] })
    expect([ofAnna.total, ofAnna.totals[0]?.values.loaded]).toEqual(of(anna, 'visits', 'loaded'))
    expect((await listOf(world, { ...period, routeIds: [routeId] })).total).toBe(1)
  })

  test('is refused where the merchant has no visits as a feature', async () => {
    const { merchantId, admin } = await aWorld()
    await api.database.admin('update merchant_features set features = $2 where merchant_id = $1', [
      merchantId,
      ['vending'],
    ])
    await expect(reportOf({ merchantId, admin }, { type: 'visits' })).rejects.toMatchObject({
      code: 'FeatureNotEnabled',
    })
  })
})
