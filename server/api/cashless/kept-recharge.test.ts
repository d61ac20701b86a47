import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { gatewayHeaders } from '#server/payments/gateway-signature.ts'
import { randomFrom } from '#simulator/random.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, testSecretKey } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aSignedInCustomer, rechargesAllowed, signedBy } from '#testkit/nouns/customers.ts'
import { aPaymentConfig, aPaymentService, aProvider, type TestProvider } from '#testkit/nouns/web-payments.ts'

/* Recharges are limited at every door; above a limit they are kept until a user books or refuses them. */

const signingKey = 'the gateway’s signing key'
let api: TestApi
let gateway: TestGateway
let provider: TestProvider
let started = 0
beforeAll(async () => {
  api = await openTestApi({ SECRET_KEY: testSecretKey })
  gateway = await openGateway(api.database, { SECRET_KEY: testSecretKey })
  provider = await aProvider(({ method, body }) => {
    if (method !== 'POST') throw 404
    started += 1
    return { transaction: `T${JSON.parse(body).reference}`, redirectUrl: 'https://pay.test/' }
  })
})
afterAll(async () => {
  await provider?.close()
  await gateway?.stop()
  await api?.close()
})

const currency = 'EUR' as const
interface Limits {
  largest_recharge?: number
  largest_balance?: number
  largest_daily_recharge?: number
  largest_daily_recharge_of_machine?: number
}

/** A merchant with machines, a payment account, and a customer with a key. */
async function aPlace(limits: Limits = {}) {
  const { database } = api
  const { id: merchantId } = await aMerchant(database)
  for (const [column, value] of Object.entries({ maximum_refund: 100_000, ...limits }))
    await database.admin(`update merchant_settings set ${column} = $2 where merchant_id = $1`, [merchantId, value])
  const serviceId = await aPaymentService(database, { url: provider.url })
  const configId = await aPaymentConfig(database, merchantId, serviceId, { secrets: { signingKey } })
  await rechargesAllowed(database, merchantId)
  const customer = await aSignedInCustomer(api, merchantId)
  const serial = `K${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(database, merchantId, { serial, customer_id: customer.customerId })
  const machine = await aMachine(database, merchantId)
  const admin = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const other = api.as(await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const user = api.as(await aUser(database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const device = aDevice(gateway, machine)
  const params = { merchantId, mediaId }
  const callback = async (order: { reference: string; amount: number }, state: string, reversedAmount?: number) => {
    const url = `/api/v1/payments/${merchantId}/${configId}/callback`
    const { reference, amount } = order
    const payload = JSON.stringify({ transaction: `T${reference}`, reference, state, amount, currency, reversedAmount })
    const headers = gatewayHeaders('shop', signingKey, { method: 'POST', path: url, body: payload }, new Date())
    return (await api.app.inject({ method: 'POST', url, headers, payload })).statusCode
  }
  return {
    merchantId,
    mediaId,
    serial,
    machine,
    admin,
    other,
    user,
    device,
    params,
    callback,
    /** A recharge in the cloud, as a machine sends it. */
    insert: (amount: number, mediaSerial = serial) =>
      device.say('credit', { action: 'recharge', mediaSerial, mediaType: 2, amount, to: 'cloud' }),
    order: (amount: number) =>
      admin.startWebPayment({
        params: { merchantId },
        body: { kind: 'recharge', id: randomUUID(), serviceId, amount, serial },
      }),
    /** The same in the customer's app. */
    ownRecharge: async (amount: number) =>
      (
        await api.send('startOwnRecharge', {
          body: { id: randomUUID(), serviceId, mediaId, amount, currency },
          headers: signedBy(customer),
        })
      ).json(),
    ownRecharges: async () => (await api.send('listOwnRecharges', { headers: signedBy(customer) })).json(),
    credit: async () => {
      expect(await ledgerFaults(database, merchantId)).toEqual([])
      return (await admin.getMedia({ params })).cloudCredit
    },
    findings: async () => (await admin.listMediaFindings({ params, query: {} })).items,
  }
}

test('a recharge of twenty millions at a machine is kept whole, and booked once, by an administrator', async () => {
  const { insert, device, serial, findings, credit, admin, other, user, params } = await aPlace()
  const items = device.numbered([
    { action: 'recharge', mediaSerial: serial, mediaType: 2, amount: 2_000_000_000, to: 'cloud' },
  ])
  await Promise.all([device.sendItems('credit', items), device.sendItems('credit', items)])
  await device.sendItems('credit', items)
  expect(await credit()).toBe(0)
  const [finding, ...more] = await findings()
  expect(more).toEqual([])
  expect(finding).toMatchObject({
    kind: 'rechargeKept',
    amount: 2_000_000_000,
    closedAt: null,
    kept: { state: 'open', brokenLimit: 'largestRecharge', allowed: 250_00, reversed: 0, orderId: null },
  })
  const call = { params: { ...params, findingId: finding?.id as string } }
  await expect(user.bookKeptRecharge(call)).rejects.toMatchObject({ status: 403 })
  await expect(admin.closeMediaFinding(call)).rejects.toMatchObject({ code: 'RechargeUndecided' })
  await Promise.all([admin, other, admin].map((who) => who.bookKeptRecharge(call)))
  expect(await credit()).toBe(2_000_000_000)
  await expect(admin.refuseKeptRecharge(call)).rejects.toMatchObject({ code: 'RechargeDecided' })
  await device.sendItems('credit', items)
  expect(await credit()).toBe(2_000_000_000)
  expect(await findings()).toEqual([expect.objectContaining({ kept: expect.objectContaining({ state: 'booked' }) })])
  const log = await api.database.admin(`select after from change_log where merchant_id = $1 and action = $2`, [
    params.merchantId,
    'media.bookRecharge',
  ])
  expect(log).toEqual([{ after: { finding: 'rechargeKept', amount: 2_000_000_000 } }])
  // An ordinary recharge is above the balance now, and kept too.
  await insert(1_00)
  expect((await findings()).map(({ kept }) => kept?.brokenLimit)).toContain('largestBalance')
})

test('of a booking and a refusal at one moment the first counts; what is refused is credited nowhere', async () => {
  const { insert, findings, credit, admin, other, params } = await aPlace({ largest_recharge: 50_00 })
  for (let round = 0; round < 3; round++) {
    const before = await credit()
    await insert(50_01)
    const finding = (await findings()).find(({ closedAt }) => closedAt === null)
    const call = { params: { ...params, findingId: finding?.id as string } }
    const answers = await Promise.allSettled([admin.bookKeptRecharge(call), other.refuseKeptRecharge(call)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await credit()).toBe(before + (answers[0]?.status === 'fulfilled' ? 50_01 : 0))
  }
})

test.each([
  ['largestRecharge', { largest_recharge: 10_00 }, [10_00], 10_01],
  ['largestBalance', { largest_balance: 25_00 }, [10_00, 15_00], 1],
  ['largestDailyRecharge', { largest_daily_recharge: 20_00 }, [10_00, 10_00], 1],
  ['largestDailyRechargeOfMachine', { largest_daily_recharge_of_machine: 20_00 }, [10_00, 10_00], 1],
] as const)(
  '%s holds for recharges at machines, and an amount equal to it is credited',
  async (limit, limits, within, above) => {
    const { insert, findings, credit } = await aPlace(limits)
    for (const amount of within) await insert(amount)
    const sum = within.reduce((total, amount) => total + amount, 0)
    expect([await credit(), await findings()]).toEqual([sum, []])
    await insert(above)
    expect(await credit()).toBe(sum)
    expect(await findings()).toMatchObject([{ amount: above, kept: { brokenLimit: limit } }])
  },
)

test('an order above a limit is refused before anybody pays, for staff and in the app', async () => {
  const { order, ownRecharge, ownRecharges } = await aPlace()
  const before = started
  const refused = { code: 'RechargeAboveLimit', facts: { limit: 'largestRecharge', maximum: '€\u00A0250,00' } }
  expect(await ownRecharge(100_000_000)).toMatchObject(refused)
  await expect(order(250_01)).rejects.toMatchObject(refused)
  expect([started, await ownRecharges()]).toEqual([before, []])
  expect(await ownRecharge(250_00)).toMatchObject({ result: 0, kept: null })
})

test('a paid order that breaks a limit meanwhile is kept, and a person decides about the money', async () => {
  const { order, callback, credit, admin, findings, params } = await aPlace({ largest_balance: 30_00 })
  const orders = [await order(20_00), await order(20_00), await order(15_00)] as const
  for (const one of orders) expect(await callback(one, 'paid')).toBe(200)
  expect(await callback(orders[1], 'paid')).toBe(200)
  expect(await credit()).toBe(20_00)
  const keptFindings = await findings()
  expect(keptFindings.map(({ amount, kept: of }) => [amount, of?.orderId, of?.brokenLimit])).toEqual(
    expect.arrayContaining([
      [20_00, orders[1].id, 'largestBalance'],
      [15_00, orders[2].id, 'largestBalance'],
    ]),
  )
  const orderOf = (id: string) =>
    admin.getWebPaymentOrder({ params: { merchantId: params.merchantId, webPaymentOrderId: id } })
  expect(await orderOf(orders[1].id)).toMatchObject({ result: 1, kept: 'open', findings: 1 })
  // The provider takes a part back, and the rest is booked.
  expect(await callback(orders[1], 'reversed', 5_00)).toBe(200)
  const findingOf = (orderId: string) => keptFindings.find(({ kept: of }) => of?.orderId === orderId)?.id as string
  await admin.bookKeptRecharge({ params: { ...params, findingId: findingOf(orders[1].id) } })
  expect(await credit()).toBe(35_00)
  // What was booked can be taken back as any payment.
  expect(await callback(orders[1], 'reversed', 20_00)).toBe(200)
  expect(await credit()).toBe(20_00)
  // A refused one is refunded at the provider, which takes nothing from the medium.
  await admin.refuseKeptRecharge({ params: { ...params, findingId: findingOf(orders[2].id) } })
  expect(await callback(orders[2], 'reversed', 15_00)).toBe(200)
  expect(await credit()).toBe(20_00)
  expect(await orderOf(orders[2].id)).toMatchObject({ result: 2, kept: 'refused', unpaid: 0 })
})

test('a kept payment that its provider takes back is decided by that', async () => {
  const { order, callback, credit, findings, admin, params } = await aPlace({ largest_balance: 30_00 })
  const first = await order(20_00)
  const second = await order(20_00)
  await callback(first, 'paid')
  await callback(second, 'paid')
  await callback(second, 'reversed', 20_00)
  const [finding] = await findings()
  expect(finding).toMatchObject({ kept: { state: 'reversed', reversed: 20_00 }, closedAt: expect.any(String) })
  const call = { params: { ...params, findingId: finding?.id as string } }
  await expect(admin.bookKeptRecharge(call)).rejects.toMatchObject({ code: 'RechargeDecided' })
  expect(await credit()).toBe(20_00)
})

test('no refund lifts a medium above the largest balance, one by one or in a batch', async () => {
  const { admin, merchantId, mediaId, serial, params, credit } = await aPlace({ largest_balance: 30_00 })
  await aCredit(api.database, merchantId, mediaId, 25_00)
  const empty = `E${randomUUID().slice(0, 8).toUpperCase()}`
  await aMedia(api.database, merchantId, { serial: empty })
  const refund = { amount: 6_00, currency, reason: 'The can got stuck' }
  await expect(admin.refundMedia({ params, body: { id: randomUUID(), refund } })).rejects.toMatchObject({
    code: 'BalanceAboveLimit',
    facts: { maximum: '€\u00A030,00' },
  })
  const batch = await admin.refundBatch({
    params: { merchantId },
    body: { id: randomUUID(), mediaSerials: [serial, empty], refund },
  })
  expect(batch.refused).toEqual([{ mediaSerial: serial, reason: 'balanceAboveLimit' }])
  expect(batch.refunded).toMatchObject([{ mediaSerial: empty }])
  expect(await credit()).toBe(25_00)
})

test('a key with more credit than the limits is a finding, and its reading is stored', async () => {
  const { device, serial, findings, admin, params } = await aPlace()
  await device.say('credit', { action: 'key', mediaSerial: serial, mediaType: 2, keyCredit: 900_000, keyCounter: 1 })
  expect(await findings()).toMatchObject([{ kind: 'keyCreditAboveLimit', amount: 900_000, kept: null }])
  expect(await admin.getMedia({ params })).toMatchObject({ keyCredit: 900_000, credit: 0 })
})

test.each(['a', 'b'])(
  'whatever is paid in at one moment and decided later, nothing is lost, nothing counts twice, and limits hold (%s)',
  async (seed) => {
    const random = randomFrom(`limits ${seed}`)
    const { insert, order, callback, credit, findings, admin, params } = await aPlace({
      largest_recharge: 60_00,
      largest_balance: 100_00,
      largest_daily_recharge: 150_00,
    })
    let paid = 0
    let confirmed = 0
    let refused = 0
    for (let step = 0; step < 6; step++) {
      const amounts = Array.from({ length: 3 }, () => random.int(1, 80_00))
      await Promise.all(
        amounts.map(async (amount) => {
          if (random.chance(0.6)) {
            await insert(amount)
            paid += amount
            return
          }
          const started = await order(amount).catch(() => undefined)
          if (!started) return
          await Promise.all([callback(started, 'paid'), callback(started, 'paid')])
          paid += amount
        }),
      )
      for (const { id, amount, kept } of await findings()) {
        if (kept?.state !== 'open' || random.chance(0.6)) continue
        const isBooked = random.chance(0.5)
        const call = { params: { ...params, findingId: id } }
        await (isBooked ? admin.bookKeptRecharge(call) : admin.refuseKeptRecharge(call))
        if (isBooked) confirmed += amount ?? 0
        else refused += amount ?? 0
      }
      const open = (await findings()).reduce(
        (sum, { amount, kept }) => sum + (kept?.state === 'open' ? (amount ?? 0) : 0),
        0,
      )
      const booked = await credit()
      expect(booked + open + refused).toBe(paid)
      expect(booked - confirmed).toBeLessThanOrEqual(100_00)
    }
  },
)
