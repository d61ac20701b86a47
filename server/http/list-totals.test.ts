import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aCredit, aFinding, aMedia, aRefund } from '#testkit/nouns/cashless.ts'
import { aClaim } from '#testkit/nouns/key-portal.ts'
import { aPaymentConfig, aPaymentOrder, aPaymentService } from '#testkit/nouns/web-payments.ts'

let api: TestApi
let reader: TestClient
let euros: string
let pesos: string
beforeAll(async () => {
  api = await openTestApi()
  euros = (await aMerchant(api.database)).id
  pesos = (await aMerchant(api.database, { currency: 'MXN', country: 'MX' })).id
  const scope = [euros, pesos].map((merchantId) => ({ merchantId, groups: 'all' as const }))
  reader = api.as(await aUser(api.database, 'merchantAdmin', scope))
})
afterAll(() => api?.close())

const all = { params: { merchantId: allMerchants } }
const one = { size: 1 }
const total = (currency: ListTotal['currency'], values: ListTotal['values']) => ({ currency, values })

test('refunds are summed over all rows that match, currency by currency, whatever the page', async () => {
  expect((await reader.listRefunds({ ...all, query: {} })).totals).toEqual([])
  for (const [merchantId, amounts] of [
    [euros, [100, 250]],
    [pesos, [4_000]],
  ] as const) {
    const mediaId = await aMedia(api.database, merchantId)
    for (const amount of amounts) await aRefund(api.database, merchantId, mediaId, { amount })
  }
  const sums = [total('EUR', { amount: 350 }), total('MXN', { amount: 4_000 })]
  expect(await reader.listRefunds({ ...all, query: one })).toMatchObject({ total: 3, totals: sums })
  expect((await reader.listRefunds({ ...all, query: { ...one, page: 3 } })).totals).toEqual(sums)
  expect((await reader.listRefunds({ params: { merchantId: pesos }, query: {} })).totals).toEqual([sums[1]])
  expect((await reader.listRefunds({ ...all, query: { states: ['waiting'] } })).totals).toEqual([])
})

test('web payments have the sums of their amounts and of what was reversed, in the currency of each order', async () => {
  const serviceId = await aPaymentService(api.database)
  const configId = await aPaymentConfig(api.database, euros, serviceId)
  const place = { merchantId: euros, configId, serviceId }
  await aPaymentOrder(api.database, place, { amount: 500, reversed_amount: 200 })
  await aPaymentOrder(api.database, place, { amount: 300 })
  await aPaymentOrder(api.database, place, { amount: 900, currency: 'MXN' })
  expect((await reader.listWebPaymentOrders({ ...all, query: one })).totals).toEqual([
    total('EUR', { amount: 800, reversedAmount: 200 }),
    total('MXN', { amount: 900, reversedAmount: 0 }),
  ])
})

test('claims and the machines of groups add up', async () => {
  const groupId = await aGroup(api.database, euros)
  const machine = await aMachine(api.database, euros, { groupId })
  await aMachine(api.database, euros, { groupId: await aGroup(api.database, euros) })
  const before = (await reader.listClaims({ ...all, query: {} })).totals
  await aClaim(api.database, machine, { amount: 120 })
  await aClaim(api.database, machine, { amount: 80 })
  expect([before, (await reader.listClaims({ ...all, query: one })).totals]).toEqual([
    [],
    [total('EUR', { amount: 200 })],
  ])
  expect((await reader.pageGroups({ ...all, query: one })).totals).toEqual([total(null, { machines: 2 })])
})

test('media have the sums of their credit, of what their keys hold and of open findings, by currency and filter', async () => {
  const merchants = [(await aMerchant(api.database)).id, (await aMerchant(api.database, { currency: 'MXN' })).id]
  const [euro, peso] = merchants as [string, string]
  const scope = merchants.map((merchantId) => ({ merchantId, groups: 'all' as const }))
  const staff = api.as(await aUser(api.database, 'merchantAdmin', scope))
  const lost = await aMedia(api.database, euro, { status: 2, key_credit: 70 })
  await aCredit(api.database, euro, lost, 300, 50)
  await aMedia(api.database, euro, { key_credit: 30, bonus_free_sales: 2 })
  const foreign = await aMedia(api.database, peso)
  await aCredit(api.database, peso, foreign, 900)
  for (const _ of [1, 2]) await aFinding(api.database, euro, lost)
  const nothing = { credit: 0, cloudCredit: 0, bonusCredit: 0, reserved: 0, keyCredit: null, bonusFreeSales: 0 }
  const ofLost = { credit: 350, cloudCredit: 300, bonusCredit: 50, keyCredit: 70, openFindings: 2 }
  const pesosOnly = total('MXN', { ...nothing, credit: 900, cloudCredit: 900, openFindings: 0 })
  expect(await staff.totalMedias({ ...all, query: {} })).toEqual([
    total('EUR', { ...nothing, ...ofLost, keyCredit: 100, bonusFreeSales: 2 }),
    pesosOnly,
  ])
  expect(await staff.totalMedias({ ...all, query: { statuses: [2] } })).toEqual([
    total('EUR', { ...nothing, ...ofLost }),
  ])
  expect(await staff.totalMedias({ params: { merchantId: peso }, query: { hasFindings: 'false' } })).toEqual([
    pesosOnly,
  ])
  expect(await staff.totalMedias({ params: { merchantId: peso }, query: { hasFindings: 'true' } })).toEqual([])
})

test('customers have the sums of their media, bonus and last 30 days, as their rows say, by currency and filter', async () => {
  const merchants = [(await aMerchant(api.database)).id, (await aMerchant(api.database, { currency: 'MXN' })).id]
  const [euro, peso] = merchants as [string, string]
  const scope = merchants.map((merchantId) => ({ merchantId, groups: 'all' as const }))
  const staff = api.as(await aUser(api.database, 'merchantAdmin', scope))
  const machine = await aMachine(api.database, euro)
  const customerOf = async (merchantId: string, name: string, medias: number) => {
    const { id } = await staff.createCustomer({ params: { merchantId }, body: { name, email: `${name}@example.org` } })
    const owned = []
    for (let n = 0; n < medias; n++) {
      const mediaId = await aMedia(api.database, merchantId, { customer_id: id })
      await aCredit(api.database, merchantId, mediaId, 300, 50)
      owned.push(mediaId)
    }
    return { id, owned }
  }
  await customerOf(euro, 'anna', 2)
  await customerOf(euro, 'bruno', 0)
  await customerOf(peso, 'carla', 1)
  const [{ serial } = { serial: '' }] = await api.database.admin<{ serial: string }>(
    'select serial from medias where merchant_id = $1 order by id limit 1',
    [euro],
  )
  await aSale(api.database, machine, { media_serial: serial, value: 120, type: 1 })
  await aSale(api.database, machine, { media_serial: serial, value: 500, type: 4 })
  const columns = ['medias', 'activeBonus', 'credit30Days', 'recharges30Days', 'sales30Days'] as const
  const { items } = await staff.listCustomers({ ...all, query: {} })
  const sums = (some: typeof items) =>
    Object.fromEntries(columns.map((column) => [column, some.reduce((sum, one) => sum + one[column], 0)]))
  const inEuro = items.filter(({ merchantId }) => merchantId === euro)
  expect(sums(inEuro)).toMatchObject({ medias: 2, activeBonus: 100, recharges30Days: 500, sales30Days: 120 })
  expect(await staff.totalCustomers({ ...all, query: {} })).toEqual([
    total('EUR', sums(inEuro)),
    total('MXN', sums(items.filter(({ merchantId }) => merchantId === peso))),
  ])
  expect(await staff.totalCustomers({ ...all, query: { hasMedias: 'false' } })).toEqual([
    total('EUR', { medias: 0, activeBonus: 0, credit30Days: 0, recharges30Days: 0, sales30Days: 0 }),
  ])
})
