import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aBrowser, anIdentity, type Browser, origin, signIn, type TestIdentity } from '#testkit/identity.ts'
import { anAuthenticator } from '#testkit/second-factor/passkey.ts'
import {
  addApp,
  afterPassword,
  aSignIn,
  codeOf,
  confirm,
  passkeyIn,
  recoveryCodesIn,
  secretIn,
  securityPage,
  tokensAfter,
} from '#testkit/second-factor/second-factor.ts'

/* Roles that a merchant, or the deployment, does not let in without a second factor. */

async function aMerchantThatRequires(identity: TestIdentity, roles: readonly Role[], since = new Date(0)) {
  const { id } = await aMerchant(identity.database)
  await identity.database.admin(
    'update merchants set second_factor_roles = $2, second_factor_since = $3 where id = $1',
    [id, roles, since],
  )
  return id
}

async function aMember(identity: TestIdentity, merchantId: string, role: Role, allGroups = true) {
  const person = await identity.aUser({ role })
  await identity.database.admin('insert into user_merchants (user_id, merchant_id, all_groups) values ($1, $2, $3)', [
    person.id,
    merchantId,
    allGroups,
  ])
  return person
}

const isIn = async (browser: Browser) => {
  const { at } = await aSignIn(browser, { prompt: 'none' })
  return new URL(at).searchParams.has('code')
}

test('a user whose role needs a second factor sets one up before getting in', async () => {
  const identity = await anIdentity()
  const person = await aMember(identity, await aMerchantThatRequires(identity, ['merchantAdmin']), 'merchantAdmin')
  const browser = aBrowser(identity.app)
  const step = await afterPassword(browser, person)
  expect(step.page).toMatch(/\/set-up$/)
  expect(step.body).toContain('Your administrator requires a second step')
  expect(await isIn(browser)).toBe(false)

  const secret = secretIn((await browser.get(`${step.page}/app`)).body)
  expect((await browser.post(`${step.page}/app`, { code: '000000', name: 'Phone' })).status).toBe(422)
  expect(await isIn(browser)).toBe(false)
  const codes = await browser.post(`${step.page}/app`, { code: codeOf(secret), name: 'Phone' })
  expect(recoveryCodesIn(codes.body)).toHaveLength(10)
  // The codes are read first: the sign-in ends with the button below them, once.
  const tokens = await tokensAfter(browser, await browser.post(`${step.page}/done`, {}), step.verifier)
  expect(decodeJwt(tokens?.access_token ?? '')).toMatchObject({ sub: person.subject, amr: ['pwd', 'otp', 'mfa'] })
  expect(await isIn(browser)).toBe(true)
  expect((await browser.post(`${step.page}/done`, {})).status).toBe(400)
  expect((await afterPassword(browser, person)).page).toMatch(/\/second$/)
})

test('a passkey can be set up instead', async () => {
  const identity = await anIdentity()
  const person = await aMember(identity, await aMerchantThatRequires(identity, ['merchantUser']), 'merchantUser')
  const browser = aBrowser(identity.app)
  const step = await afterPassword(browser, person)
  const options = passkeyIn((await browser.get(`${step.page}/passkey`)).body)
  const passkey = anAuthenticator(person.id, origin).make(options)
  const codes = await browser.post(`${step.page}/passkey`, { passkey, name: '' })
  expect(recoveryCodesIn(codes.body)).toHaveLength(10)
  const tokens = await tokensAfter(browser, await browser.post(`${step.page}/done`, {}), step.verifier)
  expect(decodeJwt(tokens?.access_token ?? '').amr).toEqual(['pwd', 'pop', 'mfa'])
})

test('setting up is for the browser that has sent the password, and its end cannot be skipped', async () => {
  const identity = await anIdentity()
  const person = await aMember(identity, await aMerchantThatRequires(identity, ['merchantAdmin']), 'merchantAdmin')
  const browser = aBrowser(identity.app)
  const step = await afterPassword(browser, person)
  const stranger = aBrowser(identity.app)
  for (const path of ['', '/app', '/passkey']) expect((await stranger.get(step.page + path)).status).toBe(400)
  const uid = step.at.split('/').at(-1)
  for (const answer of [
    await browser.post(`${step.page}/done`, {}),
    await browser.post(`${step.at}/second`, { code: '000000' }),
    await browser.get(`/identity/auth/${uid}`),
  ])
    expect(await tokensAfter(browser, answer, step.verifier)).toBeUndefined()
  expect(await isIn(browser)).toBe(false)
})

test.each([
  ['of another role', 'groupAdmin', true, false],
  ['of the role', 'merchantAdmin', true, true],
  ['of a role that some groups reduce to the required one', 'merchantAdmin', false, true],
] as const)('who needs one: a user %s', async (_, role, allGroups, needs) => {
  const identity = await anIdentity()
  const required = allGroups ? 'merchantAdmin' : 'groupAdmin'
  const person = await aMember(identity, await aMerchantThatRequires(identity, [required]), role, allGroups)
  const { page } = await afterPassword(aBrowser(identity.app), person)
  expect(/\/set-up$/.test(page)).toBe(needs)
})

test('a merchant’s rule is not for users of other merchants', async () => {
  const identity = await anIdentity()
  await aMerchantThatRequires(identity, ['merchantAdmin'])
  const { id } = await aMerchant(identity.database)
  await signIn(aBrowser(identity.app), await aMember(identity, id, 'merchantAdmin'))
})

test('a session from before the rule stays; one from after it without a second factor is not renewed', async () => {
  const identity = await anIdentity()
  const { id } = await aMerchant(identity.database)
  const person = await aMember(identity, id, 'merchantAdmin')
  const browser = aBrowser(identity.app)
  await signIn(browser, person)
  const require = (since: string) =>
    identity.database.admin(
      `update merchants set second_factor_roles = '{merchantAdmin}', second_factor_since = now() + $2::interval where id = $1`,
      [id, since],
    )
  await require('1 minute')
  expect(await isIn(browser)).toBe(true)
  // As for a user who was assigned to the merchant after signing in.
  await require('-1 hour')
  expect(await isIn(browser)).toBe(false)
})

test('the last factor of a user who needs one cannot be removed', async () => {
  const identity = await anIdentity()
  const { id } = await aMerchant(identity.database)
  const person = await aMember(identity, id, 'merchantAdmin')
  const browser = aBrowser(identity.app)
  await signIn(browser, person)
  await confirm(browser, { password: person.password })
  await addApp(browser)
  await identity.database.admin(`update merchants set second_factor_roles = '{merchantAdmin}' where id = $1`, [id])
  const [factor] = await identity.database.admin<{ id: string }>('select id from identity_factors')
  const answer = await browser.post(`${securityPage}/remove`, { id: factor?.id ?? '' })
  expect(answer.location).toBe(`${securityPage}?said=required`)
  expect((await browser.get(answer.location ?? '')).body).toContain('Add another one before you remove the last')
  expect(await identity.database.admin('select 1 from identity_factors')).toHaveLength(1)
})

test('super admins need one where the deployment says so', async () => {
  const identity = await anIdentity(undefined, undefined, { isForSuperAdmins: true })
  const person = await identity.aUser({ role: 'superAdmin' })
  expect((await afterPassword(aBrowser(identity.app), person)).page).toMatch(/\/set-up$/)
  await signIn(aBrowser(identity.app), await identity.aUser({ role: 'merchantAdmin' }))
  // A session from before that setting is not renewed.
  const before = await anIdentity(identity.database)
  const browser = aBrowser(before.app)
  await signIn(browser, person)
  expect(await isIn(browser)).toBe(true)
  const after = aBrowser(identity.app)
  for (const [name, cookie] of browser.cookies) after.cookies.set(name, cookie)
  expect(await isIn(after)).toBe(false)
})
