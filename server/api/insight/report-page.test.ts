import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportQuery } from '#contract/insight/report.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aClient, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'
import { pageOfReport, reportOf } from './report-result.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-08-01', '2026-12-01')`)
})
afterAll(() => database.close())

const now = new Date('2026-10-20T12:00:00Z')

async function aFleet() {
  const { id: merchantId } = await aMerchant(database)
  const client = await aClient(database, merchantId, { commission_kind: 'percent', commission_percent: 12.5 })
  const machines: TestMachine[] = []
  for (const name of ['A', 'B', 'C', 'D', 'E'])
    machines.push(await aMachine(database, merchantId, { columns: { name, client_id: name === 'E' ? null : client } }))
  const coffee = await aProduct(database, merchantId, { name: 'Espresso', cost: 40, vat: 22 })
  await aProductCode(database, machines[0] as TestMachine, { code: 'ESP', product_id: coffee })
  const sell = (at: number, day: string, value: number, more: object = {}) =>
    aSale(database, machines[at] as TestMachine, {
      created_at: new Date(`${day}T09:00:00Z`),
      value,
      product: 'ESP',
      ...more,
    })
  await sell(0, '2026-10-05', 120)
  await sell(1, '2026-10-05', 300)
  await sell(1, '2026-10-18', 70, { product: 'Water', error_sale: true })
  await sell(4, '2026-10-18', 200, { product: 'Water' })
  // Before: a machine that sells nothing later.
  await sell(2, '2026-08-20', 100)
  await sell(2, '2026-09-12', 500)
  await sumUpDays(database, now)
  return { merchantId, sell }
}

const query = (more: object = {}) =>
  ReportQuery.parse({ type: 'machines', startDate: '2026-10-01', endDate: '2026-10-20', ...more })

const asked = { role: 'merchantAdmin' as const, language: null, now }

async function expectPages(merchantId: string, of: ReportQuery, rowCount: number) {
  const { whole, pages } = await database.withTenant(wholeMerchant(merchantId), async (db) => {
    const whole = await reportOf(db, of, asked)
    const pages = []
    for (const page of [1, 2, 3]) pages.push(await reportOf(db, of, { ...asked, page: { page, size: 2 } }))
    return { whole, pages }
  })
  expect(whole.rowCount).toBe(rowCount)
  expect(pages).toEqual([1, 2, 3].map((page) => pageOfReport(whole, { page, size: 2 })))
}

test('a page of machines has the rows, totals and figures of the whole report', async () => {
  const { merchantId } = await aFleet()
  await expectPages(merchantId, query(), 3)
})

test('so has a page beside a compared period, with machines that only it has', async () => {
  const { merchantId } = await aFleet()
  await expectPages(merchantId, query({ compare: 'previous' }), 4)
})

test('a machine that only paid back is a row if its client gets a commission', async () => {
  const { merchantId, sell } = await aFleet()
  await sell(3, '2026-10-18', -30, { type: 6, product: null })
  await expectPages(merchantId, query(), 4)
})
