import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PriceEdit } from '#contract/catalogue/price.ts'
import type { PriceOrder, PriceRule } from '#contract/catalogue/price-change.ts'
import { mostPrice } from '#contract/vocabulary/catalogue/price.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand, aPrice } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

/** A merchant with machines that report an espresso in selection 1 for 100 and a water in selection 2 for 60, for cash and with a key. */
async function aFleet(count: number, with_: Record<string, unknown> = {}) {
  const merchantId = (await aMerchant(api.database, with_)).id
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machines: TestMachine[] = []
  for (let n = 0; n < count; n++) {
    const machine = await aMachine(api.database, merchantId, { name: `Machine ${n} ${merchantId.slice(-6)}` })
    for (const priceTable of [1, 2]) {
      await aPrice(api.database, machine, { selection: '1', price_table: priceTable, product: 'ESPR', price: 100 })
      await aPrice(api.database, machine, { selection: '2', price_table: priceTable, product: 'WATER', price: 60 })
    }
    machines.push(machine)
  }
  const [first] = machines
  if (!first) throw new Error('A fleet has a machine')
  return { merchantId, admin, machines, first }
}
type Order = Omit<PriceOrder, 'machines'>
type Fleet = Awaited<ReturnType<typeof aFleet>>

const scopeOf = ({ selections, productIds, productText }: Partial<Order>): Order['scope'] =>
  selections ? 'selections' : productIds || productText ? 'products' : 'all'
const orderOf = ({ machines }: Pick<Fleet, 'machines'>, rule: PriceRule, more: Partial<Order> = {}) => ({
  machines: { ids: machines.map(({ id }) => id) },
  scope: scopeOf(more),
  productIds: [],
  selections: [],
  productText: null,
  priceTables: [1, 2],
  startsOn: null as string | null,
  rule,
  ...more,
})
const fivePercent = { kind: 'percent', percent: 5, rounding: 'nearest5' } as const
const preview = ({ admin, merchantId }: Fleet, body: ReturnType<typeof orderOf>) =>
  admin.previewPriceChange({ params: { merchantId }, body })
const change = async (
  fleet: Fleet,
  body: ReturnType<typeof orderOf>,
  more: { startsOn?: string; send?: boolean; planName?: string } = {},
) => {
  const { startsOn = null, ...rest } = more
  const order = { ...body, startsOn }
  const { digest, unusualDigest } = await preview(fleet, order)
  return fleet.admin.changePrices({
    params: { merchantId: fleet.merchantId },
    body: { ...order, digest, confirmed: unusualDigest, ...rest },
  })
}
const wantedOf = async (machine: TestMachine) => {
  const rows = await api.database.admin<{ selection: string; price_table: number; wanted: string | null }>(
    'select selection, price_table, wanted from machine_prices where machine_id = $1 order by selection, price_table',
    [machine.id],
  )
  return rows.map(({ selection, price_table, wanted }) => [
    selection,
    price_table,
    wanted === null ? null : Number(wanted),
  ])
}

test('a preview shows every old and new price, and the change writes those', async () => {
  const fleet = await aFleet(2)
  const body = orderOf(fleet, fivePercent, { priceTables: [1] })
  const previewed = await preview(fleet, body)
  expect(previewed).toMatchObject({ machines: 2, changed: 4, unchanged: 0, skipped: 0 })
  expect(previewed.prices.filter(({ posId }) => posId === fleet.first.id)).toMatchObject([
    { selection: '1', priceTable: 1, before: 100, after: 105, currency: 'EUR', product: 'ESPR' },
    { selection: '2', priceTable: 1, before: 60, after: 65 },
  ])
  const { params } = { params: { merchantId: fleet.merchantId } }
  await fleet.admin.changePrices({ params, body: { ...body, digest: previewed.digest } })
  expect(await wantedOf(fleet.first)).toEqual([
    ['1', 1, 105],
    ['1', 2, null],
    ['2', 1, 65],
    ['2', 2, null],
  ])
  const { items } = await fleet.admin.listPriceChanges({ params: { ...params, posId: fleet.first.id }, query: {} })
  expect(items).toHaveLength(2)
  expect(items[0]).toMatchObject({ source: 'bulk', before: null })
  // The same order now raises the wanted prices once more, so the old preview does not hold.
  await expect(fleet.admin.changePrices({ params, body: { ...body, digest: previewed.digest } })).rejects.toMatchObject(
    {
      code: 'PricesChanged',
    },
  )
})

test('a product is found by its id and by a part of its name, through the reported code', async () => {
  const fleet = await aFleet(1)
  const coffee = await aProduct(api.database, fleet.merchantId, { name: 'Coffee, short' })
  await aProductCode(api.database, fleet.first, { code: 'ESPR', product_id: coffee })
  const rule = { kind: 'set', price: 110 } as const
  const byText = await preview(fleet, orderOf(fleet, rule, { productText: 'coffee' }))
  const byId = await preview(fleet, orderOf(fleet, rule, { productIds: [coffee] }))
  const bySelection = await preview(fleet, orderOf(fleet, rule, { selections: ['1'] }))
  expect(byText.prices.map(({ selection, product }) => [selection, product])).toEqual([
    ['1', 'Coffee, short'],
    ['1', 'Coffee, short'],
  ])
  expect(byId.digest).toBe(byText.digest)
  expect(bySelection.digest).toBe(byText.digest)
})

test('prices of a planogram reach its machines, also planned selections without a price, and no selection that a machine lacks', async () => {
  const fleet = await aFleet(2)
  const planogram = await aPlanogram(api.database, fleet.merchantId)
  await api.database.admin(
    `insert into planogram_lines (merchant_id, planogram_id, selection, position, capacity, warning_level, refill_value, prices)
     values ($1, $2, '1', 0, 10, 2, 10, '{"1": 130, "6": 125}'), ($1, $2, '9', 1, 10, 2, 10, '{"1": 90}')`,
    [fleet.merchantId, planogram],
  )
  await api.database.admin('update machines set planogram_id = $2 where id = $1', [fleet.first.id, planogram])
  const ownPrices = orderOf(fleet, { kind: 'planogram', planogramId: null }, { priceTables: [1, 6] })
  expect(await preview(fleet, ownPrices)).toMatchObject({ machines: 1, changed: 3 })
  await change(fleet, ownPrices)
  expect(await wantedOf(fleet.first)).toEqual(
    expect.arrayContaining([
      ['1', 1, 130],
      ['1', 6, 125],
      ['9', 1, 90],
    ]),
  )
  const named = orderOf(fleet, { kind: 'planogram', planogramId: planogram }, { priceTables: [1] })
  // The second machine has no selection 9.
  expect(await preview(fleet, named)).toMatchObject({ machines: 1, changed: 1, unchanged: 2, skipped: 1 })
})

test('prices of another machine reach the selections that both have', async () => {
  const fleet = await aFleet(2)
  const [first, second] = fleet.machines as [TestMachine, TestMachine]
  await aPrice(api.database, first, { selection: '5', price: 300 })
  await api.database.admin(`update machine_prices set price = 140 where machine_id = $1 and selection = '1'`, [
    first.id,
  ])
  const body = orderOf(fleet, { kind: 'machine', posId: first.id }, { priceTables: [1] })
  expect(await preview(fleet, body)).toMatchObject({
    changed: 1,
    unchanged: 1,
    prices: [{ posId: second.id, selection: '1', before: 100, after: 140 }],
  })
  await change(fleet, body)
  expect(await wantedOf(second)).toEqual(expect.arrayContaining([['1', 1, 140]]))
})

test('a change that is sent gives each machine a command, unless prices are on their way', async () => {
  const fleet = await aFleet(3)
  await aCommand(api.database, fleet.first, { type: 10, status: 1 })
  const outcome = await change(fleet, orderOf(fleet, fivePercent), { send: true })
  expect(outcome).toMatchObject({
    changed: 12,
    sent: 2,
    unsent: [{ posId: fleet.first.id, code: 'RemoteCommandPending' }],
  })
  const commands = await api.database.admin<{ parameters: { prices: object[] } }>(
    'select parameters from remote_commands where merchant_id = $1 and status = 0',
    [fleet.merchantId],
  )
  expect(commands.map(({ parameters }) => parameters.prices.length)).toEqual([4, 4])
})

test('a change may start on a day, at midnight of each machine, and be cancelled before', async () => {
  const fleet = await aFleet(1)
  const body = orderOf(fleet, fivePercent, { priceTables: [1] })
  await change(fleet, body, { startsOn: '2030-07-01' })
  const here = { params: { merchantId: fleet.merchantId, posId: fleet.first.id } }
  const { items } = await fleet.admin.listPrices({ ...here, query: {} })
  expect(items[0]?.prices[0]).toMatchObject({
    wanted: null,
    planned: [{ price: 105, startsAt: '2030-06-30T22:00:00.000' }],
  })
  await expect(change(fleet, body, { startsOn: '2020-01-01' })).rejects.toMatchObject({ code: 'PeriodReversed' })
  expect(await fleet.admin.cancelPlannedPrices(here)).toEqual({ cancelled: 2 })
  await expect(fleet.admin.cancelPlannedPrices(here)).rejects.toMatchObject({ code: 'NothingToSend' })
})

test('machines of several merchants are refused if their currencies differ, and changed together otherwise', async () => {
  const rome = await aFleet(1)
  const milan = await aFleet(1)
  const mexico = await aFleet(1, { currency: 'MXN' })
  const scope = [rome, milan, mexico].map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
  const admin: TestClient = api.as(await aUser(api.database, 'merchantAdmin', scope))
  const of = (...fleets: Fleet[]) => orderOf({ machines: fleets.flatMap(({ machines }) => machines) }, fivePercent)
  const call = { params: { merchantId: allMerchants } }
  await expect(admin.previewPriceChange({ ...call, body: of(rome, mexico) })).rejects.toMatchObject({
    code: 'PriceCurrenciesDiffer',
  })
  const { digest, changed } = await admin.previewPriceChange({ ...call, body: of(rome, milan) })
  expect(changed).toBe(8)
  expect(await admin.changePrices({ ...call, body: { ...of(rome, milan), digest } })).toMatchObject({ machines: 2 })
  const fromMexico = orderOf(rome, { kind: 'machine', posId: mexico.first.id })
  await expect(admin.previewPriceChange({ ...call, body: fromMexico })).rejects.toMatchObject({
    code: 'PriceCurrenciesDiffer',
  })
})

test('a price that another user changes after the preview is not overwritten, in 8 races', async () => {
  const fleet = await aFleet(1)
  const { merchantId, first, admin } = fleet
  let last: number | null = null
  for (let round = 0; round < 8; round++) {
    const body = orderOf(fleet, { kind: 'set', price: 200 + round }, { selections: ['1'], priceTables: [1] })
    const { digest, unusualDigest: confirmed } = await preview(fleet, body)
    const edit: PriceEdit = { selection: '1', priceTable: 1, before: last, price: 500 + round, isConfirmed: true }
    const [bulk, single] = await Promise.allSettled([
      admin.changePrices({ params: { merchantId }, body: { ...body, digest, confirmed } }),
      admin.updatePrices({ params: { merchantId, posId: first.id }, body: { edits: [edit] } }),
    ])
    if (single.status === 'rejected') throw single.reason
    const isSaved: boolean = single.value.conflicts.length === 0
    if (bulk.status === 'rejected') expect(bulk.reason).toMatchObject({ code: 'PricesChanged' })
    // One of both wins.
    expect(bulk.status === 'fulfilled').toBe(!isSaved)
    last = isSaved ? 500 + round : 200 + round
    expect(await wantedOf(first)).toEqual(expect.arrayContaining([['1', 1, last]]))
  }
})

test('unusual prices of a change need a confirmation of exactly those', async () => {
  const fleet = await aFleet(2)
  const call = { params: { merchantId: fleet.merchantId } }
  const body = orderOf(fleet, { kind: 'set', price: 100_000 }, { priceTables: [1] })
  const previewed = await preview(fleet, body)
  expect(previewed).toMatchObject({ changed: 4, unusual: 4, bandPercent: 30 })
  expect(previewed.prices.map(({ warning }) => warning)).toEqual(['band', 'band', 'band', 'band'])
  const { digest, unusualDigest } = previewed
  for (const confirmed of [null, digest, 'x'])
    await expect(fleet.admin.changePrices({ ...call, body: { ...body, digest, confirmed } })).rejects.toMatchObject({
      code: 'PricesUnusual',
      facts: { unusual: 4 },
    })
  expect((await wantedOf(fleet.first)).map(([, , wanted]) => wanted)).toEqual([null, null, null, null])
  expect(
    await fleet.admin.changePrices({ ...call, body: { ...body, digest, confirmed: unusualDigest } }),
  ).toMatchObject({
    changed: 4,
    unusual: 4,
  })
})

test('zero and clamped prices are unusual, and the merchant sets the band', async () => {
  const fleet = await aFleet(1)
  const espresso = { selections: ['1'], priceTables: [1] }
  const warningOf = async (rule: PriceRule) => (await preview(fleet, orderOf(fleet, rule, espresso))).prices[0]
  expect(await warningOf({ kind: 'set', price: 0 })).toMatchObject({ after: 0, warning: 'zero' })
  expect(await warningOf({ kind: 'add', amount: -500 })).toMatchObject({ after: 0, warning: 'clamped' })
  expect(await warningOf({ kind: 'add', amount: 30 })).toMatchObject({ after: 130, warning: null })
  await api.database.admin('update merchant_settings set price_band_percent = 20 where merchant_id = $1', [
    fleet.merchantId,
  ])
  expect(await warningOf({ kind: 'add', amount: 30 })).toMatchObject({ after: 130, warning: 'band' })
})

test('an unusual price of one machine needs a confirmation too, at its line', async () => {
  const { admin, merchantId, first } = await aFleet(1)
  const call = { params: { merchantId, posId: first.id } }
  const edits: PriceEdit[] = [
    { selection: '1', priceTable: 1, before: null, price: 105 },
    { selection: '2', priceTable: 1, before: null, price: 0 },
  ]
  await expect(admin.updatePrices({ ...call, body: { edits } })).rejects.toMatchObject({
    code: 'PricesUnusual',
    facts: { prices: [{ selection: '2', priceTable: 1, before: 60, price: 0, warning: 'zero' }] },
  })
  const confirmed = edits.map((edit) => ({ ...edit, isConfirmed: edit.selection === '2' }))
  expect(await admin.updatePrices({ ...call, body: { edits: confirmed } })).toMatchObject({ saved: 2 })
})

test('a machine that leaves the merchant after the preview gets no price, and nor do the others', async () => {
  const fleet = await aFleet(2)
  const body = orderOf(fleet, fivePercent)
  const { digest } = await preview(fleet, body)
  const [stays, leaves] = fleet.machines as [TestMachine, TestMachine]
  await fleet.admin.deleteMachine({ params: { merchantId: fleet.merchantId, posId: leaves.id } })
  const late = fleet.admin.changePrices({ params: { merchantId: fleet.merchantId }, body: { ...body, digest } })
  await expect(late).rejects.toMatchObject({ code: 'MachineNotFound' })
  expect((await wantedOf(stays)).map(([, , wanted]) => wanted)).toEqual([null, null, null, null])
})

test.each<[string, Partial<Order>]>([
  ['a price of −1', { rule: { kind: 'set', price: -1 } }],
  ['a price of 2^53', { rule: { kind: 'set', price: 2 ** 53 } }],
  ['a price with decimals', { rule: { kind: 'set', price: 1.5 } }],
  ['three decimals of a percentage', { rule: { kind: 'percent', percent: 1.005, rounding: 'none' } }],
  ['no price table', { priceTables: [] }],
  ['price table 0', { priceTables: [0] }],
  ['a scope of selections without a selection', { scope: 'selections' }],
  ['a scope of all prices beside a selection', { scope: 'all', selections: ['1'] }],
])('%s is refused', async (_, more) => {
  const fleet = await aFleet(1)
  await expect(preview(fleet, orderOf(fleet, fivePercent, more))).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a sandwich in Colombia is raised from 12,000 to 14,000 pesos and planned at 15,000', async () => {
  const fleet = await aFleet(1, { country: 'CO', currency: 'COP', time_zone: 'America/Bogota' })
  await api.database.admin('update machine_prices set price = 1200000 where machine_id = $1', [fleet.first.id])
  const dear = { selections: ['1'], priceTables: [1] }
  const raised = await change(fleet, orderOf(fleet, { kind: 'add', amount: 200_000 }, dear), { send: true })
  expect(raised).toMatchObject({ changed: 1, skipped: 0, sent: 1 })
  const planned = await change(fleet, orderOf(fleet, { kind: 'set', price: 1_500_000 }, dear), {
    startsOn: '2099-01-01',
  })
  expect(planned).toMatchObject({ changed: 1, skipped: 0 })
  expect((await wantedOf(fleet.first))[0]).toEqual(['1', 1, 1_400_000])
})

test('a price that would be too large is skipped', async () => {
  const fleet = await aFleet(1)
  await api.database.admin(`update machine_prices set price = $2 where machine_id = $1 and selection = '1'`, [
    fleet.first.id,
    mostPrice - 1,
  ])
  expect(await preview(fleet, orderOf(fleet, { kind: 'add', amount: 100 }))).toMatchObject({ changed: 2, skipped: 2 })
})

test('1,000 prices of 200 machines are changed and sent in one call', async () => {
  const merchantId = (await aMerchant(api.database)).id
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const machines: TestMachine[] = []
  for (let n = 0; n < 200; n++)
    machines.push(await aMachine(api.database, merchantId, { name: `M ${n} ${merchantId}` }))
  // Each machine has 40 selections in 3 tables; 5 of them change.
  await api.database.admin(
    `insert into machine_prices (merchant_id, machine_id, selection, price_table, product, price, gone, at, epoch, seq)
     select $1, machine, n::text, t, 'P' || n, 100 + n, false, now() - interval '1 hour', 1, 1
     from unnest($2::uuid[]) machine, generate_series(1, 40) n, generate_series(1, 3) t`,
    [merchantId, machines.map(({ id }) => id)],
  )
  await api.database.admin('analyze machine_prices')
  const fleet = { merchantId, admin, machines, first: machines[0] as TestMachine }
  const more = { selections: ['1', '2', '3', '4', '5'], priceTables: [1] }
  const times: number[] = []
  for (const [round, send] of [false, false, true].entries()) {
    const body = orderOf(fleet, { kind: 'set', price: 500 + round }, more)
    const { digest, changed, unusualDigest: confirmed } = await preview(fleet, body)
    expect(changed).toBe(1000)
    const begun = performance.now()
    const outcome = await admin.changePrices({ params: { merchantId }, body: { ...body, digest, confirmed, send } })
    times.push(Math.round(performance.now() - begun))
    expect(outcome).toMatchObject({ changed: 1000, machines: 200, sent: send ? 200 : 0 })
  }
  console.log(`1,000 prices of 200 machines: saved in ${times[0]} and ${times[1]} ms, saved and sent in ${times[2]} ms`)
}, 120_000)
