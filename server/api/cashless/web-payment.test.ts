import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { gatewayHeaders } from '#server/payments/gateway-signature.ts'
import { queryDueOrders } from '#server/payments/query.ts'
import { createVault } from '#server/secrets/vault.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aPaymentConfig, aPaymentService, aProvider, type TestProvider } from '#testkit/nouns/web-payments.ts'

const signingKey = 'the gateway’s signing key'
let api: TestApi
let provider: TestProvider
/** What the provider says about its payments, by our reference. */
const payments = new Map<string, Record<string, unknown>>()

let merchantId: string
let configId: string
let serviceId: string
let mediaId: string
let staff: TestClient

beforeAll(async () => {
  api = await openTestApi()
  provider = await aProvider(({ method, path, body }) => {
    if (path === '/account') return {}
    if (method === 'POST') {
      const { reference, amount, currency } = JSON.parse(body)
      if (amount === 666) throw 422
      const transaction = `T${reference}`
      payments.set(transaction, { transaction, reference, amount, currency, state: 'waiting' })
      return { transaction, redirectUrl: `https://pay.test/${transaction}` }
    }
    const payment = payments.get(path.split('/').at(-1) ?? '')
    if (!payment) throw 404
    return payment
  })
})
afterAll(async () => {
  await provider.close()
  await api.close()
})

async function aShop() {
  const { id } = await aMerchant(api.database)
  const service = await aPaymentService(api.database, { url: provider.url })
  const config = await aPaymentConfig(api.database, id, service, { secrets: { signingKey } })
  return { merchantId: id, serviceId: service, configId: config }
}

beforeEach(async () => {
  ;({ merchantId, serviceId, configId } = await aShop())
  mediaId = await aMedia(api.database, merchantId, { serial: '04A1B2C3' })
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})

const recharge = (with_: object = {}) =>
  staff.startWebPayment({
    params: { merchantId },
    body: { kind: 'recharge', id: randomUUID(), serviceId, amount: 1000, serial: ' 04 a1b2c3', ...with_ } as never,
  })

const creditOf = async (id = mediaId): Promise<number> => {
  const rows = await api.database.admin<{ balance: number }>(
    `select balance::int from ledger_accounts where owner_id = $1 and kind = 'credit'`,
    [id],
  )
  return rows[0]?.balance ?? 0
}
const orderById = (id: string) => staff.getWebPaymentOrder({ params: { merchantId, webPaymentOrderId: id } })

/** Sends a callback as the gateway does. */
const callback = async (
  content: object,
  { key = signingKey, to = { merchantId, configId }, now = new Date(), body = JSON.stringify(content) } = {},
) => {
  const url = `/api/v1/payments/${to.merchantId}/${to.configId}/callback`
  const headers = gatewayHeaders('shop', key, { method: 'POST', path: url, body: JSON.stringify(content) }, now)
  return (await api.app.inject({ method: 'POST', url, headers, payload: body })).statusCode
}
type Order = Awaited<ReturnType<typeof recharge>>
const reportOf = (order: Order, state: string, more: object = {}) => ({
  transaction: order.transactionNumber,
  reference: order.reference,
  state,
  amount: 1000,
  currency: 'EUR',
  ...more,
})
const deps = () => ({
  doors: api.database,
  config: api.config,
  vault: createVault(api.config.secretKey),
  log: { warn: () => {} },
  live: { announce: () => {} },
})
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

test('a recharge waits at the provider, and its success credits the medium', async () => {
  const order = await recharge()
  expect(order).toMatchObject({ result: 0, kind: 'recharge', mediaId, mediaSerial: '04A1B2C3', currency: 'EUR' })
  expect(order.link).toBe(`${api.config.publicUrl}/pay/${order.reference}`)
  const page = await api.app.inject({ url: `/pay/${order.reference}` })
  expect(page.headers.location).toBe(`https://pay.test/T${order.reference}`)
  expect(await creditOf()).toBe(0)
  expect(await callback(reportOf(order, 'paid'))).toBe(200)
  expect(await creditOf()).toBe(1000)
  expect(await orderById(order.id)).toMatchObject({
    result: 1,
    link: null,
    reports: [{ verdict: 'succeeded', times: 1 }],
  })
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})

test('a payment without a medium credits nothing', async () => {
  const body = { kind: 'payment' as const, id: randomUUID(), serviceId, amount: 1000, description: 'Lost key' }
  const order = await staff.startWebPayment({ params: { merchantId }, body })
  expect(await callback(reportOf(order, 'paid'))).toBe(200)
  expect(await orderById(order.id)).toMatchObject({ result: 1, kind: 'payment', description: 'Lost key' })
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})

test('20 identical callbacks at once credit once', async () => {
  const order = await recharge()
  const answers = await Promise.all(Array.from({ length: 20 }, () => callback(reportOf(order, 'paid'))))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(await creditOf()).toBe(1000)
  expect((await orderById(order.id)).reports).toMatchObject([{ times: 20 }])
})

test('the same order sent twice is one order, and its id names no other', async () => {
  const id = randomUUID()
  const [one, other] = await Promise.all([recharge({ id }), recharge({ id })])
  expect(one?.reference).toBe(other?.reference)
  expect([...payments.values()].filter(({ reference }) => reference === one?.reference)).toHaveLength(1)
  await expect(recharge({ id, amount: 2000 })).rejects.toMatchObject({ code: 'WebPaymentOrderIdTaken' })
})

describe('what is refused', () => {
  test('a forged, altered, outdated or unsigned callback changes nothing and learns nothing', async () => {
    const order = await recharge()
    const paid = reportOf(order, 'paid')
    expect(await callback(paid, { key: 'another key' })).toBe(404)
    expect(await callback(reportOf(order, 'failed'), { body: JSON.stringify(paid) })).toBe(404)
    expect(await callback(paid, { now: later(-10) })).toBe(404)
    const url = `/api/v1/payments/${merchantId}/${configId}/callback`
    expect((await api.app.inject({ method: 'POST', url, payload: paid })).statusCode).toBe(404)
    expect((await api.app.inject({ method: 'GET', url })).json()).toMatchObject({ code: 'NotFound' })
    expect(await orderById(order.id)).toMatchObject({ result: 0, reports: [], findings: 0 })
    expect(await creditOf()).toBe(0)
  })

  test('another merchant’s order is not found, and is a finding of that order', async () => {
    const order = await recharge()
    const other = await aShop()
    expect(await callback(reportOf(order, 'paid'), { to: other })).toBe(404)
    expect(await orderById(order.id)).toMatchObject({ result: 0, findings: 1, reports: [{ verdict: 'otherAccount' }] })
    // The same merchant's account with another service is not the order's either.
    const second = await aPaymentConfig(api.database, merchantId, await aPaymentService(api.database), {
      secrets: { signingKey },
    })
    expect(await callback(reportOf(order, 'paid'), { to: { merchantId, configId: second } })).toBe(404)
    expect(await creditOf()).toBe(0)
    expect(await callback(reportOf({ ...order, reference: 'nobody' }, 'paid'))).toBe(404)
  })

  test('another amount, currency or payment is refused and stays a finding', async () => {
    const order = await recharge()
    expect(await callback(reportOf(order, 'paid', { amount: 100_000 }))).toBe(409)
    expect(await callback(reportOf(order, 'paid', { currency: 'MXN' }))).toBe(409)
    expect(await callback(reportOf(order, 'paid', { transaction: 'another' }))).toBe(409)
    expect(await callback(reportOf(order, 'paid', { amount: undefined }))).toBe(409)
    expect(await callback(reportOf(order, 'paid', { currency: 'MXN' }))).toBe(409)
    const { findings, reports, result } = await orderById(order.id)
    expect({ findings, result }).toEqual({ findings: 4, result: 0 })
    expect(reports.map(({ verdict }) => verdict)).toEqual([
      'otherAmount',
      'otherCurrency',
      'otherTransaction',
      'otherAmount',
    ])
    const { items } = await staff.listWebPaymentOrders({
      params: { merchantId },
      query: { hasFindings: 'true' } as never,
    })
    expect(items).toHaveLength(1)
    expect(await creditOf()).toBe(0)
    expect(await callback(reportOf(order, 'paid'))).toBe(200)
    expect(await creditOf()).toBe(1000)
  })

  test('too many unproven callbacks from one address', async () => {
    const otherApi = await openTestApi()
    const url = `/api/v1/payments/${randomUUID()}/${randomUUID()}/callback`
    const statuses: number[] = []
    for (let n = 0; n < 62; n++) statuses.push((await otherApi.app.inject({ method: 'POST', url })).statusCode)
    await otherApi.close()
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
  })

  test('an unknown, blocked or anonymous medium, an inactive account, and a merchant without the features', async () => {
    await expect(recharge({ serial: 'FFFFFFFF' })).rejects.toMatchObject({ code: 'MediaNotFound' })
    await expect(recharge({ serial: 'UNKNOWN1' })).rejects.toMatchObject({ code: 'MediaNotFound' })
    await expect(recharge({ amount: 0 })).rejects.toMatchObject({ code: 'ValidationFailed' })
    await api.database.admin('update medias set status = 1 where id = $1', [mediaId])
    await expect(recharge()).rejects.toMatchObject({ code: 'WebPaymentMediaBlocked' })
    await api.database.admin('update medias set status = 0 where id = $1', [mediaId])
    await api.database.admin('update web_payment_configs set is_active = false where id = $1', [configId])
    await expect(recharge()).rejects.toMatchObject({ code: 'WebPaymentNotConfigured' })
    await api.database.admin('update web_payment_configs set is_active = true where id = $1', [configId])
    const without = (feature: string) =>
      api.database.admin('update merchant_features set features = array_remove(features, $2) where merchant_id = $1', [
        merchantId,
        feature,
      ])
    await without('customerMedia')
    await expect(recharge()).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
    await without('webPayments')
    await expect(staff.listWebPaymentOrders({ params: { merchantId }, query: {} })).rejects.toMatchObject({
      code: 'FeatureNotEnabled',
    })
  })

  test('Nexi and Satispay are paid in euro only', async () => {
    await api.database.admin(`update merchants set currency = 'MXN' where id = $1`, [merchantId])
    await api.database.admin('update web_payment_services set type = 0 where id = $1', [serviceId])
    await expect(recharge()).rejects.toMatchObject({ code: 'WebPaymentCurrencyNotSupported' })
  })
})

describe('reports in any order', () => {
  test('a success after an error is the payer’s second attempt', async () => {
    const order = await recharge()
    await callback(reportOf(order, 'failed', { reason: 'cancelled' }))
    expect(await orderById(order.id)).toMatchObject({ result: 2, reason: 'cancelled' })
    await callback(reportOf(order, 'paid'))
    expect(await orderById(order.id)).toMatchObject({ result: 1, reason: null })
    expect(await creditOf()).toBe(1000)
  })

  test('an error after a success is checked with the provider, which decides', async () => {
    const order = await recharge()
    const payment = payments.get(order.transactionNumber ?? '') as Record<string, unknown>
    await callback(reportOf(order, 'paid'))
    payment.state = 'paid'
    expect(await callback(reportOf(order, 'failed'))).toBe(200)
    expect(await creditOf()).toBe(1000)
    payment.state = 'failed'
    expect(await callback(reportOf(order, 'failed'))).toBe(200)
    expect(await creditOf()).toBe(0)
    expect(await orderById(order.id)).toMatchObject({ result: 2, reason: 'reversed', reversedAmount: 1000 })
  })

  test('a reversal takes the credit back once; what was spent is unpaid; an old success credits nothing afterwards', async () => {
    const order = await recharge()
    await callback(reportOf(order, 'paid'))
    await callback(reportOf(order, 'reversed', { reversedAmount: 300 }))
    expect(await creditOf()).toBe(700)
    expect(await orderById(order.id)).toMatchObject({ result: 1, reversedAmount: 300 })
    await api.database.admin(`update ledger_accounts set reserved = 500 where owner_id = $1 and kind = 'credit'`, [
      mediaId,
    ])
    const all = reportOf(order, 'reversed', { reversedAmount: 1000 })
    expect(await Promise.all([callback(all), callback(all), callback(all)])).toEqual([200, 200, 200])
    expect(await creditOf()).toBe(500)
    await callback(reportOf(order, 'paid'))
    await callback(reportOf(order, 'failed'))
    expect(await creditOf()).toBe(500)
    expect(await orderById(order.id)).toMatchObject({
      result: 2,
      reason: 'reversed',
      reversedAmount: 1000,
      unpaid: 500,
    })
  })

  test('a reversal before the success credits nothing', async () => {
    const order = await recharge()
    await callback(reportOf(order, 'reversed', { reversedAmount: 1000 }))
    await callback(reportOf(order, 'paid'))
    expect(await creditOf()).toBe(0)
    expect(await orderById(order.id)).toMatchObject({ result: 2, reason: 'reversed' })
  })
})

describe('orders that wait', () => {
  test('the worker asks the provider, ever more rarely, and a success credits once beside the callback', async () => {
    const order = await recharge()
    await queryDueOrders(deps(), later(0))
    expect((await orderById(order.id)).reports).toEqual([])
    await queryDueOrders(deps(), later(1.1))
    expect((await orderById(order.id)).reports).toMatchObject([{ source: 'query', state: 'waiting' }])
    const queryCounts = () =>
      api.database.admin('select queries, next_query_at from web_payment_orders where id = $1', [order.id])
    const [before] = await queryCounts()
    await queryDueOrders(deps(), later(2))
    expect(await queryCounts()).toEqual([before])
    Object.assign(payments.get(order.transactionNumber ?? '') ?? {}, { state: 'paid' })
    await Promise.all([queryDueOrders(deps(), later(10)), callback(reportOf(order, 'paid'))])
    expect(await creditOf()).toBe(1000)
    expect(await ledgerFaults(api.database, merchantId)).toEqual([])
  })

  test('after a day an order ends as expired; a success that arrives later still counts', async () => {
    const order = await recharge()
    await queryDueOrders(deps(), later(24 * 60 + 1))
    expect(await orderById(order.id)).toMatchObject({ result: 2, reason: 'expired', link: null })
    expect((await api.app.inject({ url: `/pay/${order.reference}` })).statusCode).toBe(200)
    await callback(reportOf(order, 'paid'))
    expect(await orderById(order.id)).toMatchObject({ result: 1 })
    expect(await creditOf()).toBe(1000)
  })

  test('an order that the provider refuses is an error; one without an answer may be sent again', async () => {
    await api.database.admin('update web_payment_services set url = $2 where id = $1', [
      serviceId,
      'http://127.0.0.1:9',
    ])
    const id = randomUUID()
    await expect(recharge({ id })).rejects.toMatchObject({ code: 'WebPaymentNotStarted', facts: { orderId: id } })
    expect(await orderById(id)).toMatchObject({ result: 0, link: null })
    await api.database.admin('update web_payment_services set url = $2 where id = $1', [serviceId, provider.url])
    expect(await recharge({ id })).toMatchObject({ id, link: expect.stringContaining('/pay/') })
    const refused = randomUUID()
    await expect(recharge({ id: refused, amount: 666 })).rejects.toMatchObject({ code: 'WebPaymentNotStarted' })
    expect(await orderById(refused)).toMatchObject({ result: 2, reason: 'notStarted', link: null })
  })

  test('a medium that was lost in the meantime has its replacement credited', async () => {
    const order = await recharge()
    const next = await aMedia(api.database, merchantId)
    await api.database.admin('update medias set status = 2, replaced_by = $2 where id = $1', [mediaId, next])
    await callback(reportOf(order, 'paid'))
    expect([await creditOf(), await creditOf(next)]).toEqual([0, 1000])
  })
})
