import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthenticator, embeddedProviders, externalProvider, type TokenRules } from './authentication.ts'

const origin = 'http://localhost:18200'
const issuer = `${origin}/identity`
const pair = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }
const rules: TokenRules = {
  providers: embeddedProviders([origin], 'urn:gettone:identity', createLocalJWKSet({ keys: [jwk] })),
  audience: 'gettone-api',
  tokenType: 'at+jwt',
  algorithms: ['ES256', 'RS256'],
  tenant: 'GETTONE',
  secondFactorClasses: [],
}
const { authenticate } = createAuthenticator(rules)

const claims = { iss: issuer, aud: 'gettone-api', sub: 'anna', userRole: 'GETTONEGROUPADMIN' }
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

const token = (changed: Record<string, unknown> = {}, header: Record<string, string> = {}, key = pair.privateKey) => {
  const payload = { ...claims, exp: inAnHour(), ...changed }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt', ...header }).sign(key)
}
const unsigned = (header: object, payload: object) =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
const refused = { code: 'Unauthorized' }

test('a valid access token gives the caller, the role and the expiry', async () => {
  const exp = inAnHour()
  expect(await authenticate(await token({ exp }))).toEqual({
    issuer: 'urn:gettone:identity',
    subject: 'anna',
    role: 'groupAdmin',
    expiresAt: new Date(exp * 1000),
    validFrom: new Date(0),
    proof: { at: new Date(0), hasSecondFactor: false },
  })
})

test('a token gives the start of its sessions: exactly, or to the second', async () => {
  expect(await authenticate(await token({ iat: 1_700_000_000 }))).toMatchObject({
    validFrom: new Date(1_700_000_000_999),
  })
  expect(await authenticate(await token({ iat: 1_700_000_000, sessionsValidFrom: 1_600_000_000_123 }))).toMatchObject({
    validFrom: new Date(1_600_000_000_123),
  })
})

test('the role may be inside a list of tenants', async () => {
  const userRole = 'OTHER=GETTONESUPERADMIN;GETTONE=GETTONEMERCHANTUSER'
  expect(await authenticate(await token({ userRole }))).toMatchObject({ role: 'merchantUser' })
  expect(await authenticate(await token({ userRole: 'OTHER=GETTONESUPERADMIN' }))).toMatchObject({ role: null })
  expect(await authenticate(await token({ userRole: undefined }))).toMatchObject({ role: null })
})

test.each([
  ['expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
  ['not valid yet', { nbf: inAnHour() }],
  ['without an end', { exp: undefined }],
  ['without a subject', { sub: undefined }],
  ['for another audience', { aud: 'gettone-portal' }],
  ['without an audience', { aud: undefined }],
  ['of another issuer', { iss: 'https://login.example.com' }],
  ['of an issuer that only begins like ours', { iss: `${issuer}/` }],
  ['without an issuer', { iss: undefined }],
  ['that is an ID token by its claims', { nonce: 'n' }],
])('a token %s is refused', async (_, changed) => {
  await expect(authenticate(await token(changed))).rejects.toMatchObject(refused)
})

test.each([
  ['scope', { scope: 'openid gettone.read' }],
  ['scp as a text', { scp: 'gettone.read other' }],
  ['scp as a list', { scp: ['other', 'gettone.read'] }],
])('where a scope is required, a token has it in %s', async (_, changed) => {
  const strict = createAuthenticator({ ...rules, scopes: ['gettone.read'] })
  expect(await strict.authenticate(await token(changed))).toMatchObject({ subject: 'anna' })
})

test.each([{}, { scope: 'openid' }, { scope: 'gettone.reader' }, { scope: ['gettone.read x'] }, { scp: 7 }])(
  'where a scope is required, a token with %o is refused',
  async (changed) => {
    const strict = createAuthenticator({ ...rules, scopes: ['gettone.read', 'gettone.more'] })
    await expect(strict.authenticate(await token(changed))).rejects.toMatchObject({ code: 'Forbidden' })
  },
)

test('a token signed with another key is refused', async () => {
  const other = await generateKeyPair('ES256')
  await expect(authenticate(await token({}, {}, other.privateKey))).rejects.toMatchObject(refused)
})

test('a token whose claims were changed after signing is refused', async () => {
  const [head, , signature] = (await token()).split('.')
  const body = Buffer.from(JSON.stringify({ ...claims, exp: inAnHour(), userRole: 'GETTONESUPERADMIN' })).toString(
    'base64url',
  )
  await expect(authenticate(`${head}.${body}.${signature}`)).rejects.toMatchObject(refused)
})

test('an unsigned token is refused', async () => {
  const text = unsigned({ alg: 'none', typ: 'at+jwt' }, { ...claims, exp: inAnHour() })
  await expect(authenticate(`${text}.`)).rejects.toMatchObject(refused)
})

test('a token signed with the public key as a shared secret is refused', async () => {
  const text = unsigned({ alg: 'HS256', typ: 'at+jwt', kid: 'one' }, { ...claims, exp: inAnHour() })
  for (const secret of [await exportSPKI(pair.publicKey), JSON.stringify(jwk)]) {
    const mac = createHmac('sha256', secret).update(text).digest('base64url')
    await expect(authenticate(`${text}.${mac}`)).rejects.toMatchObject(refused)
  }
})

test('an ID token is refused by its type', async () => {
  await expect(authenticate(await token({}, { typ: 'JWT' }))).rejects.toMatchObject(refused)
})

test.each(['', 'x', 'a.b', 'a.b.c', '....', '"', 'null.null.null'])('%j is refused', async (text) => {
  await expect(authenticate(text)).rejects.toMatchObject(refused)
})

test('an oversized token is refused without decoding', async () => {
  await expect(authenticate(await token({ padding: 'x'.repeat(20_000) }))).rejects.toMatchObject(refused)
})

test('a shared-secret algorithm cannot be configured', () => {
  expect(() => createAuthenticator({ ...rules, algorithms: ['none', 'HS256'] })).toThrow('OIDC_ALGORITHMS')
})

test('an external provider is configured by its discovery, and its ID tokens are refused where access tokens are plain JWTs', async () => {
  const rsa = await generateKeyPair('RS256', { extractable: true })
  let requests = 0
  let isDown = true
  const server = createServer(async (request, response) => {
    if (isDown) return response.writeHead(503).end()
    requests += 1
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const jwks = { keys: [{ ...(await exportJWK(rsa.publicKey)), kid: 'two', alg: 'RS256' }] }
    response.end(JSON.stringify(request.url === '/keys' ? jwks : { issuer: base, jwks_uri: `${base}/keys` }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const external = createAuthenticator({ ...rules, providers: [externalProvider(address)], tokenType: 'JWT' })
  const signed = (changed = {}, header = {}) =>
    new SignJWT({ ...claims, iss: address, exp: inAnHour(), ...changed })
      .setProtectedHeader({ alg: 'RS256', kid: 'two', typ: 'JWT', ...header })
      .sign(rsa.privateKey)

  await expect(external.authenticate(await signed())).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  isDown = false
  const caller = { issuer: address, subject: 'anna', role: 'groupAdmin' }
  expect(await external.authenticate(await signed())).toMatchObject(caller)
  expect(await external.authenticate(await signed({ jti: 'another' }))).toMatchObject(caller)
  expect(requests).toBe(2)
  await expect(external.authenticate(await signed({ typ: 'ID' }))).rejects.toMatchObject(refused)
  await expect(external.authenticate(await signed({ at_hash: 'x' }))).rejects.toMatchObject(refused)
  await expect(external.authenticate(await signed({}, { kid: 'unknown' }))).rejects.toMatchObject(refused)
})

test('the discovery of an external provider is not followed to another address', async () => {
  const rsa = await generateKeyPair('RS256', { extractable: true })
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(String(request.url))
    response.writeHead(302, { location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const external = createAuthenticator({ ...rules, providers: [externalProvider(address)], tokenType: 'JWT' })
  const signed = await new SignJWT({ ...claims, iss: address, exp: inAnHour() })
    .setProtectedHeader({ alg: 'RS256', kid: 'two', typ: 'JWT' })
    .sign(rsa.privateKey)
  await expect(external.authenticate(signed)).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  expect(paths).toEqual(['/.well-known/openid-configuration'])
})
