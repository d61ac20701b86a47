import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { aSignedInCustomer, aWallet, rechargesAllowed, signedBy } from '#testkit/nouns/customers.ts'
import { aPaymentConfig, aPaymentService } from '#testkit/nouns/web-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ SECRET_KEY: testSecretKey })
})
afterAll(() => api?.close())

test('a merchant that has not turned on recharges in the app offers no service, and takes none', async () => {
  const { database } = api
  const { id: merchantId } = await aMerchant(database)
  const serviceId = await aPaymentService(database)
  await aPaymentConfig(database, merchantId, serviceId)
  const customer = await aSignedInCustomer(api, merchantId)
  const mediaId = await aWallet(database, customer)
  const as = async (name: EndpointName, input: object = {}) =>
    (await api.send(name, { ...input, headers: signedBy(customer) })).json()
  const start = () =>
    as('startOwnRecharge', { body: { id: randomUUID(), serviceId, mediaId, amount: 1_000, currency: 'EUR' } })

  expect(await as('listOwnRechargeServices')).toEqual([])
  expect(await start()).toMatchObject({ code: 'WebPaymentNotConfigured' })
  expect(await as('listOwnRecharges')).toEqual([])

  await rechargesAllowed(database, merchantId)
  expect(await as('listOwnRechargeServices')).toMatchObject([{ serviceId }])
  // Nothing listens at the service's address.
  expect(await start()).toMatchObject({ code: 'WebPaymentNotStarted' })
})
