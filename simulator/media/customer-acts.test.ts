import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { codeOfMachine } from '#database/key-portal/machine-place.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aSimulatedMachine } from '#testkit/machines/simulated.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aSignedInCustomer, aWallet, signedBy } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

/* A simulated machine and a customer's app: the code that links a key, and vends that fail on request. */

let api: TestApi
let gateway: TestGateway
beforeAll(async () => {
  api = await openTestApi({ SECRET_KEY: testSecretKey })
  gateway = await openGateway(api.database, { SECRET_KEY: testSecretKey })
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})

async function aPlace() {
  const { database } = api
  const { id: merchantId } = await aMerchant(database)
  await aPortal(database, merchantId)
  const { serial, secret } = await aMachine(database, merchantId)
  const { fleet } = await aSimulatedMachine({ serial, secret }, gateway.mqttUrl)
  // Payments need a machine that the server knows to be online.
  const isOnline = () => database.admin('select from machines where serial = $1 and connection = 1', [serial])
  await vi.waitFor(async () => expect(await isOnline()).toHaveLength(1), { timeout: 20_000, interval: 50 })
  const customer = await aSignedInCustomer(api, merchantId)
  const as = async (name: EndpointName, input: object = {}) =>
    (await api.send(name, { ...input, headers: signedBy(customer) })).json()
  return { merchantId, serial, customer, as, code: await codeOfMachine(database, serial), serve: fleet.serve }
}

test('a simulated machine shows the code that links the inserted key, and none for a key that is linked', async () => {
  const { merchantId, serial, as, serve } = await aPlace()
  const mediaId = await aMedia(api.database, merchantId, { serial: 'A1B2C3D4' })
  const key = { action: 'link', mediaSerial: 'A1B2C3D4', mediaType: 2 } as const
  const result = await serve(serial, key)
  expect(result).toEqual({ outcome: 'shown', code: expect.stringMatching(/^\d{8}$/) })
  const link = (code = result?.code) => as('linkOwnMedia', { body: { serial: 'A1B2C3D4', code } })
  expect(await link(result?.code === '00000000' ? '00000001' : '00000000')).toMatchObject({ code: 'LinkCodeWrong' })
  expect(await link()).toMatchObject({ id: mediaId, serial: 'A1B2C3D4' })
  expect(await serve(serial, key)).toEqual({ outcome: 'refused', reason: 'alreadyLinked' })
})

test('the vend of the next app payment fails as asked, with or without its money, and the one after it succeeds', async () => {
  const { merchantId, serial, customer, as, code, serve } = await aPlace()
  const mediaId = await aWallet(api.database, customer)
  await aCredit(api.database, merchantId, mediaId, 5_000)
  const pay = async () => {
    const { id, state } = await as('startOwnPayment', {
      params: { code },
      body: { id: randomUUID(), mediaId, amount: 1_000, currency: 'EUR' },
    })
    expect(state).toBe('waiting')
    return vi.waitFor(
      async () => {
        const payment = await as('getOwnPayment', { params: { paymentId: id } })
        expect(['vended', 'failed']).toContain(payment.state)
        return payment
      },
      { timeout: 20_000, interval: 50 },
    )
  }
  expect(await serve(serial, { action: 'spoil', fails: 'released' })).toEqual({ outcome: 'spoilt' })
  expect(await pay()).toMatchObject({ state: 'failed', reason: 'vendFailed', settled: null })
  await serve(serial, { action: 'spoil', fails: 'charged' })
  const charged = await pay()
  expect(charged).toMatchObject({ state: 'failed', reason: 'vendFailed', settled: expect.any(Number) })
  const vended = await pay()
  expect(vended).toMatchObject({ state: 'vended', reason: null })
  const [wallet] = (await as('listOwnMedias')).items
  expect(wallet).toMatchObject({ credit: 5_000 - charged.settled - vended.settled, reserved: 0 })
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})
