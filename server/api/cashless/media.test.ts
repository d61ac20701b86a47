import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockListAfter } from '#database/cashless/media.ts'
import { reserve } from '#database/cashless/reservation.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aCredit, aFinding, aMedia } from '#testkit/nouns/cashless.ts'

let api: TestApi
let merchantId: string
let machine: TestMachine
let staff: TestClient
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  machine = await aMachine(api.database, merchantId)
  staff = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (mediaId: string) => ({ params: { merchantId, mediaId } })
const changesOf = (version: number) =>
  api.database.withTenant(wholeMerchant(merchantId), (db) => blockListAfter(db, merchantId, version, 100))
const aCustomer = (name = 'Anna Rossi') => admin.createCustomer({ params: { merchantId }, body: { name } })

test('a registered serial has no spaces and is upper case; it is registered once, and the placeholder never', async () => {
  const media = await staff.createMedia({ params: { merchantId }, body: { serial: ' 04a1 b2c3 ' } })
  expect(media).toMatchObject({ serial: '04A1B2C3', type: 2, status: 0, originType: 'staff', cloudCredit: 0 })
  await expect(staff.createMedia({ params: { merchantId }, body: { serial: '04A1B2C3' } })).rejects.toMatchObject({
    code: 'MediaAlreadyExists',
  })
  await expect(staff.createMedia({ params: { merchantId }, body: { serial: 'ffffffff' } })).rejects.toMatchObject({
    code: 'ValidationFailed',
  })
  const { items } = await staff.listMedias({ params: { merchantId }, query: { search: '04a1 b2' } })
  expect(items.map(({ serial }) => serial)).toEqual(['04A1B2C3'])
  const validated = await staff.validateMedias({
    params: { merchantId },
    body: { mediaSerials: ['04a1b2c3', 'X1', 'FFFFFFFF'] },
  })
  expect(validated).toMatchObject([
    { mediaId: media.id, status: 0, isValid: true },
    { mediaSerial: 'X1', mediaId: null, isValid: false },
    { mediaSerial: null, mediaId: null, isValid: false },
  ])
})

test('blocking and unblocking each get a new version of the block list, and repeating them none', async () => {
  const mediaId = await aMedia(api.database, merchantId, { serial: 'BLOCKME' })
  expect(await staff.blockMedia(of(mediaId))).toMatchObject({ status: 1 })
  await staff.blockMedia(of(mediaId))
  const blocked = (await changesOf(0)).find(({ serial }) => serial === 'BLOCKME')
  expect(blocked).toMatchObject({ isBlocked: true })
  expect(await staff.unblockMedia(of(mediaId))).toMatchObject({ status: 0, blockedAt: null })
  expect(await changesOf(blocked?.version ?? 0)).toMatchObject([{ serial: 'BLOCKME', isBlocked: false }])
})

test('a lost key gives credit, bonus and owner to a newly registered medium, once, and stays blocked', async () => {
  const customer = await aCustomer('Lost Key')
  const lost = await aMedia(api.database, merchantId, { customer_id: customer.id, bonus_free_sales: 2 })
  await aCredit(api.database, merchantId, lost, 700, 300)
  const reservation = { id: randomUUIDv7(), mediaId: lost, posId: machine.id, amount: 100 }
  await api.database.withTenant(wholeMerchant(merchantId), (db) =>
    reserve(db, { merchantId, ...reservation, expiresAt: new Date(Date.now() + 60_000) }, new Date()),
  )
  const { id: replacementId } = await staff.createMedia({
    params: { merchantId },
    body: { serial: `N${randomUUID().slice(0, 8)}` },
  })
  const call = () => staff.lostMyKey({ ...of(lost), body: { MediaId: replacementId } })
  const answers = await Promise.all([call(), call(), call()])
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 2,
      cloudCredit: 0,
      bonusCredit: 0,
      reserved: 0,
      replacedById: replacementId,
    })
  expect(await admin.getMedia(of(replacementId))).toMatchObject({
    cloudCredit: 700,
    bonusCredit: 300,
    bonusFreeSales: 2,
    credit: 1000,
    customerId: customer.id,
    replacesId: lost,
    status: 0,
  })
  const { items } = await staff.listMediaOperations({ ...of(replacementId), query: {} })
  expect(items).toMatchObject([{ kind: 'lostKey', credit: 700, bonus: 300, balance: 1000 }])
  await expect(staff.unblockMedia(of(lost))).rejects.toMatchObject({ code: 'MediaLost' })
})

test('a lost key is refused to itself, to an unregistered, blocked, older, owned or foreign medium, and a second time', async () => {
  const older = await aMedia(api.database, merchantId, { registered_at: new Date('2020-01-01') })
  const lost = await aMedia(api.database, merchantId)
  const { id: foreignMerchant } = await aMerchant(api.database)
  const customer = await aCustomer('Another Owner')
  const refused = async (mediaId: string, code: string) =>
    expect(staff.lostMyKey({ ...of(lost), body: { MediaId: mediaId } })).rejects.toMatchObject({ code })
  await refused(lost, 'ValidationFailed')
  await refused(randomUUID(), 'MediaNotFound')
  await refused(await aMedia(api.database, foreignMerchant), 'MediaNotFound')
  await refused(older, 'ValidationFailed')
  await refused(await aMedia(api.database, merchantId, { status: 1 }), 'ValidationFailed')
  await refused(await aMedia(api.database, merchantId, { customer_id: customer.id }), 'ValidationFailed')
  await staff.lostMyKey({ ...of(lost), body: { MediaId: await aMedia(api.database, merchantId) } })
  await refused(await aMedia(api.database, merchantId), 'MediaLost')
})

test('merchant users see media without their customers; others may assign one', async () => {
  const customer = await aCustomer('Owner of a card')
  const mediaId = await aMedia(api.database, merchantId, { type: 3 })
  const assigned = await admin.setMediaCustomer({ ...of(mediaId), body: { customerId: customer.id } })
  expect(assigned).toMatchObject({ customerId: customer.id, customerName: 'Owner of a card' })
  expect(await staff.getMedia(of(mediaId))).toMatchObject({ customerId: null, customerName: null })
  await expect(staff.setMediaCustomer({ ...of(mediaId), body: { customerId: null } })).rejects.toMatchObject({
    code: 'Forbidden',
  })
})

test('a finding is closed once, by name', async () => {
  const mediaId = await aMedia(api.database, merchantId)
  const findingId = await aFinding(api.database, merchantId, mediaId)
  expect(await staff.getMedia(of(mediaId))).toMatchObject({ openFindings: 1 })
  const closed = await staff.closeMediaFinding({ params: { merchantId, mediaId, findingId } })
  expect(closed.closedAt).not.toBeNull()
  expect(await admin.closeMediaFinding({ params: { merchantId, mediaId, findingId } })).toEqual(closed)
  expect(await staff.listMedias({ params: { merchantId }, query: { hasFindings: 'true' } })).toMatchObject({
    items: [],
  })
})

test('transactions are filtered by medium and by customer, and name both', async () => {
  const customer = await aCustomer('Buyer')
  const mediaId = await aMedia(api.database, merchantId, { serial: 'BUYER1', customer_id: customer.id })
  await aMedia(api.database, merchantId, { serial: 'BUYER2' })
  const buyerSale = await aSale(api.database, machine, { media_serial: 'BUYER1', media_type: 2 })
  await aSale(api.database, machine, { media_serial: 'BUYER2', media_type: 2 })
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const period = { startDate: today, endDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }
  const list = (who: TestClient, query: object) =>
    who.listTransactions({ params: { merchantId }, query: { ...period, ...query } })
  for (const query of [{ mediaIds: [mediaId] }, { customerIds: [customer.id] }]) {
    const { items, total } = await list(admin, query)
    expect(total).toBe(1)
    expect(items).toMatchObject([{ id: buyerSale, mediaId, customerId: customer.id, customerName: 'Buyer' }])
  }
  expect((await list(staff, { mediaIds: [mediaId] })).items).toMatchObject([{ mediaId, customerName: null }])
})
