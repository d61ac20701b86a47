import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

/** A merchant with a sale of today; without stock, unless its features are given. */
async function aSellingMerchant(with_: object = {}) {
  const merchant = await aMerchant(api.database, with_)
  await aSale(api.database, await aMachine(api.database, merchant.id))
  return merchant.id
}
const aReader = (...merchantIds: string[]) =>
  aUser(
    api.database,
    'merchantUser',
    merchantIds.map((merchantId) => ({ merchantId, groups: 'all' as const })),
  )
const withDashboard = { dashboard: 'true' } as const

test('one call has the user, their merchants and the dashboard, each as its own call answers it', async () => {
  for (const features of [undefined, []]) {
    const merchantId = await aSellingMerchant(features && { features })
    const user = api.as(await aReader(merchantId))
    const first = await user.getFirstScreen({ query: withDashboard })
    const [me, merchants, dashboard] = await Promise.all([
      user.getMe({}),
      user.listMyMerchants({}),
      user.getDashboard({ params: { merchantId } }),
    ])
    expect(first).toEqual({ me, merchants, merchantId, dashboard: { ...dashboard, at: expect.any(String) } })
    // Fields of features that the merchant lacks are missing in both.
    expect('soldOut' in dashboard).toBe(features === undefined)
  }
})

test('a user of several merchants begins with the requested one, else with all of them', async () => {
  const [one, other] = [await aSellingMerchant(), await aSellingMerchant()]
  const user = api.as(await aReader(one, other))
  const begin = async (merchant?: string) =>
    (await user.getFirstScreen({ query: { ...withDashboard, merchant } })).merchantId
  expect(await begin(other)).toBe(other)
  expect(await begin()).toBe(allMerchants)
  expect(await begin(await aSellingMerchant())).toBe(allMerchants)
  expect(await begin('nonsense')).toBe(allMerchants)
})

test('without a request for it, without a merchant, and at a closed merchant there is no dashboard', async () => {
  const merchantId = await aSellingMerchant()
  const user = api.as(await aReader(merchantId))
  expect(await user.getFirstScreen({ query: {} })).toMatchObject({ merchantId, dashboard: null })
  const nobody = api.as(await aReader())
  expect(await nobody.getFirstScreen({ query: withDashboard })).toMatchObject({
    merchants: [],
    merchantId: null,
    dashboard: null,
  })
  await api.database.admin('update merchants set is_demo = true, demo_expires_on = current_date - 3 where id = $1', [
    merchantId,
  ])
  expect(await user.getFirstScreen({ query: withDashboard })).toMatchObject({
    merchants: [{ closedBy: 'DemoExpired' }],
    dashboard: null,
  })
})
