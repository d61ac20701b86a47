import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aBrowser, anIdentity, type Browser, origin, signIn, type TestIdentity } from '#testkit/identity.ts'
import { anAuthenticator } from '#testkit/second-factor/passkey.ts'
import {
  addApp,
  afterPassword,
  codeOf,
  confirm,
  passkeyIn,
  recoveryCodesIn,
  secretIn,
  securityPage,
} from '#testkit/second-factor/second-factor.ts'

/* Users manage their own second factors on the provider's pages, and attempts to manage another user's. */

async function aVisitor(identity: TestIdentity) {
  const person = await identity.aUser()
  const browser = aBrowser(identity.app)
  await signIn(browser, person)
  return { person, browser }
}

/** A visitor who has confirmed and has an app, whose present code may be used again. */
async function withApp(identity: TestIdentity) {
  const visitor = await aVisitor(identity)
  await confirm(visitor.browser, { password: visitor.person.password })
  const app = await addApp(visitor.browser)
  await forgetSteps(identity)
  return { ...visitor, ...app }
}

const forgetSteps = ({ database }: TestIdentity) => database.admin('update identity_factors set last_step = null')

const factorsOf = ({ database }: TestIdentity, userId: string) =>
  database.admin<{ id: string; name: string; kind: string }>(
    'select id, name, kind from identity_factors where user_id = $1 order by id',
    [userId],
  )

const idsIn = (body: string) => [...body.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id as string)

/** Every change, as a form of the page. */
const changes = (browser: Browser, id: string) => ({
  app: () => browser.post(`${securityPage}/app`, { code: '123456', name: 'x' }),
  passkey: () => browser.post(`${securityPage}/passkey`, { passkey: '{}', name: 'x' }),
  rename: () => browser.post(`${securityPage}/rename`, { id, name: 'Stolen' }),
  remove: () => browser.post(`${securityPage}/remove`, { id }),
  codes: () => browser.post(`${securityPage}/codes`, {}),
})

test('a user sets up an app, names it, and gets ten recovery codes that are shown once', async () => {
  const identity = await anIdentity()
  const { person, browser } = await aVisitor(identity)
  expect((await browser.get(securityPage)).body).toContain('Current password')
  expect((await confirm(browser, { password: person.password })).location).toBe(securityPage)
  expect((await browser.get(securityPage)).body).toContain('protects your account')
  const page = await browser.get(`${securityPage}/app`)
  expect(page.body).toContain('<svg')
  const secret = secretIn(page.body)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect((await browser.post(`${securityPage}/app`, { code: '000000', name: 'Phone' })).status).toBe(422)
  // A wrong code keeps the secret that was scanned.
  expect(secretIn((await browser.get(`${securityPage}/app`)).body)).toBe(secret)
  const { body } = await browser.post(`${securityPage}/app`, { code: codeOf(secret), name: '  My   phone ' })
  expect(recoveryCodesIn(body)).toHaveLength(10)
  const list = await browser.get(securityPage)
  expect(list.body).toContain('My phone')
  expect(list.body).toContain('10 codes are left')
  expect(recoveryCodesIn(list.body)).toEqual([])
  expect(await identity.mailTo(person.email)).toMatchObject({
    subject: 'A second step was added to your account',
    text: expect.stringContaining('My phone'),
  })
})

test('a second factor keeps the recovery codes; new ones replace them', async () => {
  const identity = await anIdentity()
  const { person, browser, codes } = await withApp(identity)
  const authenticator = anAuthenticator(person.id, origin)
  const { body } = await browser.get(`${securityPage}/passkey`)
  const made = await browser.post(`${securityPage}/passkey`, {
    passkey: authenticator.make(passkeyIn(body)),
    name: 'Laptop',
  })
  expect(made.location).toBe(`${securityPage}?said=added`)
  expect((await factorsOf(identity, person.id)).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'app Phone',
    'passkey Laptop',
  ])
  const renewed = recoveryCodesIn((await browser.post(`${securityPage}/codes`, {})).body)
  expect(renewed).toHaveLength(10)
  const other = aBrowser(identity.app)
  const { page } = await afterPassword(other, person)
  expect((await other.post(page, { code: codes[0] ?? '' })).status).toBe(401)
  expect((await other.post(page, { code: renewed[0] ?? '' })).status).toBe(303)
})

test('the answer that registers a passkey works once, and only for its own user and page', async () => {
  const identity = await anIdentity()
  const one = await withApp(identity)
  const two = await withApp(identity)
  const add = (browser: Browser, passkey: string) => browser.post(`${securityPage}/passkey`, { passkey, name: 'Key' })
  const options = passkeyIn((await one.browser.get(`${securityPage}/passkey`)).body)
  const answer = anAuthenticator(one.person.id, origin).make(options)
  expect((await add(two.browser, answer)).status).toBe(422)
  const foreign = anAuthenticator(one.person.id, 'https://evil.example.com')
  expect((await add(one.browser, foreign.make(options))).status).toBe(422)
  // That attempt has used the challenge up.
  expect((await add(one.browser, answer)).status).toBe(422)
  const fresh = anAuthenticator(one.person.id, origin)
  const again = fresh.make(passkeyIn((await one.browser.get(`${securityPage}/passkey`)).body))
  expect((await add(one.browser, again)).status).toBe(303)
  expect((await add(one.browser, again)).status).toBe(422)
  // The same authenticator is not registered twice, nor for another user.
  const copy = fresh.make(passkeyIn((await two.browser.get(`${securityPage}/passkey`)).body))
  expect((await add(two.browser, copy)).status).toBe(422)
})

test('nothing changes before the user has confirmed, nor for a browser without a session', async () => {
  const identity = await anIdentity()
  const { person, secret } = await withApp(identity)
  const [factor] = await factorsOf(identity, person.id)
  const unconfirmed = aBrowser(identity.app)
  const { page } = await afterPassword(unconfirmed, person)
  await unconfirmed.follow(await unconfirmed.post(page, { code: codeOf(secret) }))
  for (const change of Object.values(changes(unconfirmed, factor?.id ?? '')))
    expect((await change()).location).toBe(securityPage)
  expect((await unconfirmed.get(`${securityPage}/app`)).location).toBe(securityPage)
  expect((await unconfirmed.get(securityPage)).body).not.toContain('Phone')
  const stranger = aBrowser(identity.app)
  for (const change of Object.values(changes(stranger, factor?.id ?? ''))) expect((await change()).status).toBe(401)
  expect(await factorsOf(identity, person.id)).toEqual([factor])
})

test('who has a factor confirms with a factor: the password alone does not do', async () => {
  const identity = await anIdentity()
  const { person, browser, secret, codes } = await withApp(identity)
  const again = async () => {
    await identity.database.admin(`delete from identity_state where model = 'Confirmed'`)
    await forgetSteps(identity)
  }
  await again()
  expect((await confirm(browser, { password: person.password })).status).toBe(401)
  expect((await browser.get(securityPage)).body).toContain('Code from your authenticator app')
  expect((await confirm(browser, { code: codeOf(secret) })).status).toBe(303)
  await again()
  expect((await confirm(browser, { code: codes[3] ?? '' })).status).toBe(303)
  await again()
  expect((await confirm(browser, { code: codes[3] ?? '' })).status).toBe(401)
})

test('a wrong password does not confirm, and is slowed like a sign-in', async () => {
  const identity = await anIdentity()
  const { browser } = await aVisitor(identity)
  for (let tries = 0; tries < 6; tries += 1)
    expect((await confirm(browser, { password: 'Wrong-password-1' })).status).toBe(401)
  await identity.database.admin(`update identity_attempts set blocked_until = blocked_until + interval '1 minute'`)
  expect((await confirm(browser, { password: 'Wrong-password-1' })).status).toBe(429)
})

test('a confirmation is for one session of one user, and ends after ten minutes', async () => {
  const identity = await anIdentity()
  const { person, browser, secret } = await withApp(identity)
  const other = aBrowser(identity.app)
  const { page } = await afterPassword(other, person)
  await other.follow(await other.post(page, { code: codeOf(secret) }))
  expect((await other.get(securityPage)).body).not.toContain('Phone')
  expect((await browser.get(securityPage)).body).toContain('Phone')
  await identity.database.admin(
    `update identity_state set expires_at = expires_at - interval '10 minutes' where model = 'Confirmed'`,
  )
  expect((await browser.get(securityPage)).body).not.toContain('Phone')
})

test('a user neither sees, renames nor removes another user’s factor', async () => {
  const identity = await anIdentity()
  const victim = await withApp(identity)
  const attacker = await withApp(identity)
  const [factor] = await factorsOf(identity, victim.person.id)
  for (const id of [factor?.id ?? '', randomUUID(), 'no-id', '']) {
    await changes(attacker.browser, id).rename()
    await changes(attacker.browser, id).remove()
  }
  expect(await factorsOf(identity, victim.person.id)).toEqual([factor])
  expect(await factorsOf(identity, attacker.person.id)).toHaveLength(1)
  expect(idsIn((await attacker.browser.get(securityPage)).body)).not.toContain(factor?.id)
})

test('a removed factor ends, its owner is notified, and the last one takes the recovery codes with it', async () => {
  const identity = await anIdentity()
  const { person, browser } = await withApp(identity)
  const [factor] = await factorsOf(identity, person.id)
  const id = factor?.id ?? ''
  await browser.post(`${securityPage}/rename`, { id, name: 'Old phone' })
  expect((await browser.post(`${securityPage}/rename`, { id, name: ' ' })).location).toContain('badName')
  expect((await browser.post(`${securityPage}/remove`, { id })).location).toBe(`${securityPage}?said=removed`)
  await expect
    .poll(() => identity.mailTo(person.email))
    .toMatchObject({
      subject: 'A second step was removed from your account',
      text: expect.stringContaining('Old phone'),
    })
  expect(await identity.database.admin('select 1 from identity_recovery_codes')).toEqual([])
  await signIn(aBrowser(identity.app), person)
  const log = await identity.database.admin('select type from session_log where user_id = $1 order by id', [person.id])
  expect(log.map(({ type }) => type)).toEqual(['factorAdded', 'recoveryCodesMade', 'factorRemoved'])
})

test('a form of another site changes nothing', async () => {
  const identity = await anIdentity()
  const { person, browser } = await withApp(identity)
  const [factor] = await factorsOf(identity, person.id)
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const answer = await browser.post(`${securityPage}/remove`, { id: factor?.id ?? '' }, foreign)
  expect(answer.status).toBe(403)
  expect(await factorsOf(identity, person.id)).toHaveLength(1)
})

test('typed names are shown as text, and cut off at sixty characters', async () => {
  const identity = await anIdentity()
  const { person, browser } = await withApp(identity)
  const [factor] = await factorsOf(identity, person.id)
  const id = factor?.id ?? ''
  await browser.post(`${securityPage}/rename`, { id, name: '"><script>alert(1)</script>' })
  expect((await browser.get(securityPage)).body).not.toContain('<script>alert')
  expect((await browser.post(`${securityPage}/rename`, { id, name: 'x'.repeat(61) })).location).toContain('badName')
})

test('passkeys are not offered at an address without a host name', async () => {
  const at = 'http://127.0.0.1:8080'
  const identity = await anIdentity(undefined, [at])
  const browser = aBrowser(identity.app, at)
  const { body } = await browser.follow(
    await browser.get(
      `${at}/identity/auth?client_id=gettone-portal&response_type=code&scope=openid&redirect_uri=${at}/signed-in&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`,
    ),
  )
  expect(body).toContain('Sign in')
  expect(body).not.toContain('data-passkey')
})
