import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needingAttention } from '#domain/machines/machine-state.ts'
import { type PeriodPreset, periodOf } from '#domain/time/period.ts'
import { placeOfAttention } from '#portal/features/machines/machine/places.ts'
import { countsOf, placeOf } from '#portal/features/sales/dashboard/places.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aCommand, anAlarm, aPrice, aSale, aSupply } from '#testkit/machines/machine-data.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'
import { aClaim } from '#testkit/nouns/key-portal.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const zone = 'Europe/Rome'
type Search = Readonly<Record<string, string | readonly string[] | undefined>>

/** The query of the list behind a link. */
function queryOf({ page: _, part: __, period, ...filters }: Search = {}): never {
  return { ...filters, ...(period && periodOf(period as PeriodPreset, new Date(), zone)) } as never
}

/** A merchant with every kind of problem, and with the same problems where they must not count. */
async function aTroubledMerchant() {
  const { id: merchantId } = await aMerchant(api.database, { time_zone: zone })
  const well = { connection: 1, last_seen_at: new Date(), cash_in_box: 10, cash_box_capacity: 100 }
  const named = (name: string, columns: Record<string, unknown> = {}) =>
    aMachine(api.database, merchantId, { name, columns: { ...well, ...columns } })
  const blocked = await named('Blocked', { pos_status: 3 })
  const warned = await named('Warned', { pos_status: 2 })
  const offline = await named('Offline', { connection: 0 })
  await named('Unknown', { connection: 2 })
  await named('Full', { cash_in_box: 95 })
  const selling = await named('Selling')
  const hidden = await named('Hidden', { hidden: true, pos_status: 3, cash_in_box: 99 })
  for (const machine of [blocked, hidden]) await anAlarm(api.database, machine)
  await anAlarm(api.database, warned, { criticity: 2, code: 'ELB_1' })
  await anAlarm(api.database, warned, { status: 'repaired', code: 'EGS' })
  const now = { created_at: new Date() }
  await aSale(api.database, selling, now)
  await aSale(api.database, warned, now)
  await aSale(api.database, warned, { ...now, error_sale: true, value: 0 })
  await aSale(api.database, selling, { ...now, type: 4, value: 1000, value_charge: 1000 })
  await aSale(api.database, selling, { created_at: new Date(Date.now() - 3 * 86_400_000) })
  const wrongPrice = { wanted: 160, wanted_at: new Date() }
  await aPrice(api.database, selling, { ...wrongPrice, wrong_since: new Date(Date.now() - 3 * 86_400_000) })
  await aPrice(api.database, warned, { ...wrongPrice, wrong_since: new Date() })
  await aClaim(api.database, selling)
  for (const machine of [selling, hidden]) await aSupply(api.database, machine, { differing: 2 })
  await aSupply(api.database, warned, { waiting: 1 })
  await aSupply(api.database, offline)
  await aCommand(api.database, offline, { ...now, status: 3, result: -2 })
  await aCommand(api.database, warned, { ...now, status: 3, result: -3 })
  await aCommand(api.database, warned, { created_at: new Date(Date.now() - 3 * 86_400_000), status: 3, result: -1 })
  await expiredPieces(merchantId)
  return { merchantId, user: api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: 'all' }])) }
}

/** Expired pieces in two places, each with a piece that may be sold. */
async function expiredPieces(merchantId: string) {
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const productId = await aProduct(api.database, merchantId)
  const params = { merchantId }
  for (const [kind, pieces] of [
    ['warehouse', 5],
    ['van', 2],
  ] as const) {
    const { id } = await admin.createStockPlace({ params, body: { name: kind, kind } })
    const lines = [
      { productId, pieces, expiresOn: '2020-01-01' },
      { productId, pieces: 1, expiresOn: '2999-01-01' },
    ]
    const body = { id: randomUUID(), kind: 'purchase' as const, lines }
    await admin.bookPieces({ params: { ...params, stockPlaceId: id }, body })
  }
}

const totals = (user: TestClient, merchantId: string) => {
  const params = { merchantId }
  return {
    '/devices/list': async (query: never) => (await user.listMachines({ params, query })).total,
    '/alarms': async (query: never) => (await user.listAlarms({ params, query })).total,
    '/devices/remote-commands': async (query: never) => (await user.listRemoteCommands({ params, query })).total,
    '/devices/manage-stock': async (query: never) => (await user.listSupplies({ params, query })).total,
    '/devices/wrong-prices': async (query: never) => (await user.listWrongPrices({ params, query })).total,
    '/customers-medias/claims': async (query: never) => (await user.listClaims({ params, query })).total,
    '/stock-places': async (query: never) =>
      (await user.listStockPlaces({ params, query })).items.reduce((sum, { expired }) => sum + expired, 0),
    '/transactions/data': async (query: never) => (await user.listTransactions({ params, query })).total,
  }
}

test('each number of the dashboard equals the number of rows of the linked list', async () => {
  const { user, merchantId } = await aTroubledMerchant()
  const dashboard = await user.getDashboard({ params: { merchantId } })
  const { machines, sales } = dashboard
  const listed = totals(user, merchantId)
  const behind = (place: { to: string; search?: Search }) =>
    listed[place.to as keyof typeof listed](queryOf(place.search))

  const counts = {
    ...countsOf(dashboard),
    selling: machines.selling + machines.warning,
    blocked: machines.blocked,
    silent: machines.silent,
    vends: sales[0]?.vends,
  }
  const counted = Object.keys(counts).map(
    async (key) => [key, await behind(placeOf[key as keyof typeof counts])] as const,
  )
  expect(Object.fromEntries(await Promise.all(counted))).toEqual(counts)
  // No number may match by being zero.
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0)

  const needing = needingAttention(machines.posStatuses)
  expect(needing).toBe(4)
  expect(await behind(placeOfAttention)).toBe(needing)
  expect(dashboard.needsYou).toHaveLength(needing)
})

test('the sums of the dashboard equal those of the linked screens', async () => {
  const { user, merchantId } = await aTroubledMerchant()
  const params = { merchantId }
  const [sold] = (await user.getDashboard({ params })).sales
  const [total] = (await user.statsOfPeriod({ params, query: queryOf(placeOf.sales.search) })).totals
  expect(sold?.value).toBe(300)
  expect(total?.value).toBe(sold?.value)
  expect(sold?.hours.reduce((sum, { value }) => sum + value, 0)).toBe(sold?.value)
  const { items } = await user.listMachines({ params, query: queryOf(placeOf.cash.search) })
  expect(items.reduce((sum, { cashInBox }) => sum + (cashInBox ?? 0), 0)).toBe(sold?.cashInBoxes)
})
