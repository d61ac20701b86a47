import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlannedPrices } from '#database/catalogue/price-start.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aPlannedPrice, aPrice } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

async function aShop() {
  const merchantId = (await aMerchant(api.database)).id
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machine = await aMachine(api.database, merchantId)
  await aPrice(api.database, machine, { selection: '1', price: 100 })
  return { merchantId, admin, machine, call: { params: { merchantId } } }
}
type Shop = Awaited<ReturnType<typeof aShop>>

const orderOf = ({ machine }: Pick<Shop, 'machine'>, startsOn: string, rule: object) => ({
  machines: { ids: [machine.id] },
  scope: 'all' as const,
  productIds: [],
  selections: [],
  productText: null,
  priceTables: [1],
  rule: rule as { kind: 'add'; amount: number },
  startsOn,
})
async function plan(shop: Shop, startsOn: string, rule: object, planName: string | null = null): Promise<string> {
  const body = orderOf(shop, startsOn, rule)
  const { digest, unusualDigest: confirmed } = await shop.admin.previewPriceChange({ ...shop.call, body })
  const { planIds } = await shop.admin.changePrices({ ...shop.call, body: { ...body, digest, confirmed, planName } })
  return planIds[0] as string
}
const raise = (amount: number) => ({ kind: 'add', amount })
const wantedOf = async (machine: TestMachine) => {
  const [row] = await api.database.admin<{ wanted: number | null }>(
    'select wanted::int from machine_prices where machine_id = $1',
    [machine.id],
  )
  return row?.wanted ?? null
}

test('one price may be in several plans, each computed from the price that is in force on its day', async () => {
  const shop = await aShop()
  await plan(shop, '2030-07-01', raise(10), 'Summer')
  await plan(shop, '2030-09-01', raise(20))
  // Between both: from 110, not from 100; the later plan keeps its price.
  const between = await shop.admin.previewPriceChange({ ...shop.call, body: orderOf(shop, '2030-08-01', raise(5)) })
  expect(between.prices).toMatchObject([{ before: 110, after: 115 }])
  const { items } = await shop.admin.listPrices({ params: { ...shop.call.params, posId: shop.machine.id }, query: {} })
  expect(items[0]?.prices[0]?.planned).toMatchObject([
    { price: 110, startsAt: '2030-06-30T22:00:00.000' },
    { price: 130, startsAt: '2030-08-31T22:00:00.000' },
  ])
  const plans = await shop.admin.listPricePlans({ ...shop.call, query: {} })
  expect(plans.items).toMatchObject([
    { name: null, startsOn: '2030-09-01', status: 'planned', machines: 1, prices: 1, createdBy: 'Test merchantAdmin' },
    { name: 'Summer', startsOn: '2030-07-01', status: 'planned', machines: 1, prices: 1 },
  ])
  const of = async (query: object) => (await shop.admin.listPricePlans({ ...shop.call, query })).total
  expect(await of({ search: 'summ' })).toBe(1)
  expect(await of({ startDate: '2030-08-01' })).toBe(1)
  expect([await of({ statuses: ['planned'] }), await of({ statuses: ['cancelled'] })]).toEqual([2, 0])
})

test('a change that was previewed before another plan is refused', async () => {
  const shop = await aShop()
  const body = orderOf(shop, '2030-08-01', raise(10))
  const { digest } = await shop.admin.previewPriceChange({ ...shop.call, body })
  await plan(shop, '2030-07-01', raise(15))
  await expect(shop.admin.changePrices({ ...shop.call, body: { ...body, digest } })).rejects.toMatchObject({
    code: 'PricesChanged',
  })
})

test('a plan is cancelled as a whole, once, and the log says who did it and how many prices it had', async () => {
  const shop = await aShop()
  const pricePlanId = await plan(shop, '2030-07-01', raise(10), 'Summer')
  const other = await plan(shop, '2030-09-01', raise(20))
  const call = { params: { ...shop.call.params, pricePlanId } }
  expect(await shop.admin.cancelPricePlan(call)).toEqual({ cancelled: 1, machines: 1 })
  await expect(shop.admin.cancelPricePlan(call)).rejects.toMatchObject({ code: 'PricePlanEnded' })
  expect(await shop.admin.getPricePlan(call)).toMatchObject({
    status: 'cancelled',
    open: 0,
    cancelledBy: 'Test merchantAdmin',
  })
  const lines = await shop.admin.listPlannedPrices({ ...shop.call, query: { pricePlanIds: [pricePlanId, other] } })
  expect(lines.items.map(({ before, price, status }) => [before, price, status])).toEqual(
    expect.arrayContaining([
      [100, 110, 'cancelled'],
      [110, 130, 'planned'],
    ]),
  )
  const [entry] = await api.database.admin('select action, before from change_log where subject_id = $1', [pricePlanId])
  expect(entry).toEqual({
    action: 'pricePlan.cancel',
    before: { name: 'Summer', startsOn: '2030-07-01', prices: 1, machines: 1 },
  })
})

test('users of some groups see and cancel only the part of their machines', async () => {
  const { merchantId, admin } = await aShop()
  const group = await aGroup(api.database, merchantId)
  const ownMachine = await aMachine(api.database, merchantId, { groupId: group })
  const foreign = await aMachine(api.database, merchantId)
  const pricePlanId = await aPlannedPrice(api.database, ownMachine)
  await aPlannedPrice(api.database, foreign, { plan_id: pricePlanId })
  await aPlannedPrice(api.database, foreign)
  const member: TestClient = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  const call = { params: { merchantId, pricePlanId } }
  expect(await member.listPricePlans({ params: { merchantId }, query: {} })).toMatchObject({
    total: 1,
    items: [{ id: pricePlanId, machines: 1, prices: 1 }],
  })
  expect(await member.cancelPricePlan(call)).toEqual({ cancelled: 1, machines: 1 })
  expect(await member.getPricePlan(call)).toMatchObject({ status: 'cancelled', machines: 1 })
  expect(await admin.getPricePlan(call)).toMatchObject({ status: 'planned', machines: 2, open: 1 })
})

test('a deleted machine loses its part at once', async () => {
  const shop = await aShop()
  const pricePlanId = await plan(shop, '2030-07-01', raise(10))
  await shop.admin.deleteMachine({ params: { ...shop.call.params, posId: shop.machine.id } })
  const rows = await api.database.admin('select status from planned_prices where plan_id = $1', [pricePlanId])
  expect(rows).toEqual([{ status: 'lost' }])
})

test('start, cancellation and edit at the same moment: each price starts or is cancelled, in 10 races', async () => {
  for (let round = 0; round < 10; round++) {
    const { merchantId, admin, machine } = await aShop()
    const due = { starts_at: new Date(Date.now() - 1000) }
    const pricePlanId = await aPlannedPrice(api.database, machine, { selection: '1', ...due })
    const edit = { selection: '1', priceTable: 1, before: null, price: 105 }
    const [, cancelled, edited] = await Promise.allSettled([
      startPlannedPrices(api.database, new Date()),
      admin.cancelPricePlan({ params: { merchantId, pricePlanId } }),
      admin.updatePrices({ params: { merchantId, posId: machine.id }, body: { edits: [edit] } }),
      startPlannedPrices(api.database, new Date()),
    ])
    if (edited.status === 'rejected') throw edited.reason
    const isCancelled = cancelled.status === 'fulfilled'
    if (!isCancelled) expect(cancelled.reason).toMatchObject({ code: 'PricePlanEnded' })
    const [line] = await api.database.admin('select status from planned_prices where plan_id = $1', [pricePlanId])
    expect(line).toEqual({ status: isCancelled ? 'cancelled' : 'started' })
    const changes = await api.database.admin<{ source: string; after: string }>(
      'select source, after from price_changes where machine_id = $1 order by at, id',
      [machine.id],
    )
    expect(changes.filter(({ source }) => source === 'start')).toHaveLength(isCancelled ? 0 : 1)
    // The last writer's price is in force.
    expect(changes.map(({ after }) => Number(after))).toContain(await wantedOf(machine))
  }
})

test('with any plans and cancellations, each day has the price of the last plan that started until then', async () => {
  const day = (n: number) => `2031-01-${String(n + 1).padStart(2, '0')}`
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('plan' as const), day: fc.nat(8), price: fc.nat(50) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(5) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const shop = await aShop()
      const plans: { id: string; day: number; price: number; isCancelled: boolean }[] = []
      const priceOn = (n: number) =>
        plans
          .filter((one) => !one.isCancelled && one.day <= n)
          .toSorted((one, other) => one.day - other.day)
          .at(-1)?.price ?? null
      for (const one of steps) {
        if (one.kind === 'plan') {
          const price = 80 + one.price
          const body = orderOf(shop, day(one.day), { kind: 'set', price })
          const preview = await shop.admin.previewPriceChange({ ...shop.call, body })
          const before = priceOn(one.day) ?? 100
          expect(preview.prices).toMatchObject(before === price ? [] : [{ before, after: price }])
          if (before === price) continue
          const id = await plan(shop, day(one.day), { kind: 'set', price })
          plans.push({ id, day: one.day, price, isCancelled: false })
        } else {
          const plan = plans.filter(({ isCancelled }) => !isCancelled)[one.which]
          if (!plan) continue
          await shop.admin.cancelPricePlan({ params: { ...shop.call.params, pricePlanId: plan.id } })
          plan.isCancelled = true
        }
      }
      for (let n = 0; n <= 8; n++) {
        await startPlannedPrices(api.database, new Date(`${day(n)}T12:00:00Z`))
        expect(await wantedOf(shop.machine)).toBe(priceOn(n))
      }
    }),
    { numRuns: process.env.TEST_RUN === 'full' ? 40 : 8 },
  )
}, 120_000)
