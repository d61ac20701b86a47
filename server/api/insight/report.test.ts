import { randomInt, randomUUID } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import { type ReportDimension, type ReportFigure, reportSources } from '#contract/vocabulary/insight/report.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { isVend } from '#domain/sales/sale.ts'
import { setPdfFonts } from '#server/pdf/fonts.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCollection, anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { aMedia, aRefund } from '#testkit/nouns/cashless.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.database.admin(
    `select ensure_partitions('2025-11-01', '2025-12-01'), ensure_partitions('2026-10-01', '2026-12-01')`,
  )
})
afterAll(() => api.close())

const valueOf = (report: Report, figure: ReportFigure, values: readonly (number | null)[]) =>
  values[report.figures.indexOf(figure)] ?? null
/** Figures of the rows by their keys. */
const byKey = (report: Report, figure: ReportFigure) =>
  Object.fromEntries(report.rows.map((row) => [row.keys.join(' / '), valueOf(report, figure, row.values)]))

/** October 2026: the clocks of Rome go back on the 25th. */
const october = { startDate: '2026-10-20', endDate: '2026-10-27' }

interface World {
  merchantId: string
  machines: TestMachine[]
  groups: string[]
  admin: TestClient
}

/** Random sales of several machines, products and groups over a change of the clocks; the first half of the days is summed up. */
async function aWorld(): Promise<World> {
  const { database } = api
  const merchantId = (await aMerchant(database)).id
  const groups = [await aGroup(database, merchantId), await aGroup(database, merchantId)]
  const client = await aClient(database, merchantId)
  const machines = [
    await aMachine(database, merchantId, { groupId: groups[0] as string, columns: { client_id: client } }),
    await aMachine(database, merchantId, { groupId: groups[0] as string }),
    await aMachine(database, merchantId),
  ]
  const line = (value: string) => JSON.stringify([{ name: 'Line', value }])
  const coffee = await aProduct(database, merchantId, {
    name: 'Espresso',
    product_type: 'A',
    cost: 40,
    vat: 22,
    parameters: line('Bio'),
  })
  const snack = await aProduct(database, merchantId, {
    name: 'Crackers',
    product_type: 'C',
    parameters: line('Classic'),
  })
  const [first] = machines as [TestMachine]
  await aProductCode(database, first, { code: 'ESP', product_id: coffee })
  await aProductCode(database, first, { code: 'Espresso 2', product_id: coffee })
  await aProductCode(database, first, { code: 'CRK', product_id: snack })
  const medium = await aMedia(database, merchantId)
  const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)] as T
  for (let n = 0; n < 45; n++) {
    const from = Date.parse('2026-10-19T20:00:00Z')
    const at = new Date(from + randomInt(8.5 * 86_400_000))
    const id = await aSale(database, pick(machines), {
      created_at: at,
      type: pick([1, 1, 1, 2, 14, 4]),
      media_type: pick([1, 2, 5]),
      price_table: pick([null, 1, 3]),
      value: pick([100, 150, 275]),
      free_sale: randomInt(8) === 0,
      error_sale: randomInt(6) === 0,
      ...pick([
        { product: 'ESP' },
        { product: 'Espresso 2' },
        { product: 'CRK' },
        { product: 'Water' },
        { product: null, product_code: null },
      ]),
    })
    if (randomInt(10) === 0)
      await aRefund(database, merchantId, medium, { transaction_id: id, transaction_at: at, created_at: at })
  }
  const admin = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  // A machine that moves takes its sales to its new group.
  await admin.moveGroupMachines({
    params: { merchantId, groupId: groups[1] as string },
    body: { added: { ids: [machines[1]?.id as string] } },
  })
  await sumUpDays(database, new Date('2026-10-24T12:00:00Z'))
  return { merchantId, machines, groups, admin }
}

/** The list's filters that lead to a row. */
function filterOf(by: readonly ReportDimension[], keys: readonly (string | null)[]): Record<string, unknown> {
  const all: Record<string, unknown> = { without: [] as string[] }
  by.forEach((dimension, at) => {
    const key = keys[at] ?? null
    if (key === null) (all.without as string[]).push(dimension)
    else if (dimension === 'parameter') all.parameterValues = [key]
    else all[listNames[dimension as keyof typeof listNames]] = [key]
    if (dimension === 'parameter') all.parameter = 'Line'
  })
  return { types: saleTypes.map(String), terms: 'ofDay', ...all }
}
const listNames = {
  product: 'products',
  productType: 'productTypes',
  machine: 'posIds',
  client: 'clientIds',
  group: 'groupIds',
  priceTable: 'priceTables',
  media: 'mediaTypes',
  hour: 'hours',
  transactionType: 'types',
} as const

describe('figures of sales', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })
  const get = (query: object) =>
    world.admin.getReport({ params: { merchantId: world.merchantId }, query: { ...october, ...query } as never })

  test('totals of every grouping equal the statistics of the same period', async () => {
    const { totals } = await world.admin.statsOfPeriod({
      params: { merchantId: world.merchantId },
      query: { ...october, types: saleTypes as never },
    })
    for (const one of reportSources.sales) {
      const report = await get({ type: 'products', by: [one], parameter: 'Line' })
      const [total] = report.totals
      expect([
        one,
        valueOf(report, 'value', total?.values ?? []),
        valueOf(report, 'count', total?.values ?? []),
      ]).toEqual([one, totals[0]?.value, totals[0]?.count])
    }
    const pairs = await get({ by: ['group', 'parameter'], parameter: 'Line' })
    expect(valueOf(pairs, 'errorCount', pairs.totals[0]?.values ?? [])).toBe(totals[0]?.errorCount)
  })

  test('every figure of every row equals the list that it leads to', async () => {
    const groupings: ReportDimension[][] = [
      ['product'],
      ['productType', 'group'],
      ['parameter', 'client'],
      ['machine', 'priceTable'],
      ['hour', 'media'],
    ]
    for (const by of groupings) {
      const report = await get({ by, parameter: 'Line' })
      for (const row of report.rows) {
        const list = (more: object) =>
          world.admin.listTransactions({
            params: { merchantId: world.merchantId },
            query: { ...october, size: 200, ...filterOf(by, row.keys), ...more } as never,
          })
        const { items, total } = await list({})
        const sum = items.reduce((value, sale) => value + (isVend(sale) ? sale.value : 0), 0)
        expect([row.keys, total, sum]).toEqual([
          row.keys,
          valueOf(report, 'count', row.values),
          valueOf(report, 'value', row.values),
        ])
        if (by.length > 1) continue
        const vends = valueOf(report, 'vends', row.values)
        expect([row.keys, (await list({ errorSale: 'false' })).total]).toEqual([row.keys, vends])
        const refunded = await list({ refunded: 'true' })
        expect(valueOf(report, 'refunded', row.values) ?? 0).toBe(refunded.total * 100)
      }
    }
  })

  test('a machine that moved counts for its former group on the days before, and for its new one by choice', async () => {
    const [former, next] = world.groups as [string, string]
    const byPos = async (groupId: string) => {
      const { items } = await world.admin.statsByPos({
        params: { merchantId: world.merchantId },
        query: { ...october, groupIds: [groupId], types: saleTypes as never },
      })
      return items.reduce((sum, { value }) => sum + value, 0)
    }
    expect(byKey(await get({ type: 'groups' }), 'value')[next]).toBeUndefined()
    expect(byKey(await get({ type: 'groups', terms: 'today' }), 'value')).toMatchObject({
      [former]: await byPos(former),
      [next]: await byPos(next),
    })
  })

  test('the margin is net of VAT, of products with cost and VAT, and hidden from users without products', async () => {
    const report = await get({ type: 'products' })
    const { items } = await world.admin.listTransactions({
      params: { merchantId: world.merchantId },
      query: { ...october, size: 200, products: ['Espresso'], types: saleTypes as never } as never,
    })
    const vends = items.filter(isVend)
    const cost = 40 * vends.length
    const turnover = vends.reduce((sum, { value }) => sum + value, 0)
    const vat = (turnover * 22) / 122
    expect(byKey(report, 'cost').Espresso).toBe(cost)
    expect(byKey(report, 'vat').Espresso).toBe(Math.round(vat))
    expect(byKey(report, 'margin').Espresso).toBe(Math.round(turnover - vat - cost))
    expect(byKey(report, 'cost').Crackers).toBeNull()
    const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: world.merchantId, groups: 'all' }]))
    const visible = await user.getReport({ params: { merchantId: world.merchantId }, query: october as never })
    expect(visible.figures).not.toContain('margin')
    expect(byKey(visible, 'value')).toEqual(byKey(report, 'value'))
  })

  test('a user of some groups sees their machines only', async () => {
    const group = world.groups[0] as string
    const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: world.merchantId, groups: [group] }]))
    const report = await user.getReport({
      params: { merchantId: world.merchantId },
      query: { ...october, type: 'machines' } as never,
    })
    expect(report.rows.map(({ keys }) => keys[0])).toEqual([world.machines[0]?.id])
  })
})

/** A merchant whose only machine sold these values on these days at noon. */
async function sellerOf(sold: Record<string, number[]>, columns: object = {}) {
  const merchantId = (await aMerchant(api.database, columns)).id
  const machine = await aMachine(api.database, merchantId)
  for (const [day, values] of Object.entries(sold))
    for (const value of values) await aSale(api.database, machine, { created_at: new Date(`${day}T10:00:00Z`), value })
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, machine, user, admin: api.as(user) }
}

test('figures are compared with the period before, a year before, and the mean of four periods', async () => {
  const { merchantId, admin } = await sellerOf({
    '2026-11-10': [300],
    '2026-11-09': [100, 100],
    '2026-11-03': [100],
    '2026-10-20': [300],
    '2025-11-10': [50],
    // The data begin before all compared days.
    '2025-11-01': [10],
  })
  const day = { startDate: '2026-11-10', endDate: '2026-11-10' }
  const before = async (compare: string) => {
    const report = await admin.getReport({ params: { merchantId }, query: { ...day, compare } as never })
    return valueOf(report, 'value', report.rows[0]?.before ?? [])
  }
  expect([await before('previous'), await before('lastYear'), await before('usual')]).toEqual([200, 50, 100])
})

test('currencies are never added', async () => {
  const euro = await sellerOf({ '2026-11-10': [300] })
  const peso = await sellerOf({ '2026-11-10': [5000] }, { currency: 'MXN' })
  const both = [euro, peso].map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
  const user = api.as(await aUser(api.database, 'merchantAdmin', both))
  const query = { startDate: '2026-11-09', endDate: '2026-11-11', type: 'machines' } as never
  const report = await user.getReport({ params: { merchantId: allMerchants }, query })
  expect(report.totals.map(({ currency, values }) => [currency, values[0]])).toEqual([
    ['EUR', 300],
    ['MXN', 5000],
  ])
  expect(await user.getReportOfAll({ query })).toEqual(report)
  // Page by page: the totals stay those of all rows.
  const second = await user.getReportOfAll({ query: { ...(query as object), page: 2, size: 1 } as never })
  expect(second).toEqual({ ...report, rows: [report.rows[1]] })
  expect(report.rowCount).toBe(2)
})

test('a period that is reversed, too long or without data is refused by name', async () => {
  const { merchantId, admin } = await sellerOf({ '2026-11-10': [300] })
  const codeOf = (query: object) =>
    admin.getReport({ params: { merchantId }, query: query as never }).then(
      () => 'ok',
      (error: { code: string }) => error.code,
    )
  expect(await codeOf({ startDate: '2026-11-11', endDate: '2026-11-10' })).toBe('PeriodReversed')
  expect(await codeOf({ startDate: '2016-11-11', endDate: '2026-11-10' })).toBe('PeriodTooLong')
  expect(await codeOf({ startDate: '2024-11-10', endDate: '2026-11-10' })).toBe('ok')
  expect(await codeOf({ startDate: '2026-01-01', endDate: '2026-11-10', type: 'hours', by: ['hour', 'machine'] })).toBe(
    'PeriodTooLong',
  )
  expect(await codeOf({ startDate: '2026-11-12', endDate: '2026-11-13' })).toBe('ReportWithoutData')
  const day = { startDate: '2026-11-10', endDate: '2026-11-10' }
  expect(await codeOf({ ...day, by: ['parameter'] })).toBe('ValidationFailed')
  expect(await codeOf({ ...day, by: ['machine', 'machine'] })).toBe('ValidationFailed')
  expect(await codeOf({ ...day, by: ['machine', 'group', 'client'] })).toBe('ValidationFailed')
  expect(await codeOf({ ...day, type: 'cash', by: ['product'] })).toBe('ValidationFailed')
})

test('alarms and refunds equal their lists, cash its accepted pieces', async () => {
  const { merchantId, machine, admin } = await sellerOf({})
  const at = new Date('2026-11-10T10:00:00Z')
  for (const [code, criticity] of [
    ['ENC', 4],
    ['EB', 2],
  ] as const)
    await anAlarm(api.database, machine, { code, criticity, created_at: at, last_at: at })
  await aRefund(api.database, merchantId, await aMedia(api.database, merchantId), { created_at: at, amount: 250 })
  for (const [denomination, accepted, rejected] of [
    [100, 6, 2],
    [200, 2, 0],
  ])
    await api.database.admin(
      'insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected) values ($1, $2, $3, $4, $5, $6)',
      [merchantId, at, machine.id, denomination, accepted, rejected],
    )
  const days = { startDate: '2026-11-10', endDate: '2026-11-10' }
  const get = (type: string) => admin.getReport({ params: { merchantId }, query: { ...days, type } as never })
  const alarms = await get('alarms')
  expect(byKey(alarms, 'alarms')).toEqual({ ENC: 1, EB: 1 })
  expect(valueOf(alarms, 'blocking', alarms.totals[0]?.values ?? [])).toBe(1)
  const listed = await admin.listAlarms({ params: { merchantId }, query: { ...days, codes: ['ENC'] } as never })
  expect(listed.total).toBe(1)
  const cash = await get('cash')
  expect(byKey(cash, 'cashValue')).toEqual({ 100: 600, 200: 400 })
  expect(valueOf(cash, 'rejectionRate', cash.totals[0]?.values ?? [])).toBe(0.2)
  expect(byKey(await get('refunds'), 'given')).toEqual({ cloud: 250 })
})

test('collections are added up by who took the box and by month: over and short never cancel each other', async () => {
  const { merchantId, machine, admin } = await sellerOf({})
  const collect = async (at: string, counted: number | null, expected: number, by?: [id: string, name: string]) => {
    const id = await aCollection(api.database, machine, {
      at,
      until: at,
      reported_total: expected,
      ...(counted !== null && { status: 'counted', counted: '[]', counted_total: counted, counted_at: at }),
    })
    if (!by) return
    await api.database.admin(
      `insert into collection_sources (merchant_id, machine_id, source, source_id, at, since, collection_id, user_id, user_name)
       values ($1, $2, 'visit', $3, $4, $4, $5, $6, $7)`,
      [merchantId, machine.id, randomUUID(), at, id, ...by],
    )
  }
  const anna = randomUUID()
  await collect('2026-10-31T22:30:00Z', 1000, 1000, [anna, 'Anna'])
  // The 1st of November in Rome.
  await collect('2026-10-31T23:30:00Z', 900, 1000, [anna, 'Anna B.'])
  await collect('2026-11-10T10:00:00Z', 1100, 1000, [anna, 'Anna B.'])
  await collect('2026-11-11T10:00:00Z', null, 1000, [anna, 'Anna B.'])
  await collect('2026-11-12T10:00:00Z', 500, 400)
  const get = (query: object) =>
    admin.getReport({
      params: { merchantId },
      query: { startDate: '2026-10-01', endDate: '2026-11-30', type: 'collections', ...query } as never,
    })
  const ofPeople = await get({})
  const row = (report: Report, key: string) => {
    const found = report.rows.find(({ keys }) => keys.join(' / ') === key)
    return found && [found.labels[0], ...found.values]
  }
  expect(ofPeople.figures).toEqual(['counted', 'expected', 'difference', 'over', 'short', 'collections', 'uncounted'])
  expect(row(ofPeople, anna)).toEqual(['Anna B.', 3000, 3000, 0, 100, 100, 4, 1])
  expect(row(ofPeople, '')).toEqual([null, 500, 400, 100, 100, 0, 1, 0])
  const ofMonths = await get({ by: ['month'] })
  expect(byKey(ofMonths, 'counted')).toEqual({ '202610': 1000, '202611': 2500 })
  expect(byKey(ofMonths, 'short')).toEqual({ '202610': 0, '202611': 100 })
  const both = await get({ by: ['collector', 'month'], posIds: [machine.id] })
  expect(byKey(both, 'difference')).toEqual({ [`${anna} / 202610`]: 0, [`${anna} / 202611`]: 0, ' / 202611': 100 })
})

test('the workbook has the figures of the report, and the PDF opens', async () => {
  const { merchantId, admin, user } = await sellerOf({ '2026-11-10': [300], '2026-11-09': [150], '2026-11-01': [10] })
  const query = { startDate: '2026-11-10', endDate: '2026-11-10', compare: 'previous', language: 'en' }
  const xlsx = await api.send('getReportXlsx', { params: { merchantId }, query }, user)
  const [sheet] = (await readXlsx(xlsx.rawPayload)).sheets
  const [head, first, total] = sheet?.rows ?? []
  expect(head?.slice(0, 4)).toEqual(['Product', 'Sales (EUR)', 'Sales (EUR) before', 'Change'])
  expect(first?.slice(0, 4)).toEqual(['Espresso', 3, 1.5, 1])
  expect(total?.[1]).toBe(3)
  const pdf = await api.send('getReportPdf', { params: { merchantId }, query }, user)
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await admin.listReportParameters({ params: { merchantId } })).toEqual([])
})

test('a PDF that cannot be drawn is refused as such, and the workbook is still written', async () => {
  const { merchantId, user } = await sellerOf({ '2026-11-10': [300] })
  const query = { startDate: '2026-11-10', endDate: '2026-11-10', language: 'en' }
  onTestFinished(() => void setPdfFonts())
  setPdfFonts('/no/such/folder')
  const pdf = await api.send('getReportPdf', { params: { merchantId }, query }, user)
  expect([pdf.statusCode, pdf.headers['content-type'], pdf.json()]).toMatchObject([
    500,
    expect.stringContaining('application/problem+json'),
    { code: 'ReportPdfFailed' },
  ])
  expect(pdf.headers['content-disposition']).toBeUndefined()
  const xlsx = await api.send('getReportXlsx', { params: { merchantId }, query }, user)
  expect(xlsx.statusCode).toBe(200)
})
