import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { purgeCustomerSessions } from '#database/key-portal/customer-account.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMerchant, aUser, type TestMerchant } from '#testkit/fixtures.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aSignedInCustomer, signedBy } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const anEmail = () => `${randomUUID().slice(0, 13)}@customer.test`

async function aPlace(with_: Record<string, unknown> = {}): Promise<TestMerchant & { slug: string }> {
  const merchant = await aMerchant(api.database, with_)
  return { ...merchant, slug: await aPortal(api.database, merchant.id) }
}

const mailsTo = (email: string) =>
  api.database.admin<{ subject: string; text: string }>(
    'select subject, body_text as text from mailbox where recipient = $1 order by at',
    [email],
  )
const tokenIn = ({ text }: { text: string }) => /#token=([\w-]+)/.exec(text)?.[1] ?? ''

async function linkFor(slug: string, email: string, body: object = {}): Promise<string> {
  const before = (await mailsTo(email)).length
  const response = await api.send('requestSignInLink', {
    params: { portalSlug: slug },
    body: { email, language: 'de', ...body },
  })
  expect(response.statusCode).toBe(204)
  await vi.waitFor(async () => expect((await mailsTo(email)).length).toBe(before + 1))
  return tokenIn((await mailsTo(email)).at(-1) as { text: string })
}

interface Signed {
  token: string
  cookie: string
  isNew: boolean
}
function signedFrom(answer: Awaited<ReturnType<TestApi['send']>>): Signed {
  expect(answer.statusCode, answer.payload).toBe(200)
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { token: answer.json().accessToken, cookie, isNew: answer.json().isNew }
}
const byLink = async (portalSlug: string, token: string) =>
  api.send('signInByLink', { params: { portalSlug }, body: { token } })
const renew = (portalSlug: string, cookie: string, headers: Record<string, string> = {}) =>
  api.send('renewCustomerSession', { params: { portalSlug }, headers: { cookie, ...headers } })
const as = async (name: EndpointName, token: string, input: object = {}) =>
  api.send(name, { ...input, headers: signedBy({ token }) })

test('a mailed link signs up once, in the reader’s language and the merchant’s name, and the next one signs in', async () => {
  const { slug, id } = await aPlace()
  const email = anEmail()
  const token = await linkFor(slug, email, { name: 'Rosa Neri' })
  expect((await mailsTo(email))[0]).toMatchObject({ subject: 'Anmeldung bei Test portal' })
  const first = signedFrom(await byLink(slug, token))
  expect(first.isNew).toBe(true)
  expect((await byLink(slug, token)).json()).toMatchObject({ code: 'SignInLinkEnded', status: 410 })
  expect((await as('getOwnProfile', first.token)).json()).toMatchObject({
    email,
    name: 'Rosa Neri',
    language: 'de',
    merchantId: id,
    hasPassword: false,
    consentQuality: false,
  })
  const again = signedFrom(await byLink(slug, await linkFor(slug, email.toUpperCase())))
  expect(again.isNew).toBe(false)
  expect((await as('getOwnProfile', again.token)).json().id).toBe((await as('getOwnProfile', first.token)).json().id)
})

test('of two uses of a link at one moment one signs in, and links end after half an hour', async () => {
  const { slug } = await aPlace()
  const email = anEmail()
  const token = await linkFor(slug, email)
  const statuses = (await Promise.all([byLink(slug, token), byLink(slug, token)])).map(({ statusCode }) => statusCode)
  expect(statuses.sort()).toEqual([200, 410])
  const late = await linkFor(slug, email)
  await api.database.admin(`update customer_links set expires_at = now() where email = $1`, [email])
  expect((await byLink(slug, late)).statusCode).toBe(410)
})

test('a known and an unknown address get the same answer and the same mail, and after five links an hour none', async () => {
  const { slug, id } = await aPlace()
  const customer = await aSignedInCustomer(api, id)
  const stranger = anEmail()
  const texts = []
  for (const email of [customer.email, stranger]) {
    await linkFor(slug, email)
    texts.push((await mailsTo(email)).map(({ subject, text }) => [subject, text.replace(/#token=[\w-]+/g, '')]))
  }
  expect(texts[0]).toEqual(texts[1])
  for (let time = 0; time < 4; time++) await linkFor(slug, stranger)
  const request = { params: { portalSlug: slug }, body: { email: stranger, language: 'de' } }
  expect((await api.send('requestSignInLink', request)).statusCode).toBe(204)
  expect((await mailsTo(stranger)).length).toBe(5)
})

test('a customer whom staff registered with this address gets their own record and media', async () => {
  const { slug, id } = await aPlace()
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  const email = anEmail()
  const customer = await api.as(admin).createCustomer({ params: { merchantId: id }, body: { name: 'Known', email } })
  const mediaId = await aMedia(api.database, id, { customer_id: customer.id })
  await aCredit(api.database, id, mediaId, 250, 50)
  const { token } = signedFrom(await byLink(slug, await linkFor(slug, email, { name: 'Other' })))
  expect((await as('getOwnProfile', token)).json()).toMatchObject({ id: customer.id, name: 'Known' })
  expect((await as('listOwnMedias', token)).json().items).toMatchObject([
    { id: mediaId, credit: 300, cloudCredit: 250, bonusCredit: 50, keyCredit: null, currency: 'EUR' },
  ])
  const shownCustomer = await api.as(admin).getCustomer({ params: { merchantId: id, customerId: customer.id } })
  expect(shownCustomer.account).toMatchObject({ email, lastSignInAt: expect.any(String) })
})

test('a password signs in; wrong ones are slowed, and all refusals are alike', async () => {
  const { slug, id } = await aPlace()
  const password = 'Coffee-at-9'
  const { email } = await aSignedInCustomer(api, id, { password })
  const sign = (who: string, what: string) =>
    api.send('signInByPassword', { params: { portalSlug: slug }, body: { email: who, password: what } })
  signedFrom(await sign(email.toUpperCase(), password))
  const noPassword = await aSignedInCustomer(api, id)
  const answers = await Promise.all([
    sign(email, 'Wrong-12'),
    sign(anEmail(), password),
    sign(noPassword.email, password),
  ])
  expect(answers.map((answer) => answer.json().code)).toEqual(['SignInRefused', 'SignInRefused', 'SignInRefused'])
  for (let time = 0; time < 6; time++) await sign(email, 'Wrong-12')
  expect((await sign(email, 'Wrong-12')).statusCode).toBe(429)
  // The same address at another merchant is another account.
  const other = await aPlace()
  const there = { params: { portalSlug: other.slug }, body: { email, password } }
  expect((await api.send('signInByPassword', there)).json()).toMatchObject({ code: 'SignInRefused' })
})

test('a password is set without the current one only soon after a sign-in by link, and ends other sessions', async () => {
  const { slug, id } = await aPlace()
  const { token, cookie } = signedFrom(await byLink(slug, await linkFor(slug, anEmail())))
  const { email } = (await as('getOwnProfile', token)).json()
  const elsewhere = signedFrom(await byLink(slug, await linkFor(slug, email)))
  const set = (who: string, body: object) => as('setOwnPassword', who, { body })
  expect((await set(token, { next: 'weak' })).json()).toMatchObject({ code: 'ValidationFailed' })
  expect((await set(token, { next: 'First-pass-1' })).statusCode).toBe(204)
  expect((await as('getOwnProfile', elsewhere.token)).statusCode).toBe(401)
  expect((await renew(slug, elsewhere.cookie)).statusCode).toBe(401)
  expect((await renew(slug, cookie)).statusCode).toBe(200)
  await api.database.admin(
    `update customer_sessions set created_at = now() - interval '31 minutes' where merchant_id = $1`,
    [id],
  )
  expect((await set(token, { next: 'Second-pass-1' })).json()).toMatchObject({ code: 'PasswordWrong' })
  expect((await set(token, { current: 'First-pass-1', next: 'Second-pass-1' })).statusCode).toBe(204)
})

test('the refresh cookie is bound to its portal and replaced at each use; a stolen one ends the session', async () => {
  const { slug } = await aPlace()
  const answer = await byLink(slug, await linkFor(slug, anEmail()))
  const set = String(answer.headers['set-cookie'])
  expect(set).toMatch(new RegExp(`Path=/api/v1/customer/session/${slug}; Max-Age=\\d+; HttpOnly; SameSite=Lax`))
  const { cookie, token } = signedFrom(answer)
  const next = signedFrom(await renew(slug, cookie))
  // Another tab at the same moment.
  const tab = await renew(slug, cookie)
  expect(tab.statusCode).toBe(200)
  expect(tab.headers['set-cookie']).toBeUndefined()
  const third = signedFrom(await renew(slug, next.cookie))
  // The first one was replaced twice: somebody else has it.
  expect((await renew(slug, cookie)).statusCode).toBe(401)
  expect((await renew(slug, third.cookie)).statusCode).toBe(401)
  expect((await as('getOwnProfile', token)).statusCode).toBe(401)
})

test('a new sign-in ends the earlier session of its browser, and no other', async () => {
  const { slug } = await aPlace()
  const email = anEmail()
  const here = signedFrom(await byLink(slug, await linkFor(slug, email)))
  const elsewhere = signedFrom(await byLink(slug, await linkFor(slug, email)))
  const token = await linkFor(slug, email)
  const headers = { cookie: here.cookie }
  const again = signedFrom(await api.send('signInByLink', { params: { portalSlug: slug }, body: { token }, headers }))
  expect((await as('getOwnProfile', here.token)).statusCode).toBe(401)
  expect((await renew(slug, here.cookie)).statusCode).toBe(401)
  for (const { token: open } of [again, elsewhere]) expect((await as('getOwnProfile', open)).statusCode).toBe(200)
})

test('another site renews, starts and ends nothing, and signing out ends the session', async () => {
  const { slug } = await aPlace()
  const { cookie, token } = signedFrom(await byLink(slug, await linkFor(slug, anEmail())))
  const foreign = { 'sec-fetch-site': 'cross-site' }
  expect((await renew(slug, cookie, foreign)).statusCode).toBe(403)
  const end = (headers: object) =>
    api.send('endCustomerSession', { params: { portalSlug: slug }, headers: { cookie, ...headers } })
  expect((await end(foreign)).statusCode).toBe(403)
  expect((await end({})).statusCode).toBe(204)
  expect((await as('getOwnProfile', token)).statusCode).toBe(401)
  expect((await renew(slug, cookie)).statusCode).toBe(401)
})

test('tokens and cookies of users are none of customers, and the other way round', async () => {
  const { slug, id } = await aPlace()
  const customer = await aSignedInCustomer(api, id)
  const admin = await aUser(api.database, 'superAdmin', [])
  const headers = { authorization: `Bearer ${api.tokenOf(admin)}` }
  expect((await api.send('getOwnProfile', { headers: headers })).json()).toMatchObject({ code: 'Forbidden' })
  expect((await as('getMe', customer.token)).statusCode).toBe(401)
  const cookies = `gettone_session=${randomUUID()}; gettone_customer=${customer.sessionId}.${'x'.repeat(43)}`
  expect((await renew(slug, cookies)).statusCode).toBe(401)
  // A token that names the customer, but of another deployment's key.
  const [head = '', body = ''] = customer.token.split('.')
  expect((await as('getOwnProfile', `${head}.${body}.${'A'.repeat(86)}`)).statusCode).toBe(401)
})

test('a suspended or erased account is refused at its next request, also with a running token', async () => {
  const { slug, id } = await aPlace()
  const suspended = await aSignedInCustomer(api, id, { password: 'Coffee-at-9' })
  await api.database.admin(`update customer_accounts set status = 'suspended' where customer_id = $1`, [
    suspended.customerId,
  ])
  expect((await as('getOwnProfile', suspended.token)).statusCode).toBe(401)
  const body = { email: suspended.email, password: 'Coffee-at-9' }
  expect((await api.send('signInByPassword', { params: { portalSlug: slug }, body })).statusCode).toBe(403)
  expect((await byLink(slug, await linkFor(slug, suspended.email))).statusCode).toBe(410)

  const erased = await aSignedInCustomer(api, id)
  const mediaId = await aMedia(api.database, id, { customer_id: erased.customerId })
  await aCredit(api.database, id, mediaId, 400)
  await linkFor(slug, erased.email)
  expect((await as('deleteOwnAccount', erased.token)).statusCode).toBe(204)
  expect((await as('getOwnProfile', erased.token)).statusCode).toBe(401)
  const left = await api.database.admin<{ rows: number }>(
    `select (select count(*) from customers where id = $1)::int + (select count(*) from customer_accounts where customer_id = $1)::int
       + (select count(*) from customer_links where email = $2)::int + (select count(*) from medias where customer_id = $1)::int as rows`,
    [erased.customerId, erased.email],
  )
  expect(left).toEqual([{ rows: 0 }])
  const [account] = await api.database.admin<{ balance: number }>(
    `select balance::int from ledger_accounts where owner_id = $1 and kind = 'credit'`,
    [mediaId],
  )
  expect(account).toEqual({ balance: 400 })
})

test('consents are dated when they change, and logged without the customer’s name', async () => {
  const { id } = await aPlace()
  const { token, customerId } = await aSignedInCustomer(api, id)
  const put = async (body: object) => (await as('updateOwnProfile', token, { body })).json()
  const updated = await put({ consentAnalysis: true, name: 'Nino' })
  expect(updated).toMatchObject({
    name: 'Nino',
    consentAnalysis: true,
    consentAnalysisAt: expect.any(String),
    consentQualityAt: null,
  })
  expect(await put({ consentAnalysis: true, language: 'fr' })).toMatchObject({
    language: 'fr',
    consentAnalysisAt: updated.consentAnalysisAt,
  })
  expect(await put({ consentAnalysis: false })).toMatchObject({
    consentAnalysis: false,
    consentAnalysisAt: expect.any(String),
  })
  const logged = await api.database.admin<{ action: string; user_name: string; before: object }>(
    `select action, user_name, before from change_log where merchant_id = $1 and subject_id = $2 order by id`,
    [id, customerId],
  )
  expect(logged.map(({ action }) => action)).toEqual(['customer.update', 'customer.update'])
  expect(JSON.stringify(logged)).not.toContain('Nino')
})

test('a portal that is not published, or whose merchant has no media, has no accounts', async () => {
  const { slug } = await aPlace({ features: [] })
  const body = { email: anEmail(), language: 'it' }
  for (const portalSlug of [slug, 'nowhere-at-all'])
    expect((await api.send('requestSignInLink', { params: { portalSlug }, body })).json()).toMatchObject({
      code: 'PortalNotFound',
    })
})

test('links and sessions that have ended are deleted', async () => {
  const expiries = () =>
    api.database.admin('select expires_at from customer_sessions union all select expires_at from customer_links')
  expect((await expiries()).length).toBeGreaterThan(0)
  await purgeCustomerSessions(api.database, new Date(Date.now() + 400 * 86_400_000))
  expect(await expiries()).toEqual([])
})
