import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { aBrowser, anIdentity, origin, signIn, type TestIdentity } from '#testkit/identity.ts'
import { anAuthenticator } from '#testkit/second-factor/passkey.ts'
import {
  addApp,
  afterPassword,
  aSignIn,
  codeOf,
  confirm,
  passkeyIn,
  securityPage,
  tokensAfter,
} from '#testkit/second-factor/second-factor.ts'

import { hashOfRecoveryCode } from './codes.ts'

/* The second step of a sign-in, and attempts to get around it. */

/** A user with an authenticator app, whose code of the present step is free again. */
async function aUserWithApp(identity: TestIdentity) {
  const person = await identity.aUser()
  const browser = aBrowser(identity.app)
  await signIn(browser, person)
  await confirm(browser, { password: person.password })
  const { secret, codes } = await addApp(browser)
  await identity.database.admin('update identity_factors set last_step = null where user_id = $1', [person.id])
  return { person, secret, codes, browser }
}

/** A user with a passkey, and its authenticator. */
async function aUserWithPasskey(identity: TestIdentity) {
  const person = await identity.aUser()
  const browser = aBrowser(identity.app)
  await signIn(browser, person)
  await confirm(browser, { password: person.password })
  const authenticator = anAuthenticator(person.id, origin)
  const { body } = await browser.get(`${securityPage}/passkey`)
  await browser.post(`${securityPage}/passkey`, { passkey: authenticator.make(passkeyIn(body)), name: 'Laptop' })
  return { person, authenticator, browser }
}

test('with an authenticator app, a sign-in needs its code after the password, and the tokens say so', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const step = await afterPassword(browser, person)
  expect(step.page).toMatch(/\/second$/)
  expect(step.body).toContain('Code from your authenticator app')
  const tokens = await tokensAfter(browser, await browser.post(step.page, { code: codeOf(secret) }), step.verifier)
  for (const token of [tokens?.access_token, tokens?.id_token])
    expect(decodeJwt(token ?? '')).toMatchObject({
      sub: person.subject,
      amr: ['pwd', 'otp', 'mfa'],
      acr: 'urn:gettone:acr:second-factor',
      auth_time: expect.any(Number),
    })
})

test('the log has each sign-in with its user, address and factors, and each refused one with its reason', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  identity.logged.length = 0
  const form = await aSignIn(browser)
  await browser.post(form.at, { email: person.email, password: 'Wrong-words-1' })
  const step = await afterPassword(browser, person)
  await browser.post(step.page, { code: codeOf(secret) })
  expect(identity.logged).toEqual([
    { text: 'A sign-in was refused', address: '127.0.0.1', refused: 'wrong' },
    { text: 'A user signed in', address: '127.0.0.1', caller: person.subject, amr: ['pwd', 'otp', 'mfa'] },
  ])
})

test('without a second factor the tokens name the password alone', async () => {
  const { app, aUser } = await anIdentity()
  const tokens = await signIn(aBrowser(app), await aUser())
  expect(decodeJwt(tokens.access_token)).toMatchObject({ amr: ['pwd'], acr: 'urn:gettone:acr:password' })
})

test('the code of the step before or after counts, and none beyond', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const { page, verifier } = await afterPassword(browser, person)
  for (const steps of [-3, 3]) expect((await browser.post(page, { code: codeOf(secret, steps) })).status).toBe(401)
  expect(await tokensAfter(browser, await browser.post(page, { code: codeOf(secret, -1) }), verifier)).toBeDefined()
  const again = await afterPassword(browser, person)
  expect(
    await tokensAfter(browser, await browser.post(again.page, { code: codeOf(secret, 1) }), again.verifier),
  ).toBeDefined()
})

test('a code works once, also when it is sent twice at the same moment, and no earlier code works after it', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const browsers = [aBrowser(identity.app), aBrowser(identity.app)] as const
  const steps = [await afterPassword(browsers[0], person), await afterPassword(browsers[1], person)] as const
  const code = codeOf(secret)
  const answers = await Promise.all([0, 1].map((at) => browsers[at as 0 | 1].post(steps[at as 0 | 1].page, { code })))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401])
  const late = aBrowser(identity.app)
  const { page } = await afterPassword(late, person)
  expect(await late.post(page, { code })).toMatchObject({
    status: 401,
    body: expect.stringContaining('This code has been used'),
  })
  expect((await late.post(page, { code: codeOf(secret, -1) })).status).toBe(401)
})

test('each recovery code works once, and its owner is notified', async () => {
  const identity = await anIdentity()
  const { person, codes } = await aUserWithApp(identity)
  expect(new Set(codes).size).toBe(10)
  const stored = JSON.stringify(await identity.database.admin('select * from identity_recovery_codes'))
  expect(codes.filter((code) => stored.includes(code.replaceAll('-', '')))).toEqual([])
  const browser = aBrowser(identity.app)
  const { page, verifier } = await afterPassword(browser, person)
  const typed = codes[0]?.toUpperCase().replaceAll('-', ' ') ?? ''
  expect(await tokensAfter(browser, await browser.post(page, { code: typed }), verifier)).toBeDefined()
  const again = await afterPassword(browser, person)
  expect((await browser.post(again.page, { code: codes[0] ?? '' })).status).toBe(401)
  await expect.poll(async () => (await identity.mailTo(person.email)).subject).toBe('A recovery code was used')
  const log = await identity.database.admin('select type from session_log where user_id = $1', [person.id])
  expect(log).toContainEqual({ type: 'recoveryCodeUsed' })
})

test('a recovery code has 120 bits, and one of 80 bits from before counts until it is used or replaced', async () => {
  const identity = await anIdentity()
  const { person, codes } = await aUserWithApp(identity)
  for (const code of codes) expect(code.replaceAll('-', '')).toMatch(/^[a-z2-7]{24}$/)
  const former = 'abcd-efgh-ijkl-mnop'
  await identity.database.admin(
    `update identity_recovery_codes set hash = $2
     where hash = (select min(hash) from identity_recovery_codes where user_id = $1)`,
    [person.id, hashOfRecoveryCode(person.id, former)],
  )
  const browser = aBrowser(identity.app)
  const { page, verifier } = await afterPassword(browser, person)
  expect(await tokensAfter(browser, await browser.post(page, { code: former }), verifier)).toBeDefined()
  const again = await afterPassword(browser, person)
  expect((await browser.post(again.page, { code: former })).status).toBe(401)
})

test('no address of a sign-in leads past the second step', async () => {
  const identity = await anIdentity()
  const { person } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const { page, at, verifier } = await afterPassword(browser, person)
  const uid = at.split('/').at(-1)
  const skipped = [
    await browser.get(`/identity/auth/${uid}`),
    await browser.post(`${at}/set-up/done`, {}),
    await browser.get(`${at}/set-up`),
    await browser.get(`${at}/set-up/app`),
    await browser.post(`${at}/set-up/app`, { code: '000000' }),
    await browser.post(page, {}),
    await browser.post(page, { code: '' }),
    await browser.post(page, { passkey: '{}' }),
    await browser.get('/identity/security'),
  ]
  for (const answer of skipped) {
    expect(await tokensAfter(browser, answer, verifier)).toBeUndefined()
    expect((await browser.follow(answer)).at).not.toContain('code=')
  }
  // Nor is there a session at the provider.
  const silent = await aSignIn(browser, { prompt: 'none' })
  expect(new URL(silent.at).searchParams.get('error')).toBe('login_required')
})

test('the second step belongs to the browser that has sent the password', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const owner = aBrowser(identity.app)
  const { page } = await afterPassword(owner, person)
  const stranger = aBrowser(identity.app)
  expect((await stranger.get(page)).status).toBe(400)
  expect((await stranger.post(page, { code: codeOf(secret) })).status).toBe(400)
  // A stranger with a sign-in of their own has no second step either.
  const own = await aSignIn(stranger)
  expect((await stranger.post(`${own.at}/second`, { code: codeOf(secret) })).location).toBe(new URL(own.at).pathname)
})

test('a second step is for the user of the last password, also when another user has started in this browser', async () => {
  const identity = await anIdentity()
  const victim = await aUserWithApp(identity)
  const attacker = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const form = await aSignIn(browser)
  const password = (person: { email: string; password: string }) =>
    browser.post(form.at, { email: person.email, password: person.password })
  await password(attacker.person)
  const { at } = await browser.follow(await password(victim.person))
  expect((await browser.post(at, { code: codeOf(attacker.secret) })).status).toBe(401)
  const tokens = await tokensAfter(browser, await browser.post(at, { code: codeOf(victim.secret) }), form.verifier)
  expect(decodeJwt(tokens?.access_token ?? '').sub).toBe(victim.person.subject)
})

test('guessing codes is slowed, and a right password does not reset the count', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const statuses: number[] = []
  for (let tries = 0; tries < 6; tries += 1) {
    // The guesser knows the password, and enters it again before each guess.
    const { page } = await afterPassword(browser, person)
    statuses.push((await browser.post(page, { code: '000000' })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
  await identity.database.admin(`update identity_attempts set blocked_until = blocked_until + interval '1 minute'`)
  const { page } = await afterPassword(browser, person)
  expect(await browser.post(page, { code: codeOf(secret) })).toMatchObject({
    status: 429,
    body: expect.stringContaining('Too many attempts'),
  })
  // From a place where the owner has used the second step before, the owner still gets in.
  await identity.database.admin(`update identity_attempts set blocked_until = now() - interval '1 second'`)
  expect((await browser.post(page, { code: codeOf(secret) })).status).toBe(303)
})

test('guesses from many addresses share one limit for the account', async () => {
  const identity = await anIdentity()
  const { person } = await aUserWithApp(identity)
  const browser = aBrowser(identity.app)
  const { page } = await afterPassword(browser, person)
  const at = async (address: number, code: string) => {
    const answer = await identity.app.inject({
      method: 'POST',
      url: new URL(page).pathname,
      remoteAddress: `198.51.100.${address}`,
      headers: {
        host: new URL(origin).host,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        // Without the cookie of a known browser.
        cookie: [...browser.cookies]
          .filter(([name]) => name !== 'gettone_browser')
          .map(([name, { value }]) => `${name}=${value}`)
          .join('; '),
      },
      payload: `code=${code}`,
    })
    return answer.statusCode
  }
  const statuses = []
  for (let address = 1; address <= 12; address += 1) statuses.push(await at(address, '000000'))
  expect(statuses.filter((status) => status === 401)).toHaveLength(11)
  expect(statuses.at(-1)).toBe(429)
})

test('a passkey is a second step, and signs in alone where its authenticator verifies the user', async () => {
  const identity = await anIdentity()
  const { person, authenticator } = await aUserWithPasskey(identity)
  const browser = aBrowser(identity.app)
  const step = await afterPassword(browser, person)
  const passkey = authenticator.prove(passkeyIn(step.body), { isVerified: false })
  const tokens = await tokensAfter(browser, await browser.post(step.page, { passkey }), step.verifier)
  expect(decodeJwt(tokens?.access_token ?? '')).toMatchObject({ sub: person.subject, amr: ['pwd', 'pop', 'mfa'] })

  const form = await aSignIn(browser)
  const alone = async (options: { isVerified?: boolean }) => {
    const { body } = await browser.get(form.at)
    return browser.post(form.at, { passkey: authenticator.prove(passkeyIn(body), options) })
  }
  expect((await alone({ isVerified: false })).status).toBe(401)
  const entered = await tokensAfter(browser, await alone({}), form.verifier)
  expect(decodeJwt(entered?.access_token ?? '')).toMatchObject({ sub: person.subject, amr: ['pop', 'user', 'mfa'] })
})

test('a passkey’s answer works once, for its own step, from this site, and for its own user', async () => {
  const identity = await anIdentity()
  const { person, authenticator } = await aUserWithPasskey(identity)
  const other = await aUserWithPasskey(identity)
  const browser = aBrowser(identity.app)
  const open = async () => {
    const step = await afterPassword(browser, person)
    return { ...step, options: passkeyIn(step.body) }
  }
  const refused = async (page: string, passkey: string) => (await browser.post(page, { passkey })).status
  const first = await open()
  const answer = authenticator.prove(first.options)
  expect((await browser.post(first.page, { passkey: answer })).status).toBe(303)
  const second = await open()
  expect(await refused(second.page, answer)).toBe(401)
  const foreignPage = authenticator.prove(passkeyIn((await browser.get(second.page)).body), {
    from: 'https://evil.example.com',
  })
  expect(await refused(second.page, foreignPage)).toBe(401)
  const foreignUser = other.authenticator.prove(passkeyIn((await browser.get(second.page)).body))
  expect(await refused(second.page, foreignUser)).toBe(401)
  // The challenge of another sign-in.
  const third = await aSignIn(aBrowser(identity.app))
  expect(third.at).not.toBe(second.at)
  expect(await refused(second.page, authenticator.prove(second.options))).toBe(401)
  // Alone, with the name of another user.
  const form = await aSignIn(browser)
  const named = authenticator.prove(passkeyIn((await browser.get(form.at)).body), { of: other.person.id })
  expect((await browser.post(form.at, { passkey: named })).status).toBe(401)
})

test('an authenticator whose counter falls back is a copy, and is refused', async () => {
  const identity = await anIdentity()
  const { person, authenticator } = await aUserWithPasskey(identity)
  await identity.database.admin('update identity_factors set counter = 1000 where user_id = $1', [person.id])
  const browser = aBrowser(identity.app)
  const { page, body } = await afterPassword(browser, person)
  expect((await browser.post(page, { passkey: authenticator.prove(passkeyIn(body)) })).status).toBe(401)
})

test('a suspended user with a passkey does not sign in', async () => {
  const identity = await anIdentity()
  const { person, authenticator } = await aUserWithPasskey(identity)
  await identity.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  const browser = aBrowser(identity.app)
  const form = await aSignIn(browser)
  const { body } = await browser.get(form.at)
  expect((await browser.post(form.at, { passkey: authenticator.prove(passkeyIn(body)) })).status).toBe(401)
})

test('the end of a sign-in gives the session a new id', async () => {
  const identity = await anIdentity()
  const { person, secret, browser } = await aUserWithApp(identity)
  const before = browser.cookies.get('gettone_session')?.value
  const { page, verifier } = await afterPassword(browser, person)
  expect(browser.cookies.get('gettone_session')?.value).toBe(before)
  const answer = await browser.post(page, { code: codeOf(secret) })
  expect(await tokensAfter(browser, answer, verifier)).toBeDefined()
  expect(browser.cookies.get('gettone_session')?.value).not.toBe(before)
})

test('secrets of apps are sealed, and a reset password does not remove the second step', async () => {
  const identity = await anIdentity()
  const { person, secret } = await aUserWithApp(identity)
  const [row] = await identity.database.admin<{ sealed_secret: string }>(
    'select sealed_secret from identity_factors where user_id = $1',
    [person.id],
  )
  expect(row?.sealed_secret).toMatch(/^v1\./)
  expect(row?.sealed_secret).not.toContain(secret)
  const reset = await identity.accounts.requestReset(person.email, new Date())
  const next = 'New-password-1'
  await identity.accounts.setPasswordByLink({ token: reset?.token ?? '', purpose: 'reset', next, now: new Date() })
  const { page } = await afterPassword(aBrowser(identity.app), { ...person, password: next })
  expect(page).toMatch(/\/second$/)
})
