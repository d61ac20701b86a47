import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { textsOfPdf } from '#testkit/pdf-text.ts'

let api: TestApi
let user: TestUser
let admin: TestClient
let params: { merchantId: string }
beforeAll(async () => {
  api = await openTestApi()
  await api.database.admin(`select ensure_partitions('2026-09-01', '2026-10-31')`)
  const merchantId = (await aMerchant(api.database)).id
  params = { merchantId }
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(user)
  const sell = async (name: string, ...sales: readonly (readonly [product: string, value: number, day: string])[]) => {
    const machine = await aMachine(api.database, merchantId, { name })
    for (const [product, value, day] of sales)
      await aSale(api.database, machine, { product, value, created_at: new Date(`2026-${day}T10:00:00Z`) })
  }
  // Data begin before the compared days.
  await sell(
    'Bar',
    ['Water', 100, '09-15'],
    ['Water', 300, '10-11'],
    ['Tea', 100, '10-11'],
    ['Tea', 100, '10-12'],
    ['Water', 450, '10-01'],
  )
  await sell('Atrium', ['Water', 700, '10-12'], ['Tea', 90, '10-01'])
  await sell('Canteen', ['Coffee', 50, '10-13'], ['Coffee', 500, '10-01'])
})
afterAll(() => api.close())

const days = { startDate: '2026-10-11', endDate: '2026-10-20' }
const byMachine = { ...days, type: 'machines' as const }
const pivoted = { ...byMachine, by: ['machine' as const, 'product' as const], pivot: 'value' as const }
const namesOf = async (query: object) =>
  (await admin.getReport({ params, query: { ...byMachine, ...query } })).rows.map(({ labels: [name] }) => name)

test('any column sorts the rows of a report, on each of its pages', async () => {
  expect(await namesOf({})).toEqual(['Atrium', 'Bar', 'Canteen'])
  expect(await namesOf({ ord: 'first' })).toEqual(['Atrium', 'Bar', 'Canteen'])
  expect(await namesOf({ ord: 'first', ordType: 'DESC' })).toEqual(['Canteen', 'Bar', 'Atrium'])
  expect(await namesOf({ ord: 'count' })).toEqual(['Bar', 'Atrium', 'Canteen'])
  expect(await namesOf({ ord: 'value', ordType: 'ASC' })).toEqual(['Canteen', 'Bar', 'Atrium'])
  const pages: unknown[] = []
  for (const page of [1, 2, 3]) pages.push(...(await namesOf({ ord: 'count', page, size: 1 })))
  expect(pages).toEqual(['Bar', 'Atrium', 'Canteen'])
})

test('beside another period, the machines with the largest differences are first', async () => {
  // Atrium 7.00 after 0.90, Bar 5.00 after 4.50, Canteen 0.50 after 5.00.
  const compared = { compare: 'previous' }
  expect(await namesOf(compared)).toEqual(['Atrium', 'Canteen', 'Bar'])
  expect(await namesOf({ ...compared, ord: 'value' })).toEqual(['Atrium', 'Bar', 'Canteen'])
})

test('names are sorted as the reader sees them, not by their codes', async () => {
  const query = { ...days, type: 'products' as const, ord: 'first' as const }
  const { rows } = await admin.getReport({ params, query })
  expect(rows.map(({ keys: [product] }) => product)).toEqual(['Coffee', 'Tea', 'Water'])
})

test('a report has the chosen columns alone, and totals of them', async () => {
  const report = await admin.getReport({ params, query: { ...byMachine, figures: ['vends', 'value'] } })
  expect(report).toMatchObject({ figures: ['vends', 'value'], totals: [{ values: [5, 1250] }] })
  expect(report.offered).toContain('average')
})

test('a pivot has the second grouping as columns, with the totals of the report', async () => {
  const report = await admin.getReport({ params, query: pivoted })
  expect(report.pivot).toMatchObject({
    figure: 'value',
    others: 0,
    columns: [{ key: 'Water' }, { key: 'Tea' }, { key: 'Coffee' }],
    rows: [
      { label: 'Atrium', cells: [700, null, null], total: 700 },
      { label: 'Bar', cells: [300, 200, null], total: 500 },
      { label: 'Canteen', cells: [null, null, 50], total: 50 },
    ],
    totals: [{ currency: 'EUR', cells: [1000, 200, 50], total: 1250 }],
  })
  const sorted = await admin.getReport({
    params,
    query: { ...pivoted, ord: 'value', ordType: 'ASC', ordKey: 'Water' },
  })
  expect(sorted.pivot?.rows.map(({ label }) => label)).toEqual(['Bar', 'Atrium', 'Canteen'])
  await expect(
    admin.getReport({ params, query: { ...byMachine, by: ['machine'], pivot: 'value' } }),
  ).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('workbook, CSV and PDF have the columns, the order and the pivot of the screen', async () => {
  const file = async (call: 'getReportXlsx' | 'getReportPdf', query: object) =>
    (await api.send(call, { params, query: { language: 'en', ...query } }, user)).rawPayload
  const sheetOf = async (query: object) => (await readXlsx(await file('getReportXlsx', query))).sheets[0]?.rows
  expect(await sheetOf({ ...byMachine, figures: ['count'], ord: 'count' })).toEqual([
    ['Machine', 'Transactions'],
    ['Bar', 3],
    ['Atrium', 1],
    ['Canteen', 1],
    ['Total', 5],
  ])
  expect(await sheetOf({ ...pivoted, ord: 'first', ordType: 'DESC' })).toEqual([
    ['Machine', 'Water', 'Tea', 'Coffee', 'Total'],
    ['Canteen', null, null, 0.5, 0.5],
    ['Bar', 3, 2, null, 5],
    ['Atrium', 7, null, null, 7],
    ['Total', 10, 2, 0.5, 12.5],
  ])
  const csvOf = async (query: object) =>
    (await api.send('getReportCsv', { params, query: { language: 'en', ...query } }, user)).payload.split('\n')
  expect(await csvOf({ ...byMachine, figures: ['count'], ord: 'count' })).toEqual([
    '\uFEFFMachine,Transactions',
    ...['"Bar",3', '"Atrium",1', '"Canteen",1', '"Total",5', ''],
  ])
  expect(await csvOf({ ...pivoted, ord: 'first', ordType: 'DESC', language: 'it' })).toEqual([
    '\uFEFFDistributore;Water;Tea;Coffee;Totale',
    ...['"Canteen";;;0,50;0,50', '"Bar";3,00;2,00;;5,00', '"Atrium";7,00;;;7,00', '"Totale";10,00;2,00;0,50;12,50', ''],
  ])
  const text = textsOfPdf(await file('getReportPdf', pivoted))
    .map((word) => word.trim().replaceAll('\u00a0', ' '))
    .join(' ')
  expect(text).toContain('Sales by Product')
  expect(text).toMatch(/Bar € 3,00 € 2,00 – € 5,00/)
})
