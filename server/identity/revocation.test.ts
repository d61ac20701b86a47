import { expect, test } from 'vitest'
import { embeddedIssuer } from '#database/people/identity.ts'
import { endTokens } from '#database/people/user.ts'
import {
  aBrowser,
  anAuthorization,
  anIdentity,
  type Browser,
  client,
  origin,
  signIn,
  type TestIdentity,
  tokensOf,
} from '#testkit/identity.ts'
import { createAuthenticator, embeddedProviders } from '../http/authentication.ts'
import { resolvePrincipal } from '../http/scope.ts'

/** The API's answer to a token: the user's id, or the code of the refusal. */
const theApi = ({ database, verifyingKey }: TestIdentity) => {
  const { authenticate } = createAuthenticator({
    providers: embeddedProviders([origin], embeddedIssuer, verifyingKey),
    audience: client.audience,
    tokenType: 'at+jwt',
    algorithms: ['ES256'],
    tenant: 'GETTONE',
    secondFactorClasses: [],
  })
  return async (token: string) =>
    resolvePrincipal(database, await authenticate(token), { SUPER_ADMIN_SECOND_FACTOR: false }).then(
      ({ id }) => id,
      ({ code }: { code: string }) => code,
    )
}

/** A new token, issued silently while the session at the provider lasts. */
async function renewed(browser: Browser): Promise<string> {
  const request = anAuthorization({ prompt: 'none' })
  const { at } = await browser.follow(await browser.get(request.url))
  const code = new URL(at).searchParams.get('code') ?? ''
  return (await tokensOf(browser, { code, verifier: request.verifier })).tokens.access_token
}

test('after a password change every older token is refused, and a newer token is accepted at once', async () => {
  const identity = await anIdentity()
  const ask = theApi(identity)
  const person = await identity.aUser()
  const here = aBrowser(identity.app)
  const elsewhere = aBrowser(identity.app)
  const older = [(await signIn(here, person)).access_token, (await signIn(elsewhere, person)).access_token]
  const other = await identity.aUser()
  const others = (await signIn(aBrowser(identity.app), other)).access_token
  expect(await Promise.all(older.map(ask))).toEqual([person.id, person.id])

  const change = { current: person.password, next: 'Gettone-demo-2', repeat: 'Gettone-demo-2' }
  expect((await here.post('/identity/password', change)).status).toBe(200)
  expect(identity.revoked).toEqual([person.id])
  expect(await Promise.all(older.map(ask))).toEqual(['Unauthorized', 'Unauthorized'])
  expect(await ask(await renewed(here))).toBe(person.id)
  expect(await ask(others)).toBe(other.id)
})

test('a password set by a link revokes all earlier tokens', async () => {
  const identity = await anIdentity()
  const ask = theApi(identity)
  const person = await identity.aUser()
  const token = (await signIn(aBrowser(identity.app), person)).access_token
  const reset = await identity.accounts.requestReset(person.email, new Date())
  const use = { token: reset?.token ?? '', purpose: 'reset', next: 'Gettone-demo-2', now: new Date() } as const
  expect(await identity.accounts.setPasswordByLink(use)).toBe('done')
  expect(identity.revoked).toEqual([person.id])
  expect(await ask(token)).toBe('Unauthorized')
  // The link is used up, so it revokes nothing again.
  expect(await identity.accounts.setPasswordByLink(use)).toBe('ended')
  expect(identity.revoked).toEqual([person.id])
})

test('after a sign-out its token is refused; other browsers of the user stay signed in', async () => {
  const identity = await anIdentity()
  const ask = theApi(identity)
  const person = await identity.aUser()
  const leaving = aBrowser(identity.app)
  const staying = aBrowser(identity.app)
  const left = await signIn(leaving, person)
  const stayingTokens = await signIn(staying, person)
  const confirmation = await leaving.get(
    `/identity/session/end?${new URLSearchParams({ id_token_hint: left.id_token })}`,
  )
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(confirmation.body)?.[1] ?? ''
  await leaving.post('/identity/session/end/confirm', { xsrf, logout: 'yes' })
  await expect.poll(() => identity.revoked).toEqual([person.id])
  expect([await ask(left.access_token), await ask(stayingTokens.access_token)]).toEqual(['Unauthorized', person.id])
  expect(await ask(await renewed(staying))).toBe(person.id)
})

test('a later revocation counts as later, even if a clock is behind', async () => {
  const identity = await anIdentity()
  const ask = theApi(identity)
  const person = await identity.aUser()
  await endTokens(identity.database, person.id, new Date(Date.now() + 60_000))
  const token = (await signIn(aBrowser(identity.app), person)).access_token
  expect(await ask(token)).toBe(person.id)
  await endTokens(identity.database, person.id, new Date())
  expect(await ask(token)).toBe('Unauthorized')
})
