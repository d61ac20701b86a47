import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { createAuthenticator, externalProvider, type TokenRules } from './authentication.ts'
import { backchannelPath, registerBackchannelLogout } from './backchannel-logout.ts'
import { resolvePrincipal, scopeOf } from './scope.ts'

/* Tokens as four well-known providers write them, through the real checks: discovery, keys, claims and the user's row. */

interface Shape {
  /** The path of the issuer below the provider's host. */
  path: string
  clientId: string
  rules: Pick<TokenRules, 'audience' | 'tokenType' | 'tenant' | 'roleClaim' | 'secondFactorClasses'>
  /** Claims that the provider adds, for a role of ours. */
  claims: (role: string, clientId: string) => Record<string, unknown>
  /** Claims of a sign-in with several factors. */
  strong: Record<string, unknown>
  /** Claims that name several factors nowhere. */
  weak: Record<string, unknown>
}

const space = 'https://portal.vending.example/'
const apiId = '6f1c9a04-2d0f-4a53-8f0b-4b6a0a7d9c11'

const shapes: Record<string, Shape> = {
  Keycloak: {
    path: '/realms/vending',
    clientId: 'gettone-portal',
    rules: {
      audience: 'gettone-api',
      tokenType: 'JWT',
      tenant: 'MILAN',
      roleClaim: 'resource_access.gettone-portal.roles',
      secondFactorClasses: ['2'],
    },
    claims: (role, clientId) => ({
      typ: 'Bearer',
      azp: clientId,
      aud: ['account', 'gettone-api'],
      sid: randomUUID(),
      realm_access: { roles: ['offline_access', 'uma_authorization'] },
      resource_access: {
        account: { roles: ['manage-account'] },
        [clientId]: { roles: ['view-profile', `ROME=GETTONESUPERADMIN;MILAN=${role}`] },
      },
    }),
    strong: { acr: '2' },
    weak: { acr: '1' },
  },
  Entra: {
    path: '/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    clientId: apiId,
    rules: { audience: apiId, tokenType: 'JWT', tenant: 'GETTONE', roleClaim: 'roles', secondFactorClasses: [] },
    claims: (role, clientId) => ({
      aud: clientId,
      tid: '9188040d-6c67-4c5b-b112-36a304b66dad',
      oid: randomUUID(),
      ver: '2.0',
      scp: 'gettone.read',
      roles: ['Reports.Read', role],
    }),
    strong: { amr: ['pwd', 'mfa'] },
    weak: { amr: ['pwd'], acr: '0' },
  },
  Auth0: {
    path: '/',
    clientId: 'Xq3aVendingSpa',
    rules: {
      audience: 'https://api.vending.example',
      tokenType: 'at+jwt',
      tenant: 'GETTONE',
      roleClaim: `${space}userRole`,
      secondFactorClasses: [],
    },
    claims: (role, clientId) => ({
      azp: clientId,
      aud: ['https://api.vending.example', 'https://vending.eu.auth0.com/userinfo'],
      scope: 'openid profile gettone.read',
      [`${space}userRole`]: role,
    }),
    strong: { [`${space}amr`]: ['mfa'] },
    weak: {},
  },
  Okta: {
    path: '/oauth2/aus1vending',
    clientId: '0oa1vending',
    rules: {
      audience: 'api://vending',
      tokenType: 'any',
      tenant: 'GETTONE',
      roleClaim: 'userRole',
      secondFactorClasses: ['urn:okta:loa:2fa:any'],
    },
    claims: (role, clientId) => ({
      ver: 1,
      jti: `AT.${randomUUID()}`,
      cid: clientId,
      aud: ['api://vending'],
      scp: ['openid', 'gettone.read'],
      userRole: [role],
    }),
    strong: { acr: 'urn:okta:loa:2fa:any' },
    weak: { acr: 'urn:okta:loa:1fa:any', amr: ['pwd'] },
  },
}

interface Key {
  kid: string
  privateKey: CryptoKey
  jwk: JWK
}
async function aKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = randomUUID()
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

/** A provider with discovery and keys over HTTP. */
async function aProvider(path: string) {
  const state = { keys: [await aKey()], fetches: 0, isDown: false }
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}${path}`
    if (state.isDown) return response.writeHead(503).end()
    if (request.url === `${path.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return response.end(JSON.stringify({ issuer, jwks_uri: `http://${request.headers.host}/keys` }))
    if (request.url !== '/keys') return response.writeHead(404).end()
    state.fetches += 1
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ keys: state.keys.map(({ jwk }) => jwk) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, state }
}

const now = () => Math.floor(Date.now() / 1000)

async function aDeployment(shape: Shape, isTyped = false) {
  const database = await aDatabase()
  const provider = await aProvider(shape.path)
  const trusted = externalProvider(provider.issuer)
  const { authenticate } = createAuthenticator({ ...shape.rules, providers: [trusted], algorithms: ['RS256'] })
  const announced: string[] = []
  const app = Fastify()
  onTestFinished(() => app.close())
  registerBackchannelLogout(app, {
    provider: trusted,
    clientId: shape.clientId,
    algorithms: ['RS256'],
    isTyped,
    doors: database,
    live: { announceUser: (id) => announced.push(id) },
  })

  const sign = (payload: Record<string, unknown>, typ: string | undefined, key = provider.state.keys[0] as Key) =>
    new SignJWT({ iss: provider.issuer, iat: now(), exp: now() + 600, ...payload })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...(typ && { typ }) })
      .sign(key.privateKey)
  const typ = shape.rules.tokenType === 'any' ? undefined : shape.rules.tokenType

  return {
    database,
    provider,
    announced,
    /** A user who is bound to the provider. */
    async member(role: Role, merchantId: string) {
      const user = await aUser(database, role, [{ merchantId, groups: 'all' }])
      const subject = `auth|${randomUUID()}`
      await database.admin('update users set issuer = $1, subject = $2 where id = $3', [
        provider.issuer,
        subject,
        user.id,
      ])
      return { ...user, subject }
    },
    token: (subject: string, role: string, changed: Record<string, unknown> = {}, key?: Key) =>
      sign({ sub: subject, ...shape.claims(role, shape.clientId), ...shape.weak, ...changed }, typ, key),
    /** The API's answer to a token: its user, or the code of the refusal. */
    call: async (token: string, merchantId?: string) => {
      try {
        const principal = await resolvePrincipal(database, await authenticate(token), {
          SUPER_ADMIN_SECOND_FACTOR: false,
        })
        if (merchantId) scopeOf(principal, merchantId)
        return { id: principal.id, role: principal.role }
      } catch (error) {
        return (error as { code?: string }).code ?? String(error)
      }
    },
    logout: async (payload: Record<string, unknown>, header = 'logout+jwt', key?: Key) => {
      const claims = { aud: shape.clientId, jti: randomUUID(), events: { [event]: {} }, ...payload }
      const text = await sign(claims, header, key)
      return { text, status: await sendLogout(app, text) }
    },
    send: (text: string) => sendLogout(app, text),
  }
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
async function sendLogout(app: ReturnType<typeof Fastify>, text: string): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: backchannelPath,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: text }).toString(),
  })
  expect(answer.headers['cache-control']).toBe('no-store')
  return answer.statusCode
}

const requireSecondFactor = ({ admin }: TestDatabase, merchantId: string) =>
  admin(`update merchants set second_factor_roles = '{merchantAdmin}', second_factor_since = 'epoch' where id = $1`, [
    merchantId,
  ])

afterEach(() => vi.useRealTimers())

describe.each(Object.entries(shapes))('%s', (_, shape) => {
  test('a token gives its user and role; the stricter of claim and database applies', async () => {
    const { database, member, token, call } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    const person = await member('merchantAdmin', merchantId)
    const as = async (role: string) => call(await token(person.subject, role), merchantId)
    expect(await as('GETTONEMERCHANTADMIN')).toEqual({ id: person.id, role: 'merchantAdmin' })
    expect(await as('GETTONEMERCHANTUSER')).toEqual({ id: person.id, role: 'merchantUser' })
    expect(await as('GETTONESUPERADMIN')).toEqual({ id: person.id, role: 'merchantAdmin' })
    for (const role of ['GETTONEKING', 'GETTONE', 'superAdmin'])
      expect(await as(role)).toBe('UnauthorizedUserException')
    const stranger = await token('auth|nobody', 'GETTONESUPERADMIN')
    expect(await call(stranger)).toBe('UnauthorizedUserException')
  })

  test('a token for another audience, of another provider or key, or past its end is refused', async () => {
    const { database, member, token, call } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    const { subject } = await member('merchantAdmin', merchantId)
    const role = 'GETTONEMERCHANTADMIN'
    const forged = { ...(await aKey()), kid: 'unknown' }
    for (const bad of [
      await token(subject, role, { aud: ['account'] }),
      await token(subject, role, { aud: [] }),
      await token(subject, role, { iss: 'https://login.evil.example' }),
      await token(subject, role, { exp: now() - 60 }),
      await token(subject, role, { nonce: 'of an ID token' }),
      await token(subject, role, {}, forged),
    ])
      expect(await call(bad)).toBe('Unauthorized')
  })

  test('where a merchant requires a second factor, the provider’s claim of several factors counts', async () => {
    const { database, member, token, call } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    await requireSecondFactor(database, merchantId)
    const { subject, id } = await member('merchantAdmin', merchantId)
    const role = 'GETTONEMERCHANTADMIN'
    expect(await call(await token(subject, role), merchantId)).toBe('SecondFactorRequired')
    expect(await call(await token(subject, role, { acr: 'mfa', amr: 'otp' }), merchantId)).toBe('SecondFactorRequired')
    expect(await call(await token(subject, role, shape.strong), merchantId)).toEqual({ id, role: 'merchantAdmin' })
  })

  test('a sign-out at the provider ends the user’s tokens, once for each logout token', async () => {
    const { database, member, token, call, logout, send, announced } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    const person = await member('merchantAdmin', merchantId)
    const other = await member('merchantAdmin', merchantId)
    const role = 'GETTONEMERCHANTADMIN'
    const before = await token(person.subject, role)
    const ofOther = await token(other.subject, role)
    expect(await call(before)).toMatchObject({ id: person.id })
    const { status, text } = await logout({ sub: person.subject, sid: randomUUID() })
    expect(status).toBe(200)
    expect(announced).toEqual([person.id])
    expect(await call(before)).toBe('Unauthorized')
    expect(await call(ofOther)).toMatchObject({ id: other.id })
    // A later sign-in holds, also when the token is sent again.
    const after = await token(person.subject, role, { iat: now() + 2 })
    expect(await call(after)).toMatchObject({ id: person.id })
    expect(await send(text)).toBe(400)
    expect(await call(after)).toMatchObject({ id: person.id })
  })

  test('what is no logout token ends nothing', async () => {
    const { database, member, token, call, logout, send, provider } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    const { subject, id } = await member('merchantAdmin', merchantId)
    const access = await token(subject, 'GETTONEMERCHANTADMIN')
    const refusedPayloads = [
      { events: { 'http://schemas.openid.net/event/other': {} } },
      { events: undefined },
      { nonce: 'x' },
      { aud: 'another-client' },
      { iss: 'https://login.evil.example' },
      { iat: now() - 3600, exp: now() + 600 },
      { jti: undefined },
      { sub: undefined, sid: 'x' },
    ]
    for (const payload of refusedPayloads) expect((await logout({ sub: subject, ...payload })).status).toBe(400)
    expect((await logout({ sub: subject }, 'at+jwt')).status).toBe(400)
    expect((await logout({ sub: subject }, 'logout+jwt', await aKey())).status).toBe(400)
    for (const text of [access, '', 'x.y.z']) expect(await send(text)).toBe(400)
    expect(await call(access)).toMatchObject({ id })
    // A user who is unknown here is no fault of the provider.
    expect((await logout({ sub: 'auth|nobody' })).status).toBe(200)
    expect(provider.state.fetches).toBeLessThan(3)
  })

  test('of a provider that writes the type of logout tokens, others are refused', async () => {
    const { database, member, logout } = await aDeployment(shape, true)
    const { id: merchantId } = await aMerchant(database)
    const { subject } = await member('merchantAdmin', merchantId)
    expect((await logout({ sub: subject }, 'JWT')).status).toBe(400)
    expect((await logout({ sub: subject }, '')).status).toBe(400)
    expect((await logout({ sub: subject }, 'logout+jwt')).status).toBe(200)
  })

  test('keys change while tokens arrive: each valid token is accepted, with one fetch for all', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { database, member, token, call, provider } = await aDeployment(shape)
    const { id: merchantId } = await aMerchant(database)
    const { subject, id } = await member('merchantAdmin', merchantId)
    const role = 'GETTONEMERCHANTADMIN'
    expect(await call(await token(subject, role))).toMatchObject({ id })
    const next = await aKey()
    provider.state.keys.push(next)
    vi.setSystemTime(Date.now() + 10_000)
    const [old] = provider.state.keys
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_one, at) => token(subject, role, { at }, at % 2 === 0 ? next : old)),
    )
    const answers = await Promise.all(tokens.map((one) => call(one)))
    expect(answers).toEqual(tokens.map(() => ({ id, role: 'merchantAdmin' })))
    expect(provider.state.fetches).toBe(2)
    // Unknown keys cause no flood of fetches, and the provider may be away meanwhile.
    provider.state.isDown = true
    const unknown = await Promise.all(
      Array.from({ length: 20 }, async () => token(subject, role, {}, await forgedOf(next))),
    )
    for (const answer of await Promise.all(unknown.map((one) => call(one)))) expect(answer).toBe('Unauthorized')
    expect(await call(await token(subject, role, { at: 'last' }, next))).toMatchObject({ id })
    expect(provider.state.fetches).toBe(2)
  })
})

/** A key's name that the provider does not have. */
const forgedOf = async (key: Key): Promise<Key> => ({ ...key, kid: randomUUID() })
