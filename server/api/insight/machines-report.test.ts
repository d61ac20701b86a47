import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachinesReportRow } from '#contract/insight/machines-report.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

let api: TestApi
let person: TestUser
let provider: TestClient
let one: string
let other: string
beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  person = await aUser(database, 'superAdmin', [])
  provider = api.as(person)
  one = (await aMerchant(database, { name: 'Aurora' })).id
  other = (await aMerchant(database, { name: '=Belvedere' })).id
  const make = (merchantId: string, deviceType: string, columns: Record<string, unknown>) =>
    aMachine(database, merchantId, { deviceType, columns })
  const fresh = { connection: 1, last_seen_at: new Date(), firmware_version: '2.1.0' }
  await make(one, 'AZVT', { ...fresh, warranty_until: dayOf(daysAgo(-400)) })
  await make(one, 'AZVT', { ...fresh, created_at: daysAgo(100), warranty_until: dayOf(daysAgo(3)) })
  await make(one, 'AZVT', {
    connection: 0,
    last_seen_at: daysAgo(20),
    firmware_version: '1.9.4',
    created_at: daysAgo(90),
  })
  await make(one, 'CUNI', { connection: 2, last_seen_at: null, firmware_version: null })
  await make(one, 'CUNI', { ...fresh, hidden: true })
  await make(other, 'AZVT', fresh)
})
afterAll(() => api.close())

type Query = Parameters<TestClient['listMachinesReport']>[0]['query']
const report = (query: Query = {}, merchantId = allMerchants) =>
  provider.listMachinesReport({ params: { merchantId }, query })
const rowOf = ({ merchantName, deviceType, firmwareVersion, machines, created, withoutData }: MachinesReportRow) => [
  merchantName,
  deviceType,
  firmwareVersion,
  machines,
  created,
  withoutData,
]

test('machines are counted by merchant, model and firmware, the largest groups first', async () => {
  const period = { startDate: dayOf(daysAgo(30)), endDate: dayOf(daysAgo(-1)) }
  const { items, total, totals } = await report(period)
  expect(total).toBe(4)
  expect(totals).toEqual([{ currency: null, values: { machines: 5, created: 3, withoutData: 2 } }])
  // Totals are of all rows, also beside a page.
  expect((await report({ ...period, size: 1 })).totals).toEqual(totals)
  expect(items.map(rowOf)).toEqual([
    ['Aurora', 'AZVT', '2.1.0', 2, 1, 0],
    ['=Belvedere', 'AZVT', '2.1.0', 1, 1, 0],
    ['Aurora', 'AZVT', '1.9.4', 1, 0, 1],
    ['Aurora', 'CUNI', null, 1, 1, 1],
  ])
  expect(items[3]).toMatchObject({ lastSeenAt: null, connection: null, warranty: null })
})

test('or by connection, or by warranty', async () => {
  const byConnection = await report({ by: 'connection' }, one)
  expect(byConnection.items.map(({ connection, machines }) => [connection, machines])).toEqual([
    [1, 2],
    [0, 1],
    [2, 1],
  ])
  const byWarranty = await report({ by: 'warranty', deviceTypes: ['AZVT'], ord: 'dimension', ordType: 'ASC' }, one)
  expect(byWarranty.items.map(({ warranty, machines }) => [warranty, machines])).toEqual([
    ['ended', 1],
    ['none', 1],
    ['valid', 1],
  ])
})

test('it is filtered by model, connection, warranty, merchant and days without data', async () => {
  const count = async (query: Query) => (await report(query)).items.reduce((sum, { machines }) => sum + machines, 0)
  expect(await count({ deviceTypes: ['CUNI'] })).toBe(1)
  expect(await count({ connections: [0, 2] })).toBe(2)
  expect(await count({ warranties: ['none'] })).toBe(3)
  expect(await count({ search: 'belv' })).toBe(1)
  const silent = (await report({ withoutDataDays: 30 })).items.map(({ withoutData }) => withoutData)
  expect(silent.reduce((sum, n) => sum + n, 0)).toBe(1)
  expect((await report({ size: 1, page: 3 })).items).toHaveLength(1)
})

test('the machines behind a figure can be listed with the same filters', async () => {
  const machinesWith = async (query: Record<string, unknown>) =>
    (await provider.listMachines({ params: { merchantId: one }, query })).total
  expect(await machinesWith({ deviceTypes: ['AZVT'], firmwareVersions: ['2.1.0'] })).toBe(2)
  expect(await machinesWith({ connections: [0] })).toBe(1)
  expect(await machinesWith({ withoutDataDays: 7 })).toBe(2)
  expect(await machinesWith({ withoutDataDays: 30 })).toBe(1)
})

test('a period that is reversed, and an invalid number of days, are refused', async () => {
  const query = { startDate: '2026-02-02', endDate: '2026-02-01' }
  await expect(report(query)).rejects.toMatchObject({ code: 'PeriodReversed' })
  for (const withoutDataDays of [0, 3651, 1.5])
    await expect(report({ withoutDataDays })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('the file has the same content in words, without formulas', async () => {
  const body = {
    list: 'machinesReport',
    format: 'csv',
    language: 'en',
    columns: ['merchant', 'deviceType', 'connection', 'machines'],
    filter: { by: 'connection', deviceTypes: ['AZVT'] },
  }
  const answer = await api.send('exportShown', { params: { merchantId: allMerchants }, body }, person)
  expect(answer.statusCode, answer.payload).toBe(200)
  const lines = answer.payload.slice(1).trim().split('\n')
  expect(lines[0]).toContain('Model')
  expect(lines[1]).toBe('"Aurora",Vitro,Online,2')
  expect(answer.payload).toContain(`'=Belvedere`)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId: one, groups: 'all' }])
  expect((await api.send('exportShown', { params: { merchantId: one }, body }, user)).json()).toMatchObject({
    code: 'Forbidden',
  })
})

test('a feature that only some of the merchants have is no filter under all merchants', async () => {
  const query = { soldOut: 'true' } as const
  const refused = { status: 400, code: 'FeatureFilterOfAll' }
  await expect(provider.listMachines({ params: { merchantId: allMerchants }, query })).rejects.toMatchObject(refused)
  await expect(provider.mapMachines({ params: { merchantId: allMerchants }, query })).rejects.toMatchObject(refused)
  const order = { list: 'machines', format: 'csv', language: 'en', columns: ['name'], filter: query }
  const file = await api.send('exportShown', { params: { merchantId: allMerchants }, body: order }, person)
  expect(file.json()).toMatchObject(refused)
  expect((await provider.listMachines({ params: { merchantId: one }, query })).total).toBe(0)
})
