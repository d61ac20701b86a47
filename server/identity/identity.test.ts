import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { embeddedIssuer } from '#database/people/identity.ts'
import {
  type Answer,
  aBrowser,
  anAuthorization,
  anIdentity,
  client,
  origin,
  signIn,
  tokensOf,
} from '#testkit/identity.ts'
import { createAuthenticator, embeddedProviders } from '../http/authentication.ts'

const codeGrant = {
  grant_type: 'authorization_code',
  client_id: client.clientId,
  redirect_uri: `${origin}/signed-in`,
}

const authenticatorOf = (verifyingKey: Parameters<typeof embeddedProviders>[2]) =>
  createAuthenticator({
    providers: embeddedProviders([origin], embeddedIssuer, verifyingKey),
    audience: client.audience,
    tokenType: 'at+jwt',
    algorithms: ['ES256'],
    tenant: 'GETTONE',
    secondFactorClasses: [],
  })

test('a user signs in with code and PKCE, and the API recognizes them', async () => {
  const { app, aUser, verifyingKey } = await anIdentity()
  const person = await aUser({ role: 'groupAdmin', language: 'it' })
  const browser = aBrowser(app)
  const request = anAuthorization()

  const form = await browser.follow(await browser.get(request.url))
  expect(form.at).toContain('/identity/interaction/')
  expect(form.body).toContain('<label for="email">Email</label>')
  expect(form.body).toContain('<label for="password">Password</label>')

  const done = new URL(
    (
      await browser.follow(
        await browser.post(form.at, { email: person.email.toUpperCase(), password: person.password }),
      )
    ).at,
  )
  expect(done.origin + done.pathname).toBe(`${origin}/signed-in`)
  expect(done.searchParams.get('state')).toBe(request.state)

  const { tokens } = await tokensOf(browser, { code: done.searchParams.get('code') ?? '', verifier: request.verifier })
  expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
  expect(decodeJwt(tokens.id_token)).toMatchObject({
    sub: person.subject,
    aud: client.clientId,
    nonce: request.nonce,
    email: person.email,
    userRole: 'GETTONEGROUPADMIN',
    locale: 'it',
  })
  const { authenticate } = authenticatorOf(verifyingKey)
  expect(await authenticate(tokens.access_token)).toMatchObject({
    issuer: embeddedIssuer,
    subject: person.subject,
    role: 'groupAdmin',
  })
  await expect(authenticate(tokens.id_token)).rejects.toMatchObject({ code: 'Unauthorized' })
})

test('a code works once, only with its own verifier and address', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const codeFor = async () => {
    const request = anAuthorization({ prompt: 'login' })
    const form = await browser.follow(await browser.get(request.url))
    const done = await browser.follow(await browser.post(form.at, person as unknown as Record<string, string>))
    return { code: new URL(done.at).searchParams.get('code') ?? '', verifier: request.verifier }
  }
  const used = await codeFor()
  expect((await tokensOf(browser, used)).status).toBe(200)
  expect(await tokensOf(browser, used)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await tokensOf(browser, { ...(await codeFor()), verifier: 'x'.repeat(43) })).toMatchObject({
    error: 'invalid_grant',
  })
  expect(await tokensOf(browser, { ...(await codeFor()), redirect: `${origin}/session-frame.html` })).toMatchObject({
    error: 'invalid_grant',
  })
})

test.each([
  ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
  ['with plain PKCE', { code_challenge_method: 'plain' }],
])('a request %s is refused', async (_, changed) => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const answer = await browser.follow(await browser.get(anAuthorization(changed).url))
  expect(new URL(answer.at).searchParams.get('error')).toBe('invalid_request')
})

test.each([
  ['an address that is not registered', { redirect_uri: 'https://evil.example.com/signed-in' }],
  ['an unknown client', { client_id: 'somebody' }],
])('a request with %s shows an error page and redirects nowhere', async (_, changed) => {
  const { app } = await anIdentity()
  const answer = await aBrowser(app).get(anAuthorization(changed).url)
  expect(answer).toMatchObject({ status: 400, location: undefined })
  expect(answer.body).toContain('Something went wrong')
})

test('signed-in users get new tokens silently; other users must sign in', async () => {
  const { app, aUser } = await anIdentity()
  const person = await aUser()
  const browser = aBrowser(app)
  const silent = () => anAuthorization({ prompt: 'none', redirect_uri: `${origin}/session-frame.html` })

  const before = new URL((await browser.follow(await browser.get(silent().url))).at)
  expect(before.searchParams.get('error')).toBe('login_required')

  await signIn(browser, person)
  const request = silent()
  const answer = new URL((await browser.follow(await browser.get(request.url))).at)
  const code = answer.searchParams.get('code') ?? ''
  const { tokens } = await tokensOf(browser, {
    code,
    verifier: request.verifier,
    redirect: `${origin}/session-frame.html`,
  })
  expect(decodeJwt(tokens.access_token).sub).toBe(person.subject)
})

test('a changed role is in the next token, and a suspended user gets none', async () => {
  const { app, aUser, database } = await anIdentity()
  const person = await aUser({ role: 'superAdmin' })
  const browser = aBrowser(app)
  await signIn(browser, person)
  const renew = async () => {
    const request = anAuthorization({ prompt: 'none' })
    const { searchParams } = new URL((await browser.follow(await browser.get(request.url))).at)
    const code = searchParams.get('code')
    return code ? (await tokensOf(browser, { code, verifier: request.verifier })).tokens : searchParams.get('error')
  }
  await database.admin(`update users set role = 'merchantUser' where id = $1`, [person.id])
  expect(decodeJwt(((await renew()) as { access_token: string }).access_token).userRole).toBe('GETTONEMERCHANTUSER')
  await database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  expect(await renew()).toBe('login_required')

  // A suspended user is refused like a wrong password in the same browser; another user may sign in.
  const form = await browser.follow(await browser.get(anAuthorization().url))
  expect((await browser.post(form.at, { email: person.email, password: person.password })).status).toBe(401)
  const other = await aUser()
  const left = await browser.follow(await browser.post(form.at, { email: other.email, password: other.password }))
  expect(left.body).toContain('/identity/session/end/confirm')
})

test('signing out ends the session at the provider and returns to the portal', async () => {
  const { app, aUser } = await anIdentity()
  const browser = aBrowser(app)
  const tokens = await signIn(browser, await aUser())
  const end = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: `${origin}/login`,
    state: 's',
  })
  const confirmation = await browser.get(`/identity/session/end?${end}`)
  expect(confirmation.body).toContain('data-submit')
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(confirmation.body)?.[1] ?? ''
  const done = await browser.post('/identity/session/end/confirm', { xsrf, logout: 'yes' })
  expect(done.location).toBe(`${origin}/login?state=s`)
  const again = await browser.follow(await browser.get(anAuthorization({ prompt: 'none' }).url))
  expect(new URL(again.at).searchParams.get('error')).toBe('login_required')
})

test('a sign-out that the portal did not request needs a confirmation', async () => {
  const { app, aUser } = await anIdentity()
  const browser = aBrowser(app)
  await signIn(browser, await aUser())
  const confirmation = await browser.get('/identity/session/end')
  expect(confirmation.body).not.toContain('data-submit')
  expect(confirmation.body).toContain('Do you want to sign out?')
})

test('a sign-out with another account’s ID token needs a confirmation, and declining it keeps the session', async () => {
  const { app, aUser, revoked } = await anIdentity()
  const stranger = await signIn(aBrowser(app), await aUser())
  const browser = aBrowser(app)
  const person = await aUser()
  await signIn(browser, person)
  const confirmation = await browser.get(
    `/identity/session/end?${new URLSearchParams({ id_token_hint: stranger.id_token })}`,
  )
  expect(confirmation.body).not.toContain('data-submit')
  expect(confirmation.body).toContain('Do you want to sign out?')
  // Declining leads back to the portal, without a request to the provider.
  expect(confirmation.body).toMatch(/<a [^>]*href="\/"[^>]*>/)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(confirmation.body)?.[1] ?? ''
  await browser.post('/identity/session/end/confirm', { xsrf })
  expect(revoked).toEqual([])
  const still = await browser.follow(await browser.get(anAuthorization({ prompt: 'none' }).url))
  expect(new URL(still.at).searchParams.has('code')).toBe(true)
  expect(revoked).toEqual([])
})

test('any process of the deployment may answer the next step of a sign-in', async () => {
  const one = await anIdentity()
  const two = await anIdentity(one.database)
  const person = await one.aUser()
  const first = aBrowser(one.app)
  const second = aBrowser(two.app)
  const request = anAuthorization()
  const form = await first.follow(await first.get(request.url))
  for (const [name, cookie] of first.cookies) second.cookies.set(name, cookie)
  const done = await second.follow(await second.post(form.at, { email: person.email, password: person.password }))
  const code = new URL(done.at).searchParams.get('code') ?? ''
  expect((await tokensOf(first, { code, verifier: request.verifier })).status).toBe(200)
})

test('each public address has its own issuer, and no other address has one', async () => {
  const phone = 'https://192.168.1.20:8443'
  const { app } = await anIdentity(undefined, [origin, phone])
  const issuerAt = async (at: string) =>
    JSON.parse(
      (await aBrowser(app, at).get('/identity/.well-known/openid-configuration', { accept: 'application/json' })).body,
    ).issuer
  expect(await issuerAt(origin)).toBe(`${origin}/identity`)
  expect(await issuerAt(phone)).toBe(`${phone}/identity`)
  const strange = await aBrowser(app, 'http://evil.example.com').get('/identity/.well-known/openid-configuration')
  expect(strange.status).toBe(421)
})

test('at an address with TLS every cookie is for TLS alone, and none is readable by scripts', async () => {
  const phone = 'https://192.168.1.20:8443'
  const { app, aUser } = await anIdentity(undefined, [phone])
  const { email, password } = await aUser()
  const browser = aBrowser(app, phone)
  const cookies: string[] = []
  const heard = (answer: Answer) => {
    cookies.push(...[answer.headers['set-cookie'] ?? []].flat().map(String))
    return answer
  }
  heard(await browser.get('/identity/forgot?language=it'))
  const begun = heard(await browser.get(anAuthorization({ redirect_uri: `${phone}/signed-in` }).url))
  const form = (await browser.follow(begun)).at
  const entered = heard(await browser.post(form, { email, password }))
  heard(await browser.get(String(entered.location)))
  const names = new Set(cookies.map((cookie) => cookie.split('=')[0]))
  for (const name of ['gettone_language', 'gettone_interaction', 'gettone_browser', 'gettone_session'])
    expect(names).toContain(name)
  for (const cookie of cookies) expect(cookie).toMatch(/^(?=.*; ?secure)(?=.*; ?httponly)(?=.*; ?samesite=lax)/i)
})

test('a character that the database cannot store is refused in addresses and forms', async () => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const form = (await browser.follow(await browser.get(anAuthorization().url))).at
  const confirmation = [
    await browser.get(`${anAuthorization().url}&state=%00`),
    await browser.post(form, { email: 'a\0@gettone.test', password: 'x' }),
    await browser.post('/identity/password', { email: 'a\0@gettone.test', current: 'x' }),
    await browser.post('/identity/forgot', { email: 'a\0@gettone.test' }),
    await browser.post('/identity/token', { grant_type: 'authorization_code', client_id: 'a\0', code: '\0' }),
    await browser.post('/identity/token', { ...codeGrant, code: 'a\0', code_verifier: 'v'.repeat(43) }),
  ]
  expect(confirmation.map(({ status }) => Math.floor(status / 100))).toEqual(confirmation.map(() => 4))
})

test('pages run only their own scripts, cannot be framed and are not cached', async () => {
  const { app } = await anIdentity()
  const browser = aBrowser(app)
  const form = await browser.follow(await browser.get(anAuthorization().url))
  expect(form.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(form.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(form.headers['cache-control']).toBe('no-store')
  expect(form.body).not.toMatch(/<script(?! src=)| style=| on\w+=/)
})

test('expired data is deleted', async () => {
  const { app, aUser, database } = await anIdentity()
  await signIn(aBrowser(app), await aUser())
  const { purgeExpiredIdentityState } = await import('#database/people/identity.ts')
  const purge = (now: Date) => database.withSystem('identity', (db) => purgeExpiredIdentityState(db, now))
  expect(await purge(new Date())).toBe(0)
  expect(await purge(new Date(Date.now() + 30 * 86_400_000))).toBeGreaterThan(0)
  expect(await database.admin('select 1 from identity_state')).toEqual([])
})
