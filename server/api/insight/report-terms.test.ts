// Over 450 lines because each test edits the same world: its parts would each need the helpers that edit it.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import { type ReportDimension, type ReportFigure, reportSources } from '#contract/vocabulary/insight/report.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { statementLines } from '#database/merchants/client-statement.ts'
import { type Commission, commissionOf } from '#domain/sales/commission.ts'
import { marginOf } from '#domain/sales/margin.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { aMedia, aRefund } from '#testkit/nouns/cashless.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** The VAT in a gross price. */
const vatIn = (gross: number, percent: number) => (gross * percent) / (100 + percent)
const today = () => dayIn(new Date(), 'Europe/Rome')
const atNoon = (day: string) => new Date(`${day}T10:00:00Z`)
const daysAgo = (days: number) => addDays(today(), -days)

interface World {
  merchantId: string
  admin: TestClient
  machines: TestMachine[]
  products: string[]
  groups: string[]
  clients: string[]
}

/** A merchant with two machines, groups and clients, and the products "Espresso" and "Crackers". */
async function aWorld(): Promise<World> {
  const { database } = api
  const merchantId = (await aMerchant(database)).id
  const groups = [await aGroup(database, merchantId, 'North'), await aGroup(database, merchantId, 'South')]
  const percent = { commission_kind: 'percent', commission_percent: 10 }
  const clients = [
    await aClient(database, merchantId, { name: 'Station', ...percent }),
    await aClient(database, merchantId),
  ]
  const machines = [
    await aMachine(database, merchantId, { groupId: groups[0] as string, columns: { client_id: clients[0] } }),
    await aMachine(database, merchantId, { groupId: groups[1] as string }),
  ]
  const products = [
    await aProduct(database, merchantId, { name: 'Espresso', cost: 40, vat: 22 }),
    await aProduct(database, merchantId, { name: 'Crackers', cost: 60, vat: 10 }),
  ]
  const [first] = machines as [TestMachine]
  await aProductCode(database, first, { code: 'ESP', product_id: products[0] })
  await aProductCode(database, first, { code: 'CRK', product_id: products[1] })
  const admin = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  return { merchantId, admin, machines, products, groups, clients }
}

const reportOf = ({ admin, merchantId }: World, query: object): Promise<Report> =>
  admin.getReport({ params: { merchantId }, query: query as never })
const figureIn = (report: Report, figure: ReportFigure, values: readonly (number | null)[] = []) =>
  values[report.figures.indexOf(figure)] ?? null
const totalOf = (report: Report, figure: ReportFigure) => figureIn(report, figure, report.totals[0]?.values)
const byLabel = (report: Report, figure: ReportFigure) =>
  Object.fromEntries(
    report.rows.map(({ labels, keys, values }) => [labels[0] ?? keys[0], figureIn(report, figure, values)]),
  )

async function editProduct({ admin, merchantId }: World, productId: string, change: object) {
  const params = { merchantId, productId }
  const { version, code, name, productType, vat, cost } = await admin.getProduct({ params })
  await admin.updateProduct({ params, body: { version, code, name, productType, vat, cost, ...change } })
}
async function editClient({ admin, merchantId }: World, clientId: string, change: object) {
  const params = { merchantId, clientId }
  const { version, code, name, country, commissionKind, commissionPercent, commissionPerVend } = await admin.getClient({
    params,
  })
  const agreed = { commissionKind, commissionPercent, commissionPerVend }
  await admin.updateClient({ params, body: { version, code, name, country, ...agreed, ...change } as never })
}
async function editMachine({ admin, merchantId }: World, posId: string, change: object) {
  const params = { merchantId, posId }
  const { version } = await admin.getMachine({ params })
  await admin.updateMachine({ params, body: { version, ...change } })
}

test('a sale has cost, VAT, commission, group and client of its day, whatever changes today', async () => {
  const world = await aWorld()
  const [machine] = world.machines as [TestMachine]
  const past = daysAgo(3)
  const now = today()
  for (const day of [past, now])
    await aSale(api.database, machine, {
      created_at: day === now ? new Date() : atNoon(day),
      product: 'ESP',
      value: 122,
    })
  await editProduct(world, world.products[0] as string, { cost: 50, vat: 0 })
  // The second change of a day leaves the terms of the days before.
  await editProduct(world, world.products[0] as string, { cost: 60, vat: 0 })
  await editClient(world, world.clients[0] as string, { commissionPercent: 50 })
  await editMachine(world, machine.id, { groupId: world.groups[1] })
  const of = async (day: string, terms = 'ofDay') => {
    const report = await reportOf(world, { startDate: day, endDate: day, type: 'groups', terms })
    const figures = ['vat', 'commission', 'cost', 'margin'] as const
    return [byLabel(report, 'value'), ...figures.map((figure) => totalOf(report, figure))]
  }
  expect(await of(past)).toEqual([{ North: 122 }, 22, 12, 40, 48])
  expect(await of(now)).toEqual([{ South: 122 }, 0, 61, 60, 1])
  expect(await of(past, 'today')).toEqual([{ South: 122 }, 0, 61, 60, 1])
})

test('a machine that left a client keeps its past sales there, also when group and client are deleted', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines, groups, clients } = world
  const [machine] = machines as [TestMachine]
  await aSale(api.database, machine, { created_at: atNoon(daysAgo(3)), product: 'ESP', value: 100 })
  const days = { startDate: daysAgo(5), endDate: daysAgo(1) }
  await editMachine(world, machine.id, { groupId: groups[1], clientId: null })
  await admin.deleteClient({ params: { merchantId, clientId: clients[0] as string } })
  await admin.deleteGroup({ params: { merchantId, groupId: groups[0] as string } })
  const report = await reportOf(world, { ...days, type: 'clients', by: ['client', 'group'] })
  expect(report.rows.map(({ labels }) => labels)).toEqual([['Station', 'North']])
  expect(totalOf(report, 'commission')).toBe(10)
})

test('a deleted product keeps name, cost and VAT of its sales, also when its code means another product later', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines, products } = world
  const [machine] = machines as [TestMachine]
  const past = daysAgo(3)
  const now = today()
  const sell = (day: string) =>
    aSale(api.database, machine, { created_at: day === now ? new Date() : atNoon(day), product: 'ESP', value: 122 })
  await sell(past)
  await sell(now)
  await editProduct(world, products[0] as string, { cost: 50 })
  const of = async (day: string, by: ReportDimension, terms = 'ofDay') => {
    const report = await reportOf(world, { startDate: day, endDate: day, by: [by], terms })
    return [byLabel(report, 'value'), totalOf(report, 'vat'), totalOf(report, 'cost')]
  }
  const before = [await of(past, 'product'), await of(past, 'productType'), await of(now, 'product')]
  expect(before[0]).toEqual([{ Espresso: 122 }, 22, 40])
  expect(before[2]).toEqual([{ Espresso: 122 }, 22, 50])
  await admin.deleteProduct({ params: { merchantId, productId: products[0] as string } })
  const next = await aProduct(api.database, merchantId, { name: 'Ristretto', product_type: 'B', cost: 90, vat: 10 })
  await api.database.admin(`update product_codes set product_id = $2 where merchant_id = $1 and code = 'ESP'`, [
    merchantId,
    next,
  ])
  expect([await of(past, 'product'), await of(past, 'productType'), await of(now, 'product')]).toEqual(before)
  expect((await of(past, 'product', 'today'))[0]).toEqual({ Ristretto: 122 })
  // The list behind the figure has the product of the day as well.
  const list = async (query: object) =>
    (
      await admin.listTransactions({
        params: { merchantId },
        query: { startDate: past, endDate: past, ...query } as never,
      })
    ).total
  expect(await list({ products: ['Espresso'], terms: 'ofDay' })).toBe(1)
  expect(await list({ productTypes: ['B'], terms: 'ofDay' })).toBe(0)
  expect(await list({ products: ['Ristretto'], terms: 'today' })).toBe(1)
})

test('alarms, cash and refunds count where their machine was on their day, or where it is today', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines, groups, clients } = world
  const [machine] = machines as [TestMachine]
  const at = atNoon(daysAgo(3))
  await anAlarm(api.database, machine, { created_at: at })
  await api.database.admin(
    'insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected) values ($1, $2, $3, 50, 4, 0)',
    [merchantId, at, machine.id],
  )
  await aRefund(api.database, merchantId, await aMedia(api.database, merchantId), {
    amount: 25,
    pos_id: machine.id,
    created_at: at,
  })
  const days = { startDate: daysAgo(5), endDate: daysAgo(1) }
  const figures = { alarms: 'alarms', cash: 'cashValue', refunds: 'given' } as const
  const of = async (terms: string, more: object = {}) => {
    const results: unknown[] = []
    for (const type of Object.keys(figures) as (keyof typeof figures)[]) {
      const report = await reportOf(world, { ...days, type, by: ['group', 'client'], terms, ...more }).catch(
        () => undefined,
      )
      results.push(report?.rows.map(({ labels, values }) => [...labels, figureIn(report, figures[type], values)]))
    }
    return results
  }
  const before = await of('ofDay')
  expect(before).toEqual([[['North', 'Station', 1]], [['North', 'Station', 200]], [['North', 'Station', 25]]])
  await editMachine(world, machine.id, { groupId: groups[1], clientId: null })
  expect(await of('ofDay')).toEqual(before)
  expect(await of('today')).toEqual([[['South', null, 1]], [['South', null, 200]], [['South', null, 25]]])
  const inNorth = { groupIds: [groups[0] as string] }
  expect(await of('ofDay', { ...inNorth, clientIds: [clients[0] as string] })).toEqual(before)
  expect(await of('today', inNorth)).toEqual([undefined, undefined, undefined])
  // The lists behind the figures have the place of the day as well.
  const lists = async (terms: 'ofDay' | 'today') => {
    const query = { ...days, ...inNorth, terms } as never
    const params = { merchantId }
    return [(await admin.listAlarms({ params, query })).total, (await admin.listRefunds({ params, query })).total]
  }
  expect(await lists('ofDay')).toEqual([1, 1])
  expect(await lists('today')).toEqual([0, 0])
  await admin.deleteClient({ params: { merchantId, clientId: clients[0] as string } })
  await admin.deleteGroup({ params: { merchantId, groupId: groups[0] as string } })
  expect(await of('ofDay')).toEqual(before)
})

test('a deleted machine leaves its sales of today at its client', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines } = world
  const [machine] = machines as [TestMachine]
  await aSale(api.database, machine, { created_at: new Date(), product: 'ESP', value: 100 })
  await admin.deleteMachine({ params: { merchantId, posId: machine.id } })
  const report = await reportOf(world, { startDate: today(), endDate: today(), type: 'clients' })
  expect(byLabel(report, 'value')).toEqual({ Station: 100 })
})

test('a user of one group learns neither rows of other groups nor their names', async () => {
  const world = await aWorld()
  const [machine] = world.machines as [TestMachine]
  await aSale(api.database, machine, { created_at: atNoon(daysAgo(3)), value: 100 })
  await editMachine(world, machine.id, { groupId: world.groups[1] })
  const reader = api.as(
    await aUser(api.database, 'merchantUser', [{ merchantId: world.merchantId, groups: [world.groups[1] as string] }]),
  )
  const report = await reportOf(
    { ...world, admin: reader },
    { startDate: daysAgo(5), endDate: today(), type: 'groups' },
  )
  expect(report.rows.map(({ keys, labels }) => [keys[0], labels[0]])).toEqual([[world.groups[0], null]])
})

test('the list behind a group’s figure has the group of the sale’s day as well', async () => {
  const world = await aWorld()
  const { admin, merchantId, machines, groups } = world
  const [machine] = machines as [TestMachine]
  for (const days of [4, 3]) await aSale(api.database, machine, { created_at: atNoon(daysAgo(days)) })
  await editMachine(world, machine.id, { groupId: null })
  const filters = { startDate: daysAgo(5), endDate: today(), terms: 'ofDay' as const }
  const params = { merchantId }
  const inNorth = { ...filters, groupIds: [groups[0] as string] }
  expect((await admin.listTransactions({ params, query: { ...inNorth } as never })).total).toBe(2)
  expect((await admin.statsOfPeriod({ params, query: inNorth as never })).totals).toMatchObject([{ count: 2 }])
  const without = { ...filters, without: ['group'] }
  expect((await admin.listTransactions({ params, query: without as never })).total).toBe(0)
  expect((await admin.listTransactions({ params, query: { ...without, terms: 'today' } as never })).total).toBe(2)
})

test('a client’s statement has the commission of its report, also over a new agreement and a move', async () => {
  const world = await aWorld()
  const { merchantId, machines, clients } = world
  const [first, second] = machines as [TestMachine, TestMachine]
  const [clientId] = clients as [string]
  const days = { startDate: daysAgo(20), endDate: daysAgo(1) }
  for (let n = 0; n < 30; n++)
    await aSale(api.database, [first, second][randomInt(2)] as TestMachine, {
      created_at: atNoon(daysAgo(1 + randomInt(20))),
      value: 33 + randomInt(400),
      type: [1, 1, 14, 4][randomInt(4)],
      product: ['ESP', 'CRK', 'Water', null][randomInt(4)],
      free_sale: randomInt(9) === 0,
      error_sale: randomInt(9) === 0,
    })
  // More than is paid back: a line of a statement never falls below zero, which sums by product cannot know.
  await aSale(api.database, first, { created_at: atNoon(daysAgo(13)), value: 400, product: 'ESP' })
  await aSale(api.database, first, { created_at: atNoon(daysAgo(12)), value: 40, type: 6, product: null })
  const refund = { amount: 25, pos_id: first.id, created_at: atNoon(daysAgo(11)), transaction_id: first.id }
  await aRefund(api.database, merchantId, await aMedia(api.database, merchantId), refund)
  await api.database.admin(
    `insert into former_client_terms (merchant_id, client_id, until, commission_kind, commission_percent, commission_per_vend)
     values ($1, $2, $3, 'perVend', null, 7), ($1, $2, $4, 'percent', 12.55, null)`,
    [merchantId, clientId, daysAgo(15), daysAgo(8)],
  )
  await api.database.admin(
    `insert into former_machine_places (merchant_id, machine_id, until, group_id, client_id) values ($1, $2, $3, null, $4)`,
    [merchantId, second.id, daysAgo(10), clientId],
  )
  await sumUpDays(api.database, new Date())
  const lines = await api.database.withTenant(wholeMerchant(merchantId), (db) =>
    statementLines(db, { merchant_id: merchantId, id: clientId, time_zone: 'Europe/Rome' }, days),
  )
  const report = await reportOf(world, { ...days, type: 'machines', clientIds: [clientId] })
  expect(byLabel(report, 'commission')).toEqual(
    Object.fromEntries(lines.map(({ name, parts }) => [name, commissionOf(parts)])),
  )
  expect(byLabel(report, 'value')).toEqual(Object.fromEntries(lines.map(({ name, sales }) => [name, sales])))
})

const sale = fc.record({
  machine: fc.nat(1),
  daysAgo: fc.integer({ min: 1, max: 9 }),
  code: fc.constantFrom('ESP', 'CRK', 'Water', null),
  type: fc.constantFrom(1, 1, 14, 4, 6),
  value: fc.integer({ min: 0, max: 400 }),
  failed: fc.boolean(),
})
const ended = fc.integer({ min: 0, max: 10 })
const formerly = fc.record({
  products: fc.array(
    fc.record({ product: fc.nat(1), ended, cost: fc.option(fc.nat(90)), vat: fc.option(fc.nat(25)) }),
    { maxLength: 4 },
  ),
  places: fc.array(
    fc.record({ machine: fc.nat(1), ended, group: fc.option(fc.nat(1)), client: fc.option(fc.nat(1)) }),
    { maxLength: 4 },
  ),
  clients: fc.array(fc.record({ client: fc.nat(1), ended, percent: fc.option(fc.nat(40)) }), { maxLength: 4 }),
})
const edit = fc.oneof(
  fc.record({
    what: fc.constant('product' as const),
    at: fc.nat(1),
    cost: fc.option(fc.nat(90)),
    vat: fc.option(fc.nat(25)),
  }),
  fc.record({ what: fc.constant('client' as const), at: fc.nat(1), percent: fc.nat(40) }),
  fc.record({
    what: fc.constant('machine' as const),
    at: fc.nat(1),
    group: fc.option(fc.nat(1)),
    client: fc.option(fc.nat(1)),
  }),
  fc.record({ what: fc.constant('deletedProduct' as const), at: fc.nat(1) }),
  fc.record({ what: fc.constant('deletedClient' as const), at: fc.nat(1) }),
  fc.record({ what: fc.constant('deletedGroup' as const), at: fc.nat(1) }),
)

/** Groupings that read different sums and terms. */
const groupings: readonly ReportDimension[] = isFullRun
  ? reportSources.sales
  : ['product', 'machine', 'client', 'media', 'hour']

/** The former terms that held on a day, by a plain search; undefined: today's. */
const heldOn = <T extends { ended: number }>(all: readonly T[], ago: number): T | undefined =>
  all.filter((one) => one.ended < ago).sort((one, other) => other.ended - one.ended)[0]

test(
  'a closed period’s report never changes, and every grouping adds up to the statistics and to a plain count',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sale, { minLength: 3, maxLength: 14 }),
        formerly,
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (sold, terms, edits) => {
          const world = await aWorld()
          const { admin, merchantId, machines, products, groups, clients } = world
          const insert = async (table: string, rows: readonly unknown[][]) => {
            for (const row of rows) {
              const places = row.map((_, at) => `$${at + 2}`).join(', ')
              const statement = `insert into ${table} values ($1, ${places}) on conflict do nothing`
              await api.database.admin(statement, [merchantId, ...row])
            }
          }
          // A row that ended `ended` days ago held before that day.
          const day = (one: { ended: number }) => daysAgo(one.ended)
          const once = <T extends { ended: number }>(all: readonly T[], keyOf: (one: T) => number) => [
            ...new Map(all.toReversed().map((one) => [`${keyOf(one)} ${one.ended}`, one])).values(),
          ]
          const ofProducts = once(terms.products, (one) => one.product)
          const ofPlaces = once(terms.places, (one) => one.machine)
          const ofClients = once(terms.clients, (one) => one.client)
          await insert(
            'former_product_terms',
            ofProducts.map((one) => [products[one.product], day(one), one.cost, one.vat]),
          )
          const idOf = (ids: readonly string[], at: number | null) => (at === null ? null : ids[at])
          await insert(
            'former_machine_places',
            ofPlaces.map((one) => [
              machines[one.machine]?.id,
              day(one),
              idOf(groups, one.group),
              idOf(clients, one.client),
            ]),
          )
          await insert(
            'former_client_terms',
            ofClients.map((one) => [
              clients[one.client],
              day(one),
              one.percent === null ? 'none' : 'percent',
              one.percent,
              null,
            ]),
          )
          for (const one of sold)
            await aSale(api.database, machines[one.machine] as TestMachine, {
              created_at: atNoon(daysAgo(one.daysAgo)),
              product: one.code,
              type: one.type,
              value: one.value,
              error_sale: one.failed,
            })
          if (sold.length % 2 === 0) await sumUpDays(api.database, new Date())

          const closed = { startDate: daysAgo(8), endDate: daysAgo(1) }
          const all = await Promise.all(
            groupings.map(
              async (by): Promise<[ReportDimension, Report | undefined]> => [
                by,
                await reportOf(world, { ...closed, by: [by], parameter: 'Line' }).catch(() => undefined),
              ],
            ),
          )
          const { totals } = await admin.statsOfPeriod({
            params: { merchantId },
            query: { ...closed, types: saleTypes as never },
          })
          const isSale = ({ type }: { type: number }) => saleTypes.includes(type)
          const within = sold.filter((one) => one.daysAgo <= 8)
          const agreedAt = (client: number, ago: number): Commission => {
            const former = heldOn(
              ofClients.filter((one) => one.client === client),
              ago,
            )
            const percent = former ? former.percent : client === 0 ? 10 : null
            return { kind: percent === null ? 'none' : 'percent', percent, perVend: null }
          }
          const counted = within.map((one) => {
            const place = heldOn(
              ofPlaces.filter(({ machine }) => machine === one.machine),
              one.daysAgo,
            )
            const client = place ? place.client : one.machine === 0 ? 0 : null
            const product = ['ESP', 'CRK'].indexOf(one.code ?? '')
            const former = heldOn(
              ofProducts.filter((each) => each.product === product),
              one.daysAgo,
            )
            const goods =
              former ??
              [
                { cost: 40, vat: 22 },
                { cost: 60, vat: 10 },
              ][product]
            const turnover = isSale(one) && !one.failed ? one.value : 0
            const agreed = client === null ? undefined : agreedAt(client, one.daysAgo)
            const commission = ((agreed?.percent ?? 0) / 100) * (one.type === 6 && !one.failed ? -one.value : turnover)
            const isKnown = !isSale(one) || (goods !== undefined && goods.cost !== null && goods.vat !== null)
            const vat = goods?.vat ?? 0
            const cost = isSale(one) && !one.failed ? (goods?.cost ?? 0) : 0
            const margin = isKnown ? marginOf({ turnover, vat: vatIn(turnover, vat), commission, cost }) : 0
            return { turnover, commission, margin }
          })
          const sumOf = (figure: keyof (typeof counted)[number]) =>
            counted.reduce((total, row) => total + row[figure], 0)
          for (const [by, report] of all) {
            if (!report) continue
            const figures = (['value', 'count'] as const).map((figure) => totalOf(report, figure) ?? 0)
            expect([by, ...figures]).toEqual([by, totals[0]?.value ?? 0, totals[0]?.count ?? 0])
            expect([by, figures[0]]).toEqual([by, sumOf('turnover')])
            if (by === 'hour') continue
            const near = (figure: 'commission' | 'margin') => {
              const stated = totalOf(report, figure)
              if (stated !== null)
                expect(Math.abs(stated - sumOf(figure)), `${by} ${figure}`).toBeLessThanOrEqual(0.501)
            }
            near('commission')
            near('margin')
          }

          const deleted = new Set<string | undefined>()
          const params = { merchantId }
          const leave = async (at: number, change: object) => {
            for (const { id } of machines) {
              const { groupId, clientId } = await admin.getMachine({ params: { merchantId, posId: id } })
              if (groupId === groups[at] || clientId === clients[at]) await editMachine(world, id, change)
            }
          }
          for (const one of edits) {
            // What is deleted has no further edits.
            const ids = {
              product: products,
              deletedProduct: products,
              client: clients,
              deletedClient: clients,
              deletedGroup: groups,
            }
            const id = one.what === 'machine' ? undefined : (ids[one.what][one.at] as string)
            if (deleted.has(id)) continue
            if (
              one.what === 'machine' &&
              [groups[one.group ?? 2], clients[one.client ?? 2]].some((place) => place && deleted.has(place))
            )
              continue
            if (one.what.startsWith('deleted')) deleted.add(id)
            if (one.what === 'deletedProduct')
              await admin.deleteProduct({ params: { ...params, productId: id as string } })
            else if (one.what === 'deletedClient') {
              await leave(one.at, { clientId: null })
              await admin.deleteClient({ params: { ...params, clientId: id as string } })
            } else if (one.what === 'deletedGroup') {
              await leave(one.at, { groupId: null })
              await admin.deleteGroup({ params: { ...params, groupId: id as string } })
            } else if (one.what === 'product')
              await editProduct(world, products[one.at] as string, { cost: one.cost, vat: one.vat })
            else if (one.what === 'client')
              await editClient(world, clients[one.at] as string, {
                commissionKind: 'percent',
                commissionPercent: one.percent,
              })
            else
              await editMachine(world, machines[one.at]?.id as string, {
                groupId: idOf(groups, one.group),
                clientId: idOf(clients, one.client),
              })
          }
          for (const [by, report] of all) {
            const later = await reportOf(world, { ...closed, by: [by], parameter: 'Line' }).catch(() => undefined)
            // What is deleted has its figures and its name, but no page.
            const stated = (all: Report | undefined) => all?.rows.map(({ isGone: _, ...row }) => row)
            expect([by, later?.totals, stated(later)]).toEqual([by, report?.totals, stated(report)])
          }
        },
      ),
      { numRuns: isFullRun ? 40 : 3, endOnFailure: true },
    )
  },
  isFullRun ? 240_000 : undefined,
)
