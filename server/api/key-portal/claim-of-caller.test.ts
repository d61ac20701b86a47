import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#server/mail/mail.ts'
import { mailClaims } from '#server/worker/watch.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'

/* Staff opens claims for callers: the machine and the time are given, and the log finds the vend. */

let api: TestApi
let merchantId: string
let machine: TestMachine
let staff: TestClient
let admin: TestClient
let colleague: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  machine = await aMachine(api.database, merchantId)
  const everywhere = [{ merchantId, groups: 'all' as const }]
  staff = api.as(await aUser(api.database, 'merchantUser', everywhere))
  colleague = api.as(await aUser(api.database, 'merchantUser', everywhere))
  admin = api.as(await aUser(api.database, 'merchantAdmin', everywhere))
})
afterAll(() => api.close())

const minutes = (count: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000 + count * 60_000)
const called = (with_: Record<string, unknown> = {}) => ({
  params: { merchantId },
  body: {
    id: randomUUID(),
    posId: machine.id,
    happenedAt: minutes(0).toISOString(),
    amount: 150,
    currency: 'EUR' as const,
    paidBy: 'cash' as const,
    text: 'It kept my money',
    ...with_,
  },
})

test('machine and time find the vends: failed ones first, then the nearest, with product, price, payment and outcome', async () => {
  const place = await aMachine(api.database, merchantId)
  const sale = (with_: Record<string, unknown>) => aSale(api.database, place, with_)
  const near = await sale({ created_at: minutes(1), product: 'Water' })
  const far = await sale({ created_at: minutes(-9), product: 'Tea' })
  const failed = await sale({ created_at: minutes(25), product: 'Espresso', error_sale: true, value: 120 })
  await sale({ created_at: minutes(31), error_sale: true })
  await sale({ created_at: minutes(0), type: 4 })
  const at = minutes(0).toISOString()
  const found = await staff.listClaimSales({ params: { merchantId, posId: place.id }, query: { at } })
  expect(found.map(({ id }) => id)).toEqual([failed, near, far])
  expect(found[0]).toMatchObject({
    product: 'Espresso',
    value: 120,
    paidWith: 1,
    errorSale: true,
    refundRefusal: 'cash',
  })
})

test('a claim about a vend of a key is refunded to that key', async () => {
  const serial = `V${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial })
  const created_at = minutes(3)
  const paid = { media_type: 2, media_serial: serial, error_sale: true, created_at }
  const transactionId = await aSale(api.database, machine, paid)
  const claim = await staff.createClaim(called({ transactionId, mediaId, paidBy: 'media' }))
  // The machine knows the moment better than the caller.
  expect(claim).toMatchObject({ state: 'open', transactionId, mediaSerial: serial, customerId: null })
  expect(new Date(`${claim.happenedAt}Z`)).toEqual(created_at)
  await staff.refundClaim({
    params: { merchantId, claimId: claim.id },
    body: { amount: 150, currency: 'EUR', mediaId, transactionId },
  })
  const { refundRefusal } = await staff.getTransaction({ params: { merchantId, transactionId } })
  expect(refundRefusal).toBe('refunded')
})

test('the same claim sent again is stored once, and another user’s with its id is refused', async () => {
  const call = called()
  const [one, two] = await Promise.all([staff.createClaim(call), staff.createClaim(call)])
  expect(two.number).toBe(one.number)
  await expect(colleague.createClaim(call)).rejects.toMatchObject({ code: 'ClaimIdTaken' })
})

test('a claim names a machine, a medium and a vend of the merchant, a past moment and its currency', async () => {
  const refused = (with_: Record<string, unknown>) => staff.createClaim(called(with_))
  const other = await aMachine(api.database, (await aMerchant(api.database)).id)
  await expect(refused({ posId: other.id })).rejects.toMatchObject({ code: 'MachineNotFound' })
  await expect(refused({ mediaId: randomUUID() })).rejects.toMatchObject({ code: 'MediaNotFound' })
  const elsewhere = await aSale(api.database, await aMachine(api.database, merchantId), { created_at: minutes(0) })
  await expect(refused({ transactionId: elsewhere })).rejects.toMatchObject({ code: 'TransactionNotFound' })
  await expect(refused({ currency: 'USD' })).rejects.toMatchObject({ code: 'CurrencyDiffers' })
  await expect(refused({ happenedAt: '2020-01-01T10:00:00Z' })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('the contact is seen by who wrote it down and by who may see customers, and is erased once the answer is sent', async () => {
  const { id, contact, openedBy } = await staff.createClaim(called({ contact: 'caller@example.test' }))
  expect([contact, openedBy]).toEqual(['caller@example.test', expect.any(String)])
  const seen = async (client: TestClient) => (await client.getClaim({ params: { merchantId, claimId: id } })).contact
  expect([await seen(staff), await seen(admin), await seen(colleague)]).toEqual([contact, contact, null])
  await staff.answerClaim({
    params: { merchantId, claimId: id },
    body: { state: 'answered', answer: 'A technician pays it back.' },
  })
  const sent: Message[] = []
  const mail = { send: async (message: Message) => void sent.push(message) }
  await mailClaims(
    { doors: api.database, mail, config: { NO_DATA_MINUTES: 60, publicUrl: 'https://gettone.test' } },
    new Date(Date.now() + 60_000),
  )
  expect(sent.map(({ to }) => to)).toEqual(['caller@example.test'])
  expect(await seen(staff)).toBeNull()
})

test('opening a claim is in the change log, without the words and the contact of the caller', async () => {
  const { id } = await staff.createClaim(called({ contact: '+39 333 1234567' }))
  const rows = await api.database.admin<{ action: string; after: object }>(
    'select action, after from change_log where merchant_id = $1 and subject_id = $2',
    [merchantId, id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['claim.create'])
  expect(JSON.stringify(rows)).not.toMatch(/333|kept my money/)
})
