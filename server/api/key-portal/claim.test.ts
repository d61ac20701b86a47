import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { createClaim, type NewClaim } from '#database/key-portal/claim.ts'
import type { Message } from '#server/mail/mail.ts'
import { mailClaims } from '#server/worker/watch.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { aMedia } from '#testkit/nouns/cashless.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

let api: TestApi
let merchantId: string
let machine: TestMachine
let groupId: string
let staff: TestClient
let other: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_settings set maximum_refund = 1000 where merchant_id = $1', [merchantId])
  groupId = await aGroup(api.database, merchantId)
  machine = await aMachine(api.database, merchantId, { groupId })
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  other = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const happenedAt = new Date(Date.now() - 3_600_000)

/** A claim of a customer with a key, as the customer's app sends it. */
async function aReport(with_: Partial<NewClaim> = {}, email: string | null = null) {
  const customer = await other.createCustomer({
    params: { merchantId },
    body: { name: 'Anna Rossi', email, language: 'it' },
  })
  const serial = `V${randomUUID().slice(0, 8).toUpperCase()}`
  const mediaId = await aMedia(api.database, merchantId, { serial, customer_id: customer.id })
  const report: NewClaim = {
    merchantId,
    id: randomUUID(),
    customerId: customer.id,
    machineId: machine.id,
    selection: '12',
    amount: 150,
    currency: 'EUR',
    paidBy: 'media',
    mediaId,
    text: 'It kept my money',
    happenedAt,
    ...with_,
  }
  const store = () => api.database.withTenant(wholeMerchant(merchantId), (db) => createClaim(db, report, new Date()))
  const { claim } = await store()
  return { claimId: claim.id, number: claim.number, mediaId, serial, customerId: customer.id, store, report }
}
const params = (claimId: string) => ({ merchantId, claimId })
const creditOf = async (mediaId: string) => (await staff.getMedia({ params: { merchantId, mediaId } })).cloudCredit
/** Without a sale, unless one is named. */
const body = (mediaId: string, more: { transactionId?: string; amount?: number; currency?: string } = {}) => ({
  amount: 150,
  mediaId,
  ...(more.transactionId === undefined && { isWithoutSale: true as const }),
  currency: 'EUR' as const,
  ...(more as object),
})

test('claims are numbered in their order, and the same claim sent again is stored once', async () => {
  const first = await aReport()
  const repeated = await Promise.all([first.store(), first.store()])
  expect(repeated.map(({ isNew, claim }) => [isNew, claim.number])).toEqual([
    [false, first.number],
    [false, first.number],
  ])
  const many = await Promise.all(Array.from({ length: 6 }, () => aReport()))
  const numbers = many.map(({ number }) => number).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 6 }, (_, index) => first.number + 1 + index))
  const { mediaId, claimId, customerId } = first
  await expect(
    api.database.withTenant(wholeMerchant(merchantId), (db) =>
      createClaim(db, { ...first.report, id: claimId, mediaId, customerId: randomUUID() }, new Date()),
    ),
  ).rejects.toMatchObject({ code: 'ClaimIdTaken', facts: undefined })
  expect(customerId).toBeDefined()
})

test('two users who refund a claim at once refund it once', async () => {
  const { claimId, mediaId } = await aReport()
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      (index % 2 ? staff : other).refundClaim({ params: params(claimId), body: body(mediaId) }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
  expect(await creditOf(mediaId)).toBe(150)
  const { items } = await staff.listMediaRefunds({ params: { merchantId, mediaId }, query: {} })
  expect(items).toHaveLength(1)
  expect(await staff.getClaim({ params: params(claimId) })).toMatchObject({
    state: 'refunded',
    refundedAmount: 150,
    refundId: items[0]?.id,
  })
  expect(await ledgerFaults(api.database)).toEqual([])
})

test('a refund and a refusal at once have one effect', async () => {
  const { claimId, mediaId } = await aReport()
  const both = await Promise.allSettled([
    staff.refundClaim({ params: params(claimId), body: body(mediaId) }),
    other.answerClaim({ params: params(claimId), body: { state: 'refused', answer: 'No fault was found' } }),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { state } = await staff.getClaim({ params: params(claimId) })
  expect(await creditOf(mediaId)).toBe(state === 'refunded' ? 150 : 0)
  await expect(
    staff.refundClaim({ params: params(claimId), body: body(mediaId, { amount: 100 }) }),
  ).rejects.toMatchObject({ code: 'ClaimClosed' })
})

test('a claim is refunded below the maximum, in the merchant’s currency, to a medium of its customer', async () => {
  const { claimId, mediaId } = await aReport()
  const foreign = await aMedia(api.database, merchantId)
  const refused = (more: { amount?: number; currency?: string; mediaId?: string }) =>
    staff.refundClaim({ params: params(claimId), body: body(mediaId, more) })
  await expect(refused({ amount: 1000 })).rejects.toMatchObject({ code: 'ValidationFailed' })
  await expect(refused({ currency: 'USD' })).rejects.toMatchObject({ code: 'RefundCurrencyDiffers' })
  await expect(refused({ mediaId: foreign })).rejects.toMatchObject({ code: 'MediaNotFound' })
  await api.database.admin('update medias set status = 1 where id = $1', [mediaId])
  await expect(refused({})).rejects.toMatchObject({ code: 'MediaBlocked' })
  expect(await staff.getClaim({ params: params(claimId) })).toMatchObject({ state: 'open', refundId: null })
  expect(await creditOf(mediaId)).toBe(0)
})

test('a failed vend is paid back once, by a refund or by one claim', async () => {
  const { claimId, mediaId, serial } = await aReport()
  const sale = { media_type: 2, media_serial: serial, error_sale: true, created_at: happenedAt }
  const transactionId = await aSale(api.database, machine, sale)
  await staff.refundClaim({ params: params(claimId), body: body(mediaId, { transactionId }) })
  await expect(
    staff.refundMedia({
      params: { merchantId, mediaId },
      body: { id: randomUUID(), refund: { amount: 150, currency: 'EUR', reason: 'Again' }, transactionId },
    }),
  ).rejects.toMatchObject({ code: 'TransactionRefunded' })
  // A sale in cash: two claims name it.
  const cash = await aSale(api.database, machine, { error_sale: true, created_at: happenedAt })
  const one = await aReport({ paidBy: 'cash' })
  const two = await aReport({ paidBy: 'cash' })
  const raced = await Promise.allSettled(
    [one, two].map((report) =>
      staff.refundClaim({ params: params(report.claimId), body: body(report.mediaId, { transactionId: cash }) }),
    ),
  )
  expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [first] = [one, two].filter((_, index) => raced[index]?.status === 'fulfilled')
  const third = await aReport({ paidBy: 'cash' })
  await expect(
    staff.refundClaim({ params: params(third.claimId), body: body(third.mediaId, { transactionId: cash }) }),
  ).rejects.toMatchObject({ code: 'SaleOfOtherClaim', facts: { number: first?.number } })
  expect((await creditOf(one.mediaId)) + (await creditOf(two.mediaId))).toBe(150)
  // A sale of another machine, and a sale of another medium.
  const elsewhere = await aSale(api.database, await aMachine(api.database, merchantId, { groupId }))
  const another = await aSale(api.database, machine, { media_type: 2, media_serial: 'K-OTHER' })
  const open = await aReport()
  const withSale = (id: string) =>
    staff.refundClaim({ params: params(open.claimId), body: body(open.mediaId, { transactionId: id }) })
  await expect(withSale(elsewhere)).rejects.toMatchObject({ code: 'TransactionNotFound' })
  await expect(withSale(another)).rejects.toMatchObject({ code: 'TransactionNotRefundable' })
})

test('a claim pays at most what its sale cost, however high the claimed amount is, and names its sale', async () => {
  const claim = await aReport({ paidBy: 'cash', amount: 9_999 })
  const sale = await aSale(api.database, machine, { value: 70, error_sale: true, created_at: happenedAt })
  const paid = (amount: number) =>
    other.refundClaim({
      params: params(claim.claimId),
      body: body(claim.mediaId, { transactionId: sale, amount }),
    })
  await expect(paid(999)).rejects.toMatchObject({ code: 'RefundAboveSale', facts: { refundable: '€\u00A00,70' } })
  await expect(paid(71)).rejects.toMatchObject({ code: 'RefundAboveSale' })
  expect(await paid(70)).toMatchObject({ state: 'refunded', refundedAmount: 70, transactionId: sale })
  expect(await creditOf(claim.mediaId)).toBe(70)
  const { items } = await staff.listMediaRefunds({ params: { merchantId, mediaId: claim.mediaId }, query: {} })
  expect(items).toEqual([expect.objectContaining({ amount: 70, transactionId: sale, posId: machine.id })])
  expect(await staff.getTransaction({ params: { merchantId, transactionId: sale } })).toMatchObject({
    refundable: 0,
    refundId: items[0]?.id,
  })
})

test('without a sale, a user says so, and the change log keeps it', async () => {
  const { claimId, mediaId } = await aReport()
  const bare = { amount: 150, currency: 'EUR' as const, mediaId }
  await expect(other.refundClaim({ params: params(claimId), body: bare })).rejects.toMatchObject({
    code: 'ValidationFailed',
  })
  await other.refundClaim({ params: params(claimId), body: { ...bare, isWithoutSale: true } })
  const changes = await api.database.admin<{ after: object }>(
    `select after from change_log where merchant_id = $1 and subject_id = $2 and action = 'claim.refund'`,
    [merchantId, claimId],
  )
  expect(changes[0]?.after).toMatchObject({ isWithoutSale: true, amount: 150 })
})

test('a claim shows the machine’s own log within five minutes', async () => {
  const lone = await aMachine(api.database, merchantId, { groupId })
  const { claimId, serial } = await aReport({ machineId: lone.id })
  const minutes = (count: number) => new Date(happenedAt.getTime() + count * 60_000)
  const inside = await aSale(api.database, lone, {
    media_type: 2,
    media_serial: serial,
    error_sale: true,
    created_at: minutes(4.9),
  })
  await aSale(api.database, lone, { created_at: minutes(5.1) })
  await aSale(api.database, machine, { created_at: minutes(0) })
  const alarm = await anAlarm(api.database, lone, { code: 'ENE', created_at: minutes(-3) })
  const { log, medias } = await staff.getClaim({ params: params(claimId) })
  expect(log.map(({ kind, id }) => `${kind} ${id}`)).toEqual([`alarm ${alarm}`, `transaction ${inside}`])
  expect(log[1]).toMatchObject({ isFailed: true, mediaSerial: serial, isRefunded: false })
  expect(medias.map((one) => one.serial)).toEqual([serial])
})

test('users see claims at machines of their groups only, and customers only with their permission', async () => {
  const otherGroup = await aGroup(api.database, merchantId)
  const hidden = await aReport({ machineId: (await aMachine(api.database, merchantId, { groupId: otherGroup })).id })
  const report = await aReport()
  const limited = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  const { items } = await limited.listClaims({ params: { merchantId }, query: { size: 500 } })
  expect(items.map(({ id }) => id)).toContain(report.claimId)
  expect(items.map(({ id }) => id)).not.toContain(hidden.claimId)
  expect(items.every(({ customerId, customerName }) => customerId === null && customerName === null)).toBe(true)
  await expect(limited.getClaim({ params: params(hidden.claimId) })).rejects.toMatchObject({ code: 'ClaimNotFound' })
  await expect(
    limited.answerClaim({ params: params(hidden.claimId), body: { state: 'refused', answer: 'No' } }),
  ).rejects.toMatchObject({ code: 'ClaimNotFound' })
  expect(await other.getClaim({ params: params(report.claimId) })).toMatchObject({ customerName: 'Anna Rossi' })
})

test('the list is filtered by state, machine, payment and words', async () => {
  const lone = await aMachine(api.database, merchantId, { groupId })
  const report = { machineId: lone.id, text: 'Schoko riegel steckt fest' } as const
  const open = await aReport(report)
  const closed = await aReport({ ...report, paidBy: 'cash' })
  await staff.answerClaim({ params: params(closed.claimId), body: { state: 'answered', answer: 'It was found' } })
  const claimIds = async (query: object) =>
    (await staff.listClaims({ params: { merchantId }, query: { posIds: [lone.id], ...query } })).items.map(
      ({ id }) => id,
    )
  expect(await claimIds({})).toEqual([closed.claimId, open.claimId])
  expect(await claimIds({ states: ['open'] })).toEqual([open.claimId])
  expect(await claimIds({ paidBy: ['cash'] })).toEqual([closed.claimId])
  expect(await claimIds({ search: 'riegel' })).toHaveLength(2)
  expect(await claimIds({ search: 'nothing like it' })).toEqual([])
})

test('the customer gets one mail with the answer, and none without an address', async () => {
  const sent: Message[] = []
  let isAway = true
  const mail = {
    send: async (message: Message) => {
      if (isAway) throw new Error('The mail server is away')
      sent.push(message)
    },
  }
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const send = (when: Date) =>
    mailClaims({ doors: api.database, mail, config: { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.test' } }, when)
  const slug = await aPortal(api.database, merchantId)
  const silent = await aReport()
  const mailed = await aReport({}, `anna.${randomUUID()}@example.com`)
  for (const { claimId } of [silent, mailed])
    await staff.answerClaim({
      params: params(claimId),
      body: { state: 'answered', answer: 'Il resto è in portineria' },
    })
  await send(at(0))
  isAway = false
  await send(at(0))
  expect(sent).toEqual([])
  await Promise.all([send(at(2)), send(at(2))])
  await send(at(3))
  expect(sent).toHaveLength(1)
  expect(sent[0]?.subject).toBe(`Risposta al tuo reclamo ${mailed.number}`)
  expect(sent[0]?.text).toContain('Il resto è in portineria')
  expect(sent[0]?.text).toContain(`https://portal.test/key/${slug}`)
})

test('the dashboard counts open claims and the median time to an answer, each in the user’s groups', async () => {
  const { id: ownMerchantId } = await aMerchant(api.database)
  const place = await aMachine(api.database, ownMerchantId)
  const customerId = randomUUID()
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (const minutes of [10, 30, 90])
    await api.database.withTenant(wholeMerchant(ownMerchantId), (db) =>
      createClaim(
        db,
        {
          merchantId: ownMerchantId,
          id: randomUUID(),
          customerId,
          machineId: place.id,
          selection: null,
          amount: 100,
          currency: 'EUR',
          paidBy: 'cash',
          mediaId: null,
          text: 'x',
          happenedAt: ago(200),
        },
        ago(minutes),
      ),
    )
  const { items } = await reader.listClaims({ params: { merchantId: ownMerchantId }, query: {} })
  for (const { id } of items.slice(0, 2))
    await reader.answerClaim({
      params: { merchantId: ownMerchantId, claimId: id },
      body: { state: 'refused', answer: 'No fault' },
    })
  const dashboard = await reader.getDashboard({ params: { merchantId: ownMerchantId } })
  expect(dashboard).toMatchObject({ openClaims: 1, answeredClaims: 2, claimAnswerMinutes: 20 })
  await api.database.admin(
    `update merchant_features set features = array_remove(features, 'customerMedia') where merchant_id = $1`,
    [ownMerchantId],
  )
  expect(await reader.getDashboard({ params: { merchantId: ownMerchantId } })).not.toHaveProperty('openClaims')
})

test('erasing a customer erases what they wrote, and keeps the claim', async () => {
  const { claimId, customerId } = await aReport()
  await other.deleteCustomer({ params: { merchantId, customerId } })
  expect(await other.getClaim({ params: params(claimId) })).toMatchObject({
    customerId: null,
    customerName: null,
    text: '–',
    amount: 150,
  })
})
