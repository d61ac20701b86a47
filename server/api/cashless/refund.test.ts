import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'

let api: TestApi
let merchantId: string
let machine: TestMachine
let staff: TestClient
beforeAll(async () => {
  api = await openTestApi({ BATCH_REFUND_MAX: '100' })
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  machine = await aMachine(api.database, merchantId)
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const order = (with_: object = {}) => ({ amount: 150, currency: 'EUR' as const, reason: 'The can got stuck', ...with_ })
const refund = (mediaId: string, with_: object = {}, body: object = {}) =>
  staff.refundMedia({ params: { merchantId, mediaId }, body: { id: randomUUID(), refund: order(with_), ...body } })
const creditOf = async (mediaId: string) => (await staff.getMedia({ params: { merchantId, mediaId } })).cloudCredit
const refundsOf = async (mediaId: string) =>
  (await staff.listMediaRefunds({ params: { merchantId, mediaId }, query: {} })).items

/** A registered medium with a serial, and a failed vend of 1.50 that it paid. */
async function aFailedVend(with_: object = {}) {
  const serial = `V${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial })
  const sale = { media_type: 2, media_serial: serial, error_sale: true, ...with_ }
  return { mediaId, serial, transactionId: await aSale(api.database, machine, sale) }
}

test('a failed vend is refunded once, by its transaction, and the transaction shows the refund', async () => {
  const { mediaId, transactionId } = await aFailedVend()
  const refunded = await refund(mediaId, {}, { transactionId })
  expect(refunded).toMatchObject({ kind: 'cloud', state: 'done', amount: 150, transactionId, posId: machine.id })
  expect(await creditOf(mediaId)).toBe(150)
  await expect(refund(mediaId, {}, { transactionId })).rejects.toMatchObject({ code: 'TransactionRefunded' })
  expect(await staff.getTransaction({ params: { merchantId, transactionId } })).toMatchObject({
    mediaId,
    refundId: refunded.id,
  })
  const { items } = await staff.listMediaOperations({ params: { merchantId, mediaId }, query: {} })
  expect(items).toEqual([
    expect.objectContaining({
      kind: 'refund',
      credit: 150,
      bonus: 0,
      balance: 150,
      refundId: refunded.id,
      transactionId,
    }),
  ])
  expect(items[0]?.others).toEqual([{ account: 'refunds', amount: -150, serial: null }])
})

test('refunds of a sale in parts never exceed the sale, and the transaction shows what is left', async () => {
  const { mediaId, transactionId } = await aFailedVend()
  const leftOf = async () => (await staff.getTransaction({ params: { merchantId, transactionId } })).refundable
  await refund(mediaId, { amount: 100 }, { transactionId })
  expect(await leftOf()).toBe(50)
  await expect(refund(mediaId, { amount: 51 }, { transactionId })).rejects.toMatchObject({
    code: 'RefundAboveSale',
    facts: { refundable: '€\u00A00,50' },
  })
  await staff.refundMediaAtMachine({
    params: { merchantId, mediaId },
    body: { id: randomUUID(), refund: order({ amount: 50 }), device: machine.id, transactionId },
  })
  expect(await leftOf()).toBe(0)
  await expect(refund(mediaId, { amount: 1 }, { transactionId })).rejects.toMatchObject({ code: 'TransactionRefunded' })
})

test('a sale that its machine reversed is not refunded, and of a part only the rest', async () => {
  const whole = await aFailedVend({ seq: 901, epoch: 1 })
  await aSale(api.database, machine, { type: 16, value: -150, seq: 902, epoch: 1, original_seq: 901 })
  await expect(refund(whole.mediaId, {}, { transactionId: whole.transactionId })).rejects.toMatchObject({
    code: 'TransactionReversed',
  })
  const part = await aFailedVend({ seq: 903, epoch: 1 })
  await aSale(api.database, machine, { type: 6, value: -100, seq: 904, epoch: 1, original_seq: 903 })
  await expect(refund(part.mediaId, { amount: 51 }, { transactionId: part.transactionId })).rejects.toMatchObject({
    code: 'RefundAboveSale',
  })
  expect(await refund(part.mediaId, { amount: 50 }, { transactionId: part.transactionId })).toMatchObject({
    amount: 50,
  })
})

describe('a refund is refused', () => {
  test.each([
    ['of zero', { amount: 0 }, 'ValidationFailed'],
    ['of less than zero', { amount: -1 }, 'ValidationFailed'],
    ['of the maximum itself', { amount: 1000 }, 'ValidationFailed'],
    ['in another currency', { currency: 'MXN' }, 'RefundCurrencyDiffers'],
    ['without a reason', { reason: ' ' }, 'ValidationFailed'],
  ])('%s', async (_, with_, code) => {
    const mediaId = await aMedia(api.database, merchantId)
    await expect(refund(mediaId, with_)).rejects.toMatchObject({ code })
    expect(await creditOf(mediaId)).toBe(0)
  })

  test('of more than the sale, and of a transaction of another medium', async () => {
    const { mediaId, transactionId } = await aFailedVend()
    await expect(refund(mediaId, { amount: 151 }, { transactionId })).rejects.toMatchObject({ code: 'RefundAboveSale' })
    const another = await aMedia(api.database, merchantId)
    await expect(refund(another, {}, { transactionId })).rejects.toMatchObject({ code: 'TransactionNotRefundable' })
    const anonymous = await aSale(api.database, machine, { media_serial: 'FFFFFFFF', error_sale: true })
    await expect(refund(another, {}, { transactionId: anonymous })).rejects.toMatchObject({
      code: 'TransactionNotRefundable',
    })
  })

  test('to a blocked and to a lost medium', async () => {
    for (const status of [1, 2]) {
      const mediaId = await aMedia(api.database, merchantId, { status })
      await expect(refund(mediaId)).rejects.toMatchObject({ code: 'MediaBlocked' })
    }
  })

  test('under the key of another refund', async () => {
    const mediaId = await aMedia(api.database, merchantId)
    const { id } = await refund(mediaId)
    await expect(refund(mediaId, { amount: 151 }, { id })).rejects.toMatchObject({ code: 'RefundIdTaken' })
    await expect(refund(await aMedia(api.database, merchantId), {}, { id })).rejects.toMatchObject({
      code: 'RefundIdTaken',
    })
    expect(await creditOf(mediaId)).toBe(150)
  })
})

test('just below the maximum is accepted', async () => {
  const mediaId = await aMedia(api.database, merchantId)
  expect((await refund(mediaId, { amount: 999 })).amount).toBe(999)
})

test('the same refund sent 100 times at once has one effect and one answer', async () => {
  const { mediaId, transactionId } = await aFailedVend()
  const id = randomUUID()
  const answers = await Promise.all(Array.from({ length: 100 }, () => refund(mediaId, {}, { id, transactionId })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await creditOf(mediaId)).toBe(150)
  expect(await refundsOf(mediaId)).toHaveLength(1)
}, 180_000)

test('two users who refund one failed vend at once pay it back once', async () => {
  const { mediaId, transactionId } = await aFailedVend()
  const answers = await Promise.allSettled([1, 2].map(() => refund(mediaId, {}, { transactionId })))
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await creditOf(mediaId)).toBe(150)
})

test('a refund through a machine is held for it; unblocking tokens leaves it as cloud credit, exactly once', async () => {
  const mediaId = await aMedia(api.database, merchantId)
  const id = randomUUID()
  const body = { id, refund: order(), device: machine.id }
  const refunded = await staff.refundMediaAtMachine({ params: { merchantId, mediaId }, body })
  expect(refunded).toMatchObject({ kind: 'machine', state: 'waiting', posId: machine.id })
  const held = await staff.getMedia({ params: { merchantId, mediaId } })
  expect(held).toMatchObject({ cloudCredit: 150, reserved: 150, credit: 0 })
  const { items } = await staff.listMediaReservations({ params: { merchantId, mediaId }, query: {} })
  expect(items).toMatchObject([{ purpose: 'collect', state: 'held', credit: 150, refundId: id }])
  const ends = await Promise.all(
    Array.from({ length: 10 }, () => staff.unblockMediaTokens({ params: { merchantId, mediaId } })),
  )
  expect(ends.reduce((sum, { ended }) => sum + ended, 0)).toBe(1)
  const after = await staff.getMedia({ params: { merchantId, mediaId } })
  expect(after).toMatchObject({ cloudCredit: 150, reserved: 0, credit: 150 })
  expect(await staff.getRefund({ params: { merchantId, refundId: id } })).toMatchObject({ state: 'done' })
  expect(await staff.refundMediaAtMachine({ params: { merchantId, mediaId }, body })).toMatchObject({ id })
  expect(await creditOf(mediaId)).toBe(150)
})

describe('a batch', () => {
  const batch = (mediaSerials: string[], body: object = {}) =>
    staff.refundBatch({ params: { merchantId }, body: { id: randomUUID(), mediaSerials, refund: order(), ...body } })
  const some = async (count: number, with_: object = {}) => {
    const serials = Array.from({ length: count }, () => `B${randomUUID().slice(0, 10).toUpperCase()}`)
    const ids = await Promise.all(serials.map((serial) => aMedia(api.database, merchantId, { serial, ...with_ })))
    return { serials, ids }
  }

  test('refunds each medium once, also a serial with spaces or lower case, and names the refused media', async () => {
    const good = await some(2)
    const blocked = await some(1, { status: 1 })
    const [first = '', second = ''] = good.serials
    const mediaSerials = [first.toLowerCase(), ` ${first}`, second, ...blocked.serials, 'NOBODY1', 'FFFFFFFF']
    const id = randomUUID()
    const answer = await batch(mediaSerials, { id })
    expect(answer.refunded.map(({ mediaSerial }) => mediaSerial).sort()).toEqual([first, second].sort())
    expect(answer.refused).toEqual([
      { mediaSerial: blocked.serials[0], reason: 'blocked' },
      { mediaSerial: 'NOBODY1', reason: 'unknownMedia' },
      { mediaSerial: 'FFFFFFFF', reason: 'unknownMedia' },
    ])
    // The same batch again only says what was done, even if the blocked medium is in order now.
    await staff.unblockMedia({ params: { merchantId, mediaId: blocked.ids[0] as string } })
    expect(await batch(mediaSerials, { id })).toEqual(answer)
    for (const mediaId of good.ids) expect(await creditOf(mediaId)).toBe(150)
    expect(await creditOf(blocked.ids[0] as string)).toBe(0)
    await expect(batch([second], { id })).rejects.toMatchObject({ code: 'RefundIdTaken' })
  })

  test('of 100 media, sent ten times at once, credits each once; 101 are refused', async () => {
    const { serials, ids } = await some(100)
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => batch(serials, { id })))
    for (const answer of answers) expect(answer.refunded).toHaveLength(100)
    const [sums] = await api.database.admin<{ sum: number; least: number; most: number }>(
      `select sum(balance)::int as sum, min(balance)::int as least, max(balance)::int as most
       from ledger_accounts where kind = 'credit' and owner_id = any($1)`,
      [ids],
    )
    expect(sums).toEqual({ sum: 15_000, least: 150, most: 150 })
    await expect(batch([...serials, 'ONEMORE'])).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path: 'mediaSerials', rule: 'batchRefund', maxSize: 100 }],
    })
  })

  test('without any medium to refund says so, and names why', async () => {
    await expect(batch(['NOBODY1'])).rejects.toMatchObject({
      code: 'NoMediasRefunded',
      facts: { refused: [{ mediaSerial: 'NOBODY1', reason: 'unknownMedia' }] },
    })
  })
})

test('a merchant without the feature refuses every call, and transactions lack the fields', async () => {
  const { id } = await aMerchant(api.database, { features: ['transactionDetails'] })
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  const mediaId = await aMedia(api.database, id)
  const place = { params: { merchantId: id, mediaId } }
  const off = { code: 'FeatureNotEnabled' }
  await expect(admin.getMedia(place)).rejects.toMatchObject(off)
  await expect(admin.blockMedia(place)).rejects.toMatchObject(off)
  await expect(admin.refundMedia({ ...place, body: { id: randomUUID(), refund: order() } })).rejects.toMatchObject(off)
  await expect(admin.listRefunds({ params: { merchantId: id }, query: {} })).rejects.toMatchObject(off)
  await expect(admin.listCustomers({ params: { merchantId: id }, query: {} })).rejects.toMatchObject(off)
  const today = new Date().toISOString().slice(0, 10)
  const period = { startDate: today, endDate: today }
  await expect(
    admin.listTransactions({ params: { merchantId: id }, query: { ...period, mediaIds: [mediaId] } }),
  ).rejects.toMatchObject(off)
  const transactionId = await aSale(api.database, await aMachine(api.database, id))
  const transaction = await admin.getTransaction({ params: { merchantId: id, transactionId } })
  for (const field of ['mediaId', 'customerId', 'customerName', 'refundId'])
    expect(transaction).not.toHaveProperty(field)
})

test('a refund does not name a machine outside the reader’s groups', async () => {
  const groupId = await aGroup(api.database, merchantId)
  const limited = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  const mediaId = await aMedia(api.database, merchantId)
  const { id: refundId } = await staff.refundMediaAtMachine({
    params: { merchantId, mediaId },
    body: { id: randomUUID(), refund: order(), device: machine.id },
  })
  expect(await limited.getRefund({ params: { merchantId, refundId } })).toMatchObject({ posId: null, posName: null })
})

test('the ledger is sound after all of this', async () => {
  await aCredit(api.database, merchantId, await aMedia(api.database, merchantId), 100, 50)
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
})
