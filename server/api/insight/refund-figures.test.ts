import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aMedia, aRefund } from '#testkit/nouns/cashless.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const noon = (day: string) => new Date(`${day}T10:00:00Z`)

test('each figure of refunds counts its own list, and the report "Transaction types" keeps them apart from sales', async () => {
  const merchantId = (await aMerchant(api.database)).id
  const machine = await aMachine(api.database, merchantId)
  const media = await aMedia(api.database, merchantId)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const [before, day, after] = ['2026-11-08', '2026-11-10', '2026-11-12'].map(noon) as [Date, Date, Date]
  const older = await aSale(api.database, machine, { created_at: before, value: 90 })
  const sold = await aSale(api.database, machine, { created_at: day, value: 200 })
  await aSale(api.database, machine, { created_at: day, value: 100 })
  await aSale(api.database, machine, { created_at: day, value: 55, error_sale: true })
  for (const [type, value] of [
    [6, 40],
    [16, 30],
    [8, 20],
    [8, 5],
    [4, 1000],
    [12, 7000],
    [3, 80],
  ])
    await aSale(api.database, machine, { created_at: day, type, value, product: null })
  const refund = (transaction_id: string, transaction_at: Date, created_at: Date, amount: number) =>
    aRefund(api.database, merchantId, media, { transaction_id, transaction_at, created_at, amount, pos_id: machine.id })
  await refund(older, before, day, 90)
  await refund(sold, day, after, 200)
  const params = { merchantId }
  const query = { startDate: '2026-11-10', endDate: '2026-11-10' }
  const figures = await admin.getRefundFigures({ params, query })
  expect(Object.fromEntries(figures.map(({ figure, count, amount }) => [figure, [count, amount]]))).toEqual({
    ofSales: [1, 200],
    given: [1, 90],
    machineRefunds: [1, 40],
    reversals: [1, 30],
    cashOut: [2, 25],
  })
  const list = async (more: object) => {
    const { total } = await admin.listTransactions({ params, query: { ...query, ...more } as never })
    return total
  }
  expect([await list({ refunded: 'true' }), await list({ types: ['6'] }), await list({ types: ['8'] })]).toEqual([
    1, 1, 2,
  ])
  expect((await admin.listRefunds({ params, query: query as never })).total).toBe(1)

  const ofTypes = await admin.getReport({ params, query: { ...query, type: 'transactions' } as never })
  const ofProducts = await admin.getReport({ params, query: query as never })
  const total = (report: typeof ofTypes, figure: string) =>
    report.totals[0]?.values[report.figures.indexOf(figure as never)]
  for (const figure of ['value', 'count', 'vends', 'average'])
    expect(total(ofTypes, figure)).toBe(total(ofProducts, figure))
  expect([total(ofTypes, 'value'), total(ofTypes, 'otherCount'), total(ofTypes, 'otherValue')]).toEqual([300, 7, null])
  const collection = ofTypes.rows.find(({ keys }) => keys[0] === '12')
  const of = (figure: string) => collection?.values[ofTypes.figures.indexOf(figure as never)]
  expect([of('value'), of('count'), of('vends'), of('otherCount'), of('otherValue')]).toEqual([
    null,
    null,
    null,
    1,
    7000,
  ])
})
