import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'

/* A failed vend says why it is not refunded to its payer, by the rules of every refund. */

let api: TestApi
let merchantId: string
let machine: TestMachine
let staff: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin(
    'update merchant_settings set maximum_refund = 1000, largest_balance = 5000 where merchant_id = $1',
    [merchantId],
  )
  machine = await aMachine(api.database, merchantId)
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

/** A failed vend of a registered key. */
async function aVend(sale: Record<string, unknown> = {}, medium: Record<string, unknown> = {}) {
  const serial = `V${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial, ...medium })
  const payer = { media_type: 2, media_serial: serial, error_sale: true, value: 150 }
  return { mediaId, id: await aSale(api.database, machine, { ...payer, ...sale }) }
}
const refusalOf = async (transactionId: string) =>
  (await staff.getTransaction({ params: { merchantId, transactionId } })).refundRefusal
const refund = (mediaId: string, transactionId: string, amount = 150) =>
  staff.refundMedia({
    params: { merchantId, mediaId },
    body: { id: randomUUID(), refund: { amount, currency: 'EUR', reason: 'Failed vend' }, transactionId },
  })

test('a failed vend of a registered medium may be refunded until it is', async () => {
  const { id, mediaId } = await aVend()
  expect(await refusalOf(id)).toBeNull()
  await refund(mediaId, id)
  expect(await refusalOf(id)).toBe('refunded')
})

test('what the rules of refunds refuse, the vend says beforehand', async () => {
  const blocked = await aVend({}, { status: 1 })
  expect(await refusalOf(blocked.id)).toBe('blockedMedia')
  await expect(refund(blocked.mediaId, blocked.id)).rejects.toMatchObject({ code: 'MediaBlocked' })

  const dear = await aVend({ value: 1000 })
  expect(await refusalOf(dear.id)).toBe('aboveMaximum')
  await expect(refund(dear.mediaId, dear.id, 1000)).rejects.toMatchObject({ code: 'ValidationFailed' })

  const full = await aVend()
  await aCredit(api.database, merchantId, full.mediaId, 4_851)
  expect(await refusalOf(full.id)).toBe('balanceAboveLimit')
  await expect(refund(full.mediaId, full.id)).rejects.toMatchObject({ code: 'BalanceAboveLimit' })

  const free = await aVend({ value: 0 })
  expect(await refusalOf(free.id)).toBe('uncharged')
  await expect(refund(free.mediaId, free.id)).rejects.toMatchObject({ code: 'TransactionNotRefundable' })
})

test('a vend whose payer has no registered medium says how it was paid', async () => {
  const paidWith = async (media_type: number, media_serial: string | null) =>
    refusalOf(await aSale(api.database, machine, { media_type, media_serial, error_sale: true }))
  expect(await paidWith(1, null)).toBe('cash')
  expect(await paidWith(5, null)).toBe('card')
  expect(await paidWith(2, 'FFFFFFFF')).toBe('unknownMedia')
  expect(await paidWith(2, 'NOT-REGISTERED')).toBe('unknownMedia')
})

test('a vend that did not fail has no such word, and a merchant without media neither', async () => {
  expect(await refusalOf(await aSale(api.database, machine))).toBeNull()
  const other = (await aMerchant(api.database, { features: ['vending', 'transactionDetails'] })).id
  const elsewhere = await aMachine(api.database, other)
  const id = await aSale(api.database, elsewhere, { error_sale: true })
  const client = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: other, groups: 'all' }]))
  const sale = await client.getTransaction({ params: { merchantId: other, transactionId: id } })
  expect(sale).not.toHaveProperty('refundRefusal')
})
