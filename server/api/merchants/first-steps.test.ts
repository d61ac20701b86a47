import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

/* The checklist of a new merchant is ticked by facts, closes for the merchant, and opens again. */

let api: TestApi
let provider: TestClient
beforeAll(async () => {
  api = await openTestApi()
  provider = api.as(await aUser(api.database, 'superAdmin', []))
})
afterAll(() => api.close())

/** A merchant as the provider creates it, with its first admin. */
async function aNewMerchant() {
  const { id: merchantId } = await provider.createMerchant({
    body: {
      name: `Merchant ${randomUUID()}`,
      country: 'IT',
      language: 'it' as const,
      timeZone: 'Europe/Rome',
      currency: 'EUR',
    },
  })
  await api.database.admin(`update merchant_features set features = '{vending}' where merchant_id = $1`, [merchantId])
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, user, admin: api.as(user) }
}
const done = async (client: TestClient, merchantId: string) =>
  (await client.getFirstSteps({ params: { merchantId } })).steps.filter(({ isDone }) => isDone).map(({ step }) => step)

test('each fact ticks its own step', async () => {
  const { merchantId, user, admin } = await aNewMerchant()
  expect(await done(admin, merchantId)).toEqual(['place', 'pin'])
  await api.database.admin('update users set receive_notifications = true where id = $1', [user.id])
  expect(await done(admin, merchantId)).toEqual(['place', 'pin', 'alarmMails'])
  await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const machine = await aMachine(api.database, merchantId)
  expect(await done(admin, merchantId)).toEqual(['place', 'pin', 'machine', 'people', 'alarmMails'])
  await aSale(api.database, machine)
  await aProduct(api.database, merchantId)
  expect(await done(admin, merchantId)).toEqual(['place', 'pin', 'machine', 'products', 'people', 'alarmMails', 'sale'])
})

test('a user of the provider who sees the merchant is no user of it', async () => {
  const { merchantId, admin } = await aNewMerchant()
  const support = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await api.database.admin('update users set invisible_to_merchants = true where id = $1', [support.id])
  expect(await done(admin, merchantId)).not.toContain('people')
})

test('the checklist of a new merchant is open on the dashboard of its admins until one of them closes it', async () => {
  const { merchantId, admin } = await aNewMerchant()
  const keeper = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const other = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const isShown = async (client: TestClient) => (await client.getDashboard({ params: { merchantId } })).hasFirstSteps
  expect([await isShown(admin), await isShown(keeper)]).toEqual([true, false])
  const closed = await admin.updateFirstSteps({ params: { merchantId }, body: { isClosed: true } })
  expect([closed.isClosed, await isShown(admin), await isShown(other)]).toEqual([true, false, false])
  await other.updateFirstSteps({ params: { merchantId }, body: { isClosed: false } })
  expect(await isShown(admin)).toBe(true)
  const { items } = await admin.listChangeLog({ params: { merchantId }, query: {} })
  expect(items.filter(({ subjectType }) => subjectType === 'merchantSettings')).toHaveLength(2)
})

test('merchants of earlier versions have no open checklist', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  expect((await admin.getFirstSteps({ params: { merchantId } })).isClosed).toBe(true)
  expect((await admin.getDashboard({ params: { merchantId } })).hasFirstSteps).toBe(false)
})
