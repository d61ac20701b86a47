import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

const well = { connection: 1, last_seen_at: new Date() }
const week = 7 * 86_400_000

let api: TestApi
let calm: string
let troubled: string
let quiet: string
let north: string
let everybody: TestClient
let ofNorth: TestClient
beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  calm = (await aMerchant(database, { name: 'Calm', currency: 'MXN', time_zone: 'America/Mexico_City' })).id
  troubled = (await aMerchant(database, { name: 'Troubled' })).id
  quiet = (await aMerchant(database, { name: 'Quiet' })).id
  north = await aGroup(database, troubled, 'North')
  const south = await aGroup(database, troubled, 'South')
  const stands = await aMachine(database, calm, { columns: well })
  await aMachine(database, quiet, { columns: { connection: 0 } })
  const inNorth = await aMachine(database, troubled, { groupId: north, columns: { ...well, pos_status: 3 } })
  const inSouth = await aMachine(database, troubled, { groupId: south, columns: { ...well, pos_status: 3 } })
  const hidden = await aMachine(database, troubled, {
    groupId: north,
    columns: { ...well, hidden: true, pos_status: 3 },
  })
  for (const machine of [inNorth, inSouth, hidden]) await anAlarm(database, machine)
  await anAlarm(database, stands, { criticity: 2, code: 'ELB_1' })
  await aSale(database, stands, { created_at: new Date(), value: 2000 })
  await aSale(database, inNorth, { created_at: new Date(), value: 150 })
  await aSale(database, inSouth, { created_at: new Date(), value: 5000 })
  await aSale(database, inNorth, { created_at: new Date(Date.now() - week), value: 400 })
  const whole = (merchantId: string) => ({ merchantId, groups: 'all' as const })
  everybody = api.as(await aUser(database, 'merchantAdmin', [calm, troubled, quiet].map(whole)))
  ofNorth = api.as(await aUser(database, 'groupAdmin', [{ merchantId: troubled, groups: [north] }, whole(calm)]))
})
afterAll(() => api.close())

const list = (
  who: TestClient,
  query: Parameters<TestClient['listMerchantsDashboard']>[0]['query'] = {},
  merchantId = allMerchants,
) => who.listMerchantsDashboard({ params: { merchantId }, query })
const namesOf = async (...request: Parameters<typeof list>) =>
  (await list(...request)).items.map(({ merchantName }) => merchantName)

test('the most urgent merchant is first: by blocking alarms, then by silent machines', async () => {
  const { items, total } = await list(everybody)
  expect(total).toBe(3)
  expect(items.map(({ merchantName }) => merchantName)).toEqual(['Troubled', 'Quiet', 'Calm'])
  expect(items[0]).toMatchObject({
    machines: { total: 2, blocked: 2, silent: 0 },
    blockingAlarms: 2,
    currency: 'EUR',
    value: 5150,
    vends: 2,
  })
  expect(items[1]).toMatchObject({ machines: { total: 1, silent: 1 }, blockingAlarms: 0, value: 0, usualValueByNow: 0 })
  expect(items[2]).toMatchObject({ machines: { total: 1, selling: 1 }, currency: 'MXN', value: 2000 })
})

test('today is shown with the same weekday of previous weeks, and the last 14 days', async () => {
  const [troubledNow] = (await list(everybody, { search: 'troub' })).items
  expect(troubledNow?.valueByDay).toHaveLength(14)
  expect([troubledNow?.valueByDay.at(-1), troubledNow?.valueByDay.at(-8)]).toEqual([5150, 400])
  // A quarter of last week's sales up to this minute: the current hour counts by its elapsed share.
  expect(troubledNow?.usualValueByNow).toBeGreaterThanOrEqual(0)
  expect(troubledNow?.usualValueByNow).toBeLessThanOrEqual(100)
})

test('an average says how many days it has, of the merchant and of a machine', async () => {
  const { database } = api
  const day = 24 * 3_600_000
  const young = (await aMerchant(database, { name: 'Young' })).id
  const fresh = (await aMerchant(database)).id
  const columns = { ...well, created_at: new Date(Date.now() - 17 * day) }
  const machine = await aMachine(database, young, { columns })
  // Data begin 17 days ago: of the last four same weekdays two have data, and one of them has sales.
  for (const age of [17, 7])
    await aSale(database, machine, { created_at: new Date(Date.now() - age * day), value: 100 })
  await sumUpDays(database, new Date())
  const at = (merchantId: string) => ({ merchantId, groups: 'all' as const })
  const admin = api.as(await aUser(database, 'merchantAdmin', [young, fresh].map(at)))
  const { items } = await list(admin)
  const daysOf = (id: string) => items.find(({ merchantId }) => merchantId === id)?.usualDays
  expect([daysOf(young), daysOf(fresh)]).toEqual([2, 0])
  const params = { merchantId: young, posId: machine.id }
  expect(await admin.getMachine({ params })).toMatchObject({ usualDays: 2 })
})

test('a group admin sees the sums of the own group, and of merchants with all groups', async () => {
  const { items } = await list(ofNorth)
  expect(items.map(({ merchantName }) => merchantName)).toEqual(['Troubled', 'Calm'])
  expect(items[0]).toMatchObject({ machines: { total: 1, blocked: 1 }, blockingAlarms: 1, value: 150, vends: 1 })
  expect(items[0]?.valueByDay.at(-8)).toBe(400)
})

test('a single merchant can be selected, and a foreign one answers as if it did not exist', async () => {
  expect(await namesOf(everybody, {}, quiet)).toEqual(['Quiet'])
  await expect(list(ofNorth, {}, quiet)).rejects.toMatchObject({ code: 'MerchantNotFoundException' })
})

test('it can be searched, sorted and paged', async () => {
  expect(await namesOf(everybody, { search: 'UIE' })).toEqual(['Quiet'])
  expect(await namesOf(everybody, { ord: 'name', ordType: 'DESC' })).toEqual(['Troubled', 'Quiet', 'Calm'])
  expect(await namesOf(everybody, { ord: 'silent' })).toEqual(['Quiet', 'Calm', 'Troubled'])
  expect(await namesOf(everybody, { size: 1, page: 2 })).toEqual(['Quiet'])
})
