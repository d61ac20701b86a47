import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSignedInCustomer, aWallet, signedBy, type TestCustomer } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

const as = async (who: TestCustomer, name: EndpointName, input: object = {}) =>
  (await api.send(name, { ...input, headers: signedBy(who) })).json()

/** A merchant with a portal and a machine with its public code, and a customer with a wallet. */
async function aPlace() {
  const { id: merchantId } = await aMerchant(api.database)
  await aPortal(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId)
  const [row] = await api.database.admin<{ code: string }>('select code from machine_directory where machine_id = $1', [
    machine.id,
  ])
  const customer = await aSignedInCustomer(api, merchantId)
  const mediaId = await aWallet(api.database, customer)
  return { merchantId, one: { ...machine, code: row?.code as string }, customer, mediaId }
}

test('a claim is stored once, for a machine of the own merchant, and listed with its state', async () => {
  const { one, customer, mediaId } = await aPlace()
  const stranger = await aPlace()
  const body = {
    id: randomUUID(),
    selection: '12',
    amount: 120,
    currency: 'EUR',
    paidBy: 'media',
    mediaId,
    text: 'No cup',
    happenedAt: new Date().toISOString(),
  }
  const claim = (code: string, more: object = {}) =>
    as(customer, 'createOwnClaim', { params: { code }, body: { ...body, ...more } })
  expect(await claim(one.code)).toMatchObject({ number: 1, state: 'open', machineName: one.name, amount: 120 })
  expect(await claim(one.code)).toMatchObject({ number: 1 })
  expect(await as(customer, 'listOwnClaims')).toHaveLength(1)
  expect(await claim(stranger.one.code, { id: randomUUID() })).toMatchObject({ code: 'MachineOfOtherMerchant' })
  expect(await claim(one.code, { id: randomUUID(), mediaId: stranger.mediaId })).toMatchObject({
    code: 'MediaNotFound',
  })
  for (const wrong of [{ mediaId: null }, { amount: 200_001 }])
    expect(await claim(one.code, { id: randomUUID(), ...wrong })).toMatchObject({ code: 'ValidationFailed' })
})

test('the own data has the claims with their answers, and nothing of other customers or of staff', async () => {
  const { merchantId, one, customer, mediaId } = await aPlace()
  const other = await aSignedInCustomer(api, merchantId)
  const claim = (who: TestCustomer, text: string, more: object = {}) =>
    as(who, 'createOwnClaim', {
      params: { code: one.code },
      body: {
        id: randomUUID(),
        selection: '12',
        amount: 120,
        currency: 'EUR',
        paidBy: 'cash',
        text,
        ...more,
        happenedAt: new Date().toISOString(),
      },
    })
  const { id } = await claim(customer, 'No cup', { paidBy: 'media', mediaId })
  await claim(other, 'Of another customer')
  const writer = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await api.as(writer).answerClaim({
    params: { merchantId, claimId: id },
    body: { state: 'answered', answer: 'The cup was found' },
  })
  const data = await as(customer, 'getOwnData')
  expect(data.claims).toEqual(await as(customer, 'listOwnClaims'))
  expect(data.claims).toMatchObject([{ text: 'No cup', answer: 'The cup was found', state: 'answered' }])
  expect(JSON.stringify(data)).not.toContain('Of another customer')
  expect(JSON.stringify(data)).not.toContain(writer.subject)
})
