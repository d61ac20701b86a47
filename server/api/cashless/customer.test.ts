import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aCredit, aMedia, aRefund } from '#testkit/nouns/cashless.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const create = (body: { name: string } & Record<string, unknown>) =>
  admin.createCustomer({ params: { merchantId }, body })
const of = (customerId: string) => ({ params: { merchantId, customerId } })

test('a consent is dated when it is given and when it is withdrawn, and only then', async () => {
  const created = await create({ name: 'Consents', consentAnalysis: true })
  expect(created).toMatchObject({ consentAnalysis: true, consentQuality: false, consentQualityAt: null })
  const fields = { name: 'Consents again', email: null, phone: null, language: null, externalUserId: null }
  const changed = await admin.updateCustomer({
    ...of(created.id),
    body: { ...fields, consentAnalysis: true, consentCommunications: false, consentQuality: true, version: 1 },
  })
  expect(changed.consentAnalysisAt).toBe(created.consentAnalysisAt)
  expect(changed.consentQualityAt).not.toBeNull()
  const withdrawn = await admin.updateCustomer({
    ...of(created.id),
    body: { ...fields, consentAnalysis: false, consentCommunications: false, consentQuality: true, version: 2 },
  })
  expect(withdrawn.consentAnalysis).toBe(false)
  expect(String(withdrawn.consentAnalysisAt) > String(created.consentAnalysisAt)).toBe(true)
})

test('the figures are those of the last 30 days, and a failed vend is no sale', async () => {
  const { id } = await create({ name: 'Figures' })
  const machine = await aMachine(api.database, merchantId)
  const mediaId = await aMedia(api.database, merchantId, { serial: 'FIG1', customer_id: id, last_used_at: new Date() })
  await aCredit(api.database, merchantId, mediaId, 500, 200)
  const sold = (with_: object) => aSale(api.database, machine, { media_serial: 'FIG1', media_type: 2, ...with_ })
  await sold({ value: 150 })
  await sold({ value: 999, error_sale: true })
  await sold({ value: 777, created_at: new Date(Date.now() - 31 * 86_400_000) })
  await sold({ type: 4, value: 300 })
  expect(await admin.getCustomer(of(id))).toMatchObject({
    medias: 1,
    activeBonus: 200,
    credit30Days: 700,
    recharges30Days: 300,
    sales30Days: 150,
  })
})

test('merchant users see no customers', async () => {
  const { id } = await create({ name: 'Unseen' })
  const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  await expect(user.listCustomers({ params: { merchantId }, query: {} })).rejects.toMatchObject({ code: 'Forbidden' })
  await expect(user.getCustomer(of(id))).rejects.toMatchObject({ code: 'Forbidden' })
})

test('a person’s data is given out whole, and erased without touching the money', async () => {
  const person = { name: 'Carla Bianchi', email: 'carla.bianchi@example.com', phone: '+390612345678' }
  const { id } = await create(person)
  const machine = await aMachine(api.database, merchantId)
  const mediaId = await aMedia(api.database, merchantId, { serial: 'CARLA1', customer_id: id })
  await aCredit(api.database, merchantId, mediaId, 400)
  await aRefund(api.database, merchantId, mediaId, { amount: 250, reason: 'Stuck' })
  await aSale(api.database, machine, { media_serial: 'CARLA1', media_type: 2 })
  await api.database.admin(
    `insert into customer_cards (merchant_id, id, customer_id, type, last_four, expiry_month, expiry_year, is_saved, provider_token, created_at)
     values ($1, gen_random_uuid(), $2, 'Visa', '4242', 12, 2030, true, 'tok_secret', now())`,
    [merchantId, id],
  )
  expect((await admin.getCustomer(of(id))).cards).toEqual([
    { type: 'Visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2030, isSaved: true, lastUsedAt: null },
  ])
  const answer = JSON.stringify(await admin.getCustomerData(of(id)))
  for (const text of ['Carla Bianchi', 'carla.bianchi@example.com', 'CARLA1', '4242', 'Stuck', 'Espresso'])
    expect(answer).toContain(text)
  expect(answer).not.toContain('tok_secret')

  await admin.deleteCustomer(of(id))
  await expect(admin.getCustomer(of(id))).rejects.toMatchObject({ code: 'CustomerNotFound' })
  expect(await admin.getMedia({ params: { merchantId, mediaId } })).toMatchObject({
    cloudCredit: 400,
    customerId: null,
  })
  expect((await admin.listMediaRefunds({ params: { merchantId, mediaId }, query: {} })).items).toHaveLength(1)
  // Nothing in the tenant's tables names the person, the change log included.
  const rows = await api.database.admin<{ found: number }>(
    `select (select count(*) from customers c where c::text ilike any($1)) + (select count(*) from customer_cards)
       + (select count(*) from change_log l where l::text ilike any($1)) + (select count(*) from medias m where m::text ilike any($1))
       + (select count(*) from ledger_operations o where o::text ilike any($1)) as found`,
    [['%carla bianchi%', '%carla.bianchi%', '%0612345678%']],
  )
  expect(Number(rows[0]?.found)).toBe(0)
})
