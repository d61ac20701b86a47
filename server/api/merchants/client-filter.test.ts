import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

/* Transactions, their statistics, alarms and their files, filtered by the clients of machines. */

let api: TestApi
let merchantId: string
let groups: [string, string]
let hospital: string
let school: string
let adminUser: TestUser
let admin: TestClient
let groupAdmin: TestClient
const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7)
const period = { startDate: `${month}-03`, endDate: `${month}-03` }

/**
 * Two machines at the hospital, in a group each, one at the school, one without a client. Their sales are 1, 10, 100 and
 * 1000.
 */
beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  merchantId = (await aMerchant(database)).id
  groups = [await aGroup(database, merchantId), await aGroup(database, merchantId)]
  hospital = await aClient(database, merchantId)
  school = await aClient(database, merchantId)
  const places = [
    [hospital, groups[0], 1],
    [hospital, groups[1], 10],
    [school, groups[0], 100],
    [null, groups[0], 1000],
  ] as const
  for (const [client_id, groupId, value] of places) {
    const machine = await aMachine(database, merchantId, { groupId, columns: { client_id } })
    await aSale(database, machine, { created_at: new Date(`${month}-03T10:00:00Z`), value })
    await anAlarm(database, machine, { message: `of ${value}` })
  }
  await sumUpDays(database, new Date())
  adminUser = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(adminUser)
  groupAdmin = api.as(await aUser(database, 'groupAdmin', [{ merchantId, groups: [groups[0]] }]))
})
afterAll(() => api.close())

const sum = (rows: readonly { value: number }[]) => rows.reduce((total, { value }) => total + value, 0)
const params = () => ({ merchantId })

/** The result of each list and each sum with a filter. */
async function valuesBy(by: TestClient, clientIds: string[]) {
  const query = { ...period, clientIds }
  const call = { params: params(), query }
  const stats = await by.statsOfPeriod({ params: params(), query: { ...query, step: 'hour' } })
  const alarms = await by.listAlarms({ params: params(), query: { clientIds } })
  return {
    listed: sum((await by.listTransactions(call)).items),
    counted: (await by.listTransactions(call)).total,
    totals: sum(stats.totals),
    hours: sum(stats.series),
    byPos: sum((await by.statsByPos(call)).items),
    types: sum(await by.typesUsed(call)),
    media: sum(await by.mediaTypesUsed(call)),
    sources: sum(await by.mediaSourcesUsed(call)),
    products: sum(await by.productsUsed(call)),
    priceTables: sum(await by.priceTablesUsed(call)),
    alarms: alarms.items.map(({ message }) => message).sort(),
  }
}
const all = (value: number, counted: number, alarms: string[]) => ({
  ...Object.fromEntries(
    ['listed', 'totals', 'hours', 'byPos', 'types', 'media', 'sources', 'products', 'priceTables'].map((name) => [
      name,
      value,
    ]),
  ),
  counted,
  alarms,
})

test('transactions, all statistics and alarms contain only machines of the chosen clients', async () => {
  expect(await valuesBy(admin, [hospital])).toEqual(all(11, 2, ['of 1', 'of 10']))
  expect(await valuesBy(admin, [hospital, school])).toEqual(all(111, 3, ['of 1', 'of 10', 'of 100']))
})

test('a group admin finds a client’s sales and alarms of own groups only', async () => {
  expect(await valuesBy(groupAdmin, [hospital])).toEqual(all(1, 1, ['of 1']))
})

test('a filter by a client and a group keeps the machines that match both', async () => {
  const query = { ...period, clientIds: [hospital], groupIds: [groups[1]] }
  expect(sum((await admin.listTransactions({ params: params(), query })).items)).toBe(10)
  expect(sum((await admin.statsOfPeriod({ params: params(), query })).totals)).toBe(10)
})

test('a machine’s past sales move with it to another client', async () => {
  const { id } = await aMerchant(api.database)
  const by = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  const before = await aClient(api.database, id)
  const after = await aClient(api.database, id)
  const machine = await aMachine(api.database, id, { columns: { client_id: before } })
  await aSale(api.database, machine, { created_at: new Date(`${month}-03T10:00:00Z`), value: 7 })
  await by.setMachineClient({ params: { merchantId: id, posId: machine.id }, body: { clientId: after } })
  const valueAt = async (clientId: string) =>
    sum((await by.statsOfPeriod({ params: { merchantId: id }, query: { ...period, clientIds: [clientId] } })).totals)
  expect([await valueAt(before), await valueAt(after)]).toEqual([0, 7])
})

test('files of transactions, sums by point of sale and alarms hold the rows of the chosen clients', async () => {
  const rowsOf = async (list: 'transactions' | 'statsByPos' | 'alarms', column: string, filter: object) => {
    const body = { list, format: 'csv', language: 'en', columns: [column], filter: { ...filter, clientIds: [school] } }
    const answer = await api.send('exportShown', { params: params(), body }, adminUser)
    expect(answer.statusCode, answer.payload).toBe(200)
    return parseCsv(answer.rawPayload.toString('utf8')).length - 1
  }
  expect(await rowsOf('transactions', 'value', period)).toBe(1)
  expect(await rowsOf('statsByPos', 'value', period)).toBe(1)
  expect(await rowsOf('alarms', 'code', {})).toBe(1)
})

test('repairing all matching alarms of a client leaves the others open', async () => {
  const { repaired } = await admin.repairAlarms({
    params: params(),
    body: { alarms: { matching: { clientIds: [school] }, count: 1 } },
  })
  expect(repaired).toBe(1)
  const open = await admin.listAlarms({ params: params(), query: { statuses: ['active'] } })
  expect(open.total).toBe(3)
})
