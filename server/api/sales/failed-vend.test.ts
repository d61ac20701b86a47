import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aSignedInCustomer, signedBy } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const zone = 'Europe/Rome'

/** A sale of 1.50, a failed vend that charged a customer's key 1.10, a failed vend without a charge, and a recharge in cash. */
async function aPlace() {
  const { id: merchantId } = await aMerchant(api.database, { time_zone: zone })
  await aPortal(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId)
  const customer = await aSignedInCustomer(api, merchantId)
  const serial = `K${Date.now()}`
  await aMedia(api.database, merchantId, { serial, customer_id: customer.customerId })
  const key = { media_type: 2, media_source: 3, media_serial: serial }
  await aSale(api.database, machine)
  const charged = await aSale(api.database, machine, { ...key, error_sale: true, value: 110, price_line: 7 })
  const uncharged = await aSale(api.database, machine, { ...key, error_sale: true, value: 0 })
  await aSale(api.database, machine, { ...key, type: 4, value: 1000, value_charge: 1000 })
  const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const today = dayIn(new Date(), zone)
  const period = { startDate: today, endDate: today }
  const ofCustomer = async (name: EndpointName) =>
    (await api.send(name, { query: { page: 1, size: 10 }, headers: signedBy(customer) })).json()
  return { user, period, charged, uncharged, ofCustomer, params: { merchantId } }
}

test('a failed vend is turnover and a vend nowhere, and what it charged is a figure of its own', async () => {
  const { user, params, period } = await aPlace()
  const [today] = (await user.getDashboard({ params })).sales
  expect(today).toMatchObject({ value: 150, vends: 1, failedCharge: 110 })
  expect(today?.valueByDay.at(-1)).toBe(150)
  const query = { ...period, types: [1, 2, 14, 15] as never }
  const expected = { value: 150, errorValue: 110, count: 3, errorCount: 2 }
  expect((await user.statsOfPeriod({ params, query })).totals).toMatchObject([expected])
  expect((await user.statsByPos({ params, query: { ...query, page: 1, size: 10 } })).items).toMatchObject([expected])
  const [byProduct] = await user.productsUsed({ params, query })
  expect(byProduct).toMatchObject(expected)
  const [merchant] = (await user.listMerchantsDashboard({ params, query: { page: 1, size: 10 } })).items
  expect(merchant).toMatchObject({ value: 150, vends: 1 })
  const report = await user.getReport({ params, query: { ...period, type: 'products' } as never })
  const figure = (name: string) => report.totals[0]?.values[report.figures.indexOf(name as never)]
  expect([figure('value'), figure('vends'), figure('average')]).toEqual([150, 1, 150])
  const [listed] = (await user.listTransactions({ params, query: { ...query, errorSale: 'true' } as never })).items
    .map(({ value }) => value)
    .toSorted((one, other) => other - one)
  expect(listed).toBe(110)
})

test('a recharge of a key in cash is listed among what was paid in cash', async () => {
  const { user, params, period } = await aPlace()
  const inCash = await user.listTransactions({ params, query: { ...period, paidWith: ['1'] } as never })
  expect(inCash.items.map(({ type, mediaType, paidWith }) => [type, mediaType, paidWith]).toSorted()).toEqual([
    [1, 1, 1],
    [4, 2, 1],
  ])
  expect(inCash.total).toBe(2)
})

test('a customer sees which failed vend was charged, and where to claim it', async () => {
  const { ofCustomer, charged, uncharged } = await aPlace()
  const { items } = await ofCustomer('listOwnTransactions')
  const of = (id: string) => items.find((one: { id: string }) => one.id === id)
  expect(of(charged)).toMatchObject({ isFailed: true, amount: 110, refundable: 110, machineCode: expect.any(String) })
  expect(of(uncharged)).toMatchObject({ isFailed: true, amount: 0, refundable: 0, machineCode: null })
})
