import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { openProvider } from './provider.ts'

const authority = 'https://login.example.com'
// Cast: what a sign-in needs of it.
const configuration = {
  clientId: 'gettone-portal',
  loginAuthority: authority,
  apiReadScope: 'gettone.read',
  apiResource: null,
  tenant: 'GETTONE',
  roleClaim: 'userRole',
} as unknown as SpaConfiguration

const part = (claims: object) => btoa(JSON.stringify(claims)).replaceAll('=', '')
const tokenOf = (claims: object) => `${part({ alg: 'none' })}.${part(claims)}.x`
const claims = { iss: authority, aud: 'gettone-portal', sub: 'anna', nonce: 'n-1', userRole: 'GETTONEMERCHANTADMIN' }

/** A provider with these claims in its ID token, and this issuer in its metadata. */
function answering(changed: object, issuer = authority) {
  const fetched = vi.fn(async (address: string | URL) => {
    const body = String(address).endsWith('openid-configuration')
      ? { issuer, authorization_endpoint: `${authority}/auth`, token_endpoint: `${authority}/token` }
      : { access_token: 'a', token_type: 'Bearer', expires_in: 600, id_token: tokenOf({ ...claims, ...changed }) }
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

const state = {
  id: 's-1',
  nonce: 'n-1',
  created: Math.floor(Date.now() / 1000),
  code_verifier: 'v',
  authority,
  client_id: 'gettone-portal',
  redirect_uri: `${window.location.origin}/signed-in`,
  scope: 'openid',
  data: { returnTo: '/alarms' },
}
beforeEach(() => window.sessionStorage.setItem('oidc.s-1', JSON.stringify(state)))
afterEach(() => {
  vi.unstubAllGlobals()
  window.sessionStorage.clear()
})

const complete = () =>
  openProvider(configuration, () => 'en').complete(`${window.location.origin}/signed-in?code=c&state=s-1`)

test('a sign-in is complete with an ID token of the provider, for the portal, for this sign-in', async () => {
  answering({})
  expect(await complete()).toMatchObject({ returnTo: '/alarms', tokens: { subject: 'anna', role: 'merchantAdmin' } })
})

test.each([
  ['for another client', { aud: 'another-client' }],
  ['for others beside nobody of ours', { aud: ['one', 'two'] }],
  ['of another provider', { iss: 'https://evil.example.com' }],
  ['of another sign-in', { nonce: 'n-2' }],
  ['of no sign-in', { nonce: undefined }],
])('an ID token %s is refused', async (_, changed) => {
  answering(changed)
  await expect(complete()).rejects.toMatchObject({ kind: 'refused' })
})

test('metadata of another provider gets no code', async () => {
  const fetched = answering({}, 'https://evil.example.com')
  await expect(complete()).rejects.toMatchObject({ kind: 'refused' })
  expect(fetched.mock.calls.map(([address]) => String(address))).not.toContain(`${authority}/token`)
})

test('each sign-in has a nonce of its own', async () => {
  answering({})
  const provider = openProvider(configuration, () => 'en')
  const nonces = () =>
    Object.entries(window.sessionStorage)
      .filter(([key]) => key !== 'oidc.s-1')
      .map(([, text]) => (JSON.parse(text as string) as { nonce?: string }).nonce)
  // The page would be left here: this call does not end.
  void provider.redirect({ returnTo: '/', isSilent: false }).catch(() => undefined)
  await vi.waitFor(() => expect(nonces()).toHaveLength(1))
  void provider.redirect({ returnTo: '/', isSilent: false }).catch(() => undefined)
  await vi.waitFor(() => expect(nonces()).toHaveLength(2))
  const [one, other] = nonces()
  expect(one).toMatch(/^[\d-]{20,}$/)
  expect(other).not.toBe(one)
})
