import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointName } from '#contract/endpoints.ts'
import { toWire } from '#contract/frame/instant.ts'
import { mostTokens } from '#contract/merchants/api-token.ts'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import { warnOfEnds } from '#database/merchants/api-token.ts'
import { mailStaff } from '#server/worker/staff-mails.ts'
import { samples } from '#testkit/access/access-samples.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const machine = await aMachine(api.database, merchantId)
  const admin = api.as(user)
  const params = { merchantId }
  const make = (name = 'ERP', scopes: TokenScope[] = ['machines.read'], expiresAt: string | null = null) =>
    admin.createApiToken({ params, body: { name, scopes, expiresAt } })
  return { merchantId, user: user as TestUser, admin, machine, params, make }
}

/** Each caller has its own address, so that tests do not share the limit of wrong tokens. */
let callers = 0
const anAddress = () => `10.1.${Math.floor(callers / 250)}.${(callers++ % 250) + 1}`

const list = (merchantId: string, token: string, address = anAddress()) =>
  api.app.inject({
    url: `/api/v1/merchants/${merchantId}/pos/paged`,
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: address,
  })
const statusOf = async (merchantId: string, token: string) => (await list(merchantId, token)).statusCode

test('a token is shown once, stored as a hash, and reads its merchant’s machines', async () => {
  const { merchantId, admin, machine, params, make } = await aShop()
  const { token, details } = await make()
  expect(token).toMatch(/^gtt_[\w-]{43}$/)
  const answer = await list(merchantId, token)
  expect(answer.statusCode).toBe(200)
  expect(answer.json().items).toMatchObject([{ id: machine.id }])
  const listed = await admin.listApiTokens({ params })
  expect(listed).toMatchObject([
    { id: details.id, name: 'ERP', hint: token.slice(0, 10), permissions: [], scopes: ['machines.read'] },
  ])
  expect(JSON.stringify(listed)).not.toContain(token)
  for (const table of ['api_tokens', 'api_token_directory', 'change_log'])
    expect(JSON.stringify(await api.database.admin(`select * from ${table}`))).not.toContain(token)
})

test('it opens the calls of its scopes, and no other', async () => {
  const { merchantId, machine, make } = await aShop()
  const { token } = await make('Alarms', ['alarms.read'])
  const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) =>
    (
      await api.app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: anAddress(),
        ...(payload && { payload }),
      })
    ).statusCode
  const merchantPath = `/merchants/${merchantId}`
  expect(await call('GET', `${merchantPath}/pos/alarms`)).toBe(200)
  for (const path of [
    `${merchantPath}/pos/paged`,
    `${merchantPath}/settings`,
    `${merchantPath}/api-tokens`,
    `${merchantPath}/change-log`,
    '/users/me',
    '/users/me/live',
    '/merchants',
  ])
    expect([path, await call('GET', path)]).toEqual([path, 403])
  expect(await call('PUT', `${merchantPath}/pos/${machine.id}`, { version: 1, name: 'x' })).toBe(403)
  expect(
    await call('POST', `${merchantPath}/api-tokens`, { name: 'x', scopes: ['machines.read'], expiresAt: null }),
  ).toBe(403)
})

test('it may be given single kinds of calls: reading sales, or writing products', async () => {
  const { merchantId, make } = await aShop()
  const reader = (await make('Reader', ['transactions.read'])).token
  const writer = (await make('Writer', ['products.write'])).token
  const call = async (name: EndpointName, token: string) => {
    const { body, query } = samples[name].input({ merchantId } as never)
    const headers = { authorization: `Bearer ${token}` }
    return api.send(name, { params: { merchantId }, query, headers, ...(body !== undefined && { body }) })
  }
  expect((await call('listTransactions', reader)).statusCode).toBe(200)
  for (const name of ['createProduct', 'listProducts', 'statsOfPeriod', 'listMachines'] as const)
    expect([name, (await call(name, reader)).statusCode]).toEqual([name, 403])
  expect((await call('listProducts', writer)).statusCode).toBe(403)
  const created = await call('createProduct', writer)
  expect([created.statusCode, created.json()]).toMatchObject([201, { id: expect.any(String) }])
  const [change] = await api.database.admin<{ user_name: string }>(
    `select user_name from change_log where merchant_id = $1 and action = 'product.create'`,
    [merchantId],
  )
  expect(change?.user_name).toBe('API token Writer')
})

test('a token from before there were scopes keeps its areas', async () => {
  const { merchantId, admin, params } = await aShop()
  const { token } = await anApiToken(api.database, merchantId, ['machine.read'])
  expect(await statusOf(merchantId, token)).toBe(200)
  expect(await admin.listApiTokens({ params })).toMatchObject([{ permissions: ['machine.read'], scopes: null }])
})

test('it is refused in an address, where logs and histories would store it', async () => {
  const { merchantId, make } = await aShop()
  const { token } = await make()
  for (const name of ['access_token', 'token', 'api_key', 'authorization']) {
    const url = `/api/v1/merchants/${merchantId}/pos/paged?${name}=${token}`
    const remoteAddress = anAddress()
    expect((await api.app.inject({ url, remoteAddress })).statusCode).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await api.app.inject({ url, headers, remoteAddress })).statusCode).toBe(400)
  }
})

describe('rotation', () => {
  test('revokes the old token at once', async () => {
    const { merchantId, admin, params, make } = await aShop()
    const { token: old, details } = await make()
    const { token } = await admin.rotateApiToken({
      params: { ...params, tokenId: details.id },
      body: { graceHours: 0 },
    })
    expect(await statusOf(merchantId, token)).toBe(200)
    expect(await statusOf(merchantId, old)).toBe(401)
  })

  test('or after a grace period, which does not apply to the token before', async () => {
    const { merchantId, admin, params, make } = await aShop()
    const { token: first, details } = await make()
    const rotate = (graceHours: number) =>
      admin.rotateApiToken({ params: { ...params, tokenId: details.id }, body: { graceHours } })
    const second = await rotate(24)
    expect(second.details.previousUntil).not.toBeNull()
    expect([await statusOf(merchantId, first), await statusOf(merchantId, second.token)]).toEqual([200, 200])
    await api.database.admin(`update api_tokens set previous_until = now() - interval '1 second' where id = $1`, [
      details.id,
    ])
    expect(await statusOf(merchantId, first)).toBe(401)
    const third = await rotate(24)
    await rotate(24)
    expect(await statusOf(merchantId, second.token)).toBe(401)
    expect(await statusOf(merchantId, third.token)).toBe(200)
  })

  test.each([-1, 169, 1.5, '0'])('a grace period of %o is refused', async (graceHours) => {
    const { params, user, make } = await aShop()
    const { details } = await make()
    const input = { params: { ...params, tokenId: details.id }, body: { graceHours } }
    expect((await api.send('rotateApiToken', input, user)).json()).toMatchObject({ status: 400 })
  })
})

test('a revoked or expired token is refused from the next request on', async () => {
  const { merchantId, admin, params, make } = await aShop()
  const { token, details } = await make()
  expect(await statusOf(merchantId, token)).toBe(200)
  await admin.revokeApiToken({ params: { ...params, tokenId: details.id } })
  expect(await statusOf(merchantId, token)).toBe(401)
  expect(await admin.listApiTokens({ params })).toEqual([])
  const brief = await make('Brief', ['machines.read'], toWire(new Date(Date.now() + 3_600_000)))
  expect(await statusOf(merchantId, brief.token)).toBe(200)
  await api.database.admin(`update api_tokens set expires_at = now() - interval '1 second' where id = $1`, [
    brief.details.id,
  ])
  expect(await statusOf(merchantId, brief.token)).toBe(401)
})

test('its last use is shown with its address, and written at most once a minute', async () => {
  const { merchantId, admin, params, make } = await aShop()
  const { token } = await make()
  const lastUse = async () => {
    const [listedToken] = await admin.listApiTokens({ params })
    return { at: listedToken?.lastUsedAt, from: listedToken?.lastUsedFrom }
  }
  expect(await lastUse()).toEqual({ at: null, from: null })
  await list(merchantId, token, '192.0.2.1')
  const first = await lastUse()
  expect(first.from).toBe('192.0.2.1')
  await list(merchantId, token, '192.0.2.2')
  expect(await lastUse()).toEqual(first)
  await api.database.admin('update api_tokens set last_used_at = $1', [new Date(Date.now() - 61_000)])
  await list(merchantId, token, '192.0.2.3')
  expect((await lastUse()).from).toBe('192.0.2.3')
})

test('wrong tokens are rate-limited per address only', async () => {
  const { merchantId, make } = await aShop()
  const { token } = await make()
  const guesser = anAddress()
  const other = anAddress()
  const wrong = `gtt_${'A'.repeat(43)}`
  for (let guess = 0; guess < 60; guess++) expect((await list(merchantId, wrong, guesser)).statusCode).toBe(401)
  expect((await list(merchantId, wrong, guesser)).json()).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect((await list(merchantId, token, guesser)).statusCode).toBe(429)
  expect((await list(merchantId, token, other)).statusCode).toBe(200)
})

test('a text in the form of a token is refused', async () => {
  const { merchantId, make } = await aShop()
  const { token } = await make()
  for (const wrong of [
    'gtt_',
    `${token}x`,
    token.slice(0, -1),
    token.toLowerCase().replace('gtt_', 'gtt_x'),
    `gtt_${'é'.repeat(43)}`,
  ])
    expect(await statusOf(merchantId, wrong)).toBe(401)
})

describe('bad input', () => {
  test.each([
    { scopes: ['machines.write'] },
    { scopes: ['settings.read'] },
    { scopes: ['merchant.admin'] },
    { scopes: ['profile.read'] },
    { scopes: ['live.read'] },
    { scopes: [] },
    { scopes: undefined },
    { permissions: ['machine.read'] },
    { scopes: ['machines.read', 'machines.read'] },
    { name: '' },
    { name: 'x'.repeat(101) },
    { expiresAt: '2020-01-01T00:00:00' },
    { expiresAt: 'tomorrow' },
    { role: 'superAdmin' },
    { merchantId: '00000000-0000-7000-8000-000000000000' },
    { token: `gtt_${'A'.repeat(43)}` },
  ])('%o is refused', async (change) => {
    const { params, user } = await aShop()
    const body = { name: 'ERP', scopes: ['machines.read'], expiresAt: null, ...change }
    const answer = await api.send('createApiToken', { params, body }, user)
    expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
  })

  test('a name is unique, and a merchant has a maximum number of tokens', async () => {
    const { make } = await aShop()
    await make('ERP')
    await expect(make('ERP')).rejects.toMatchObject({ code: 'ApiTokenNameTaken' })
    for (let one = 1; one < mostTokens; one++) await make(`Token ${one}`)
    await expect(make('One more')).rejects.toMatchObject({ code: 'TooManyApiTokens' })
  })

  test('right-to-left and hostile names are stored unchanged, on one line', async () => {
    const { make } = await aShop()
    expect((await make('=1+1 🍫 שלום\r\nX: y')).details.name).toBe('=1+1 🍫 שלום X: y')
  })
})

test('changes of a token are logged by its name, never with the token', async () => {
  const { merchantId, admin, params, make } = await aShop()
  const { token, details } = await make()
  const tokenId = { ...params, tokenId: details.id }
  const { token: second } = await admin.rotateApiToken({ params: tokenId, body: { graceHours: 2 } })
  await admin.revokeApiToken({ params: tokenId })
  const log = await api.database.admin(
    'select action, subject_id, before, after from change_log where merchant_id = $1 order by at, id',
    [merchantId],
  )
  expect(log).toMatchObject([
    { action: 'apiToken.create', subject_id: details.id, after: { name: 'ERP', scopes: ['machines.read'] } },
    { action: 'apiToken.rotate', after: { name: 'ERP', graceHours: 2 } },
    { action: 'apiToken.revoke', before: { name: 'ERP' } },
  ])
  for (const secret of [token, second]) expect(JSON.stringify(log)).not.toContain(secret)
})

test('the second way to sign in is documented at its endpoints only', async () => {
  const document = (await api.app.inject({ url: '/api/openapi.json' })).json()
  expect(document.components.securitySchemes).toMatchObject({ apiToken: { type: 'http', scheme: 'bearer' } })
  const securityOf = (path: string, method: string) => document.paths[`/api/v1${path}`][method].security
  expect(securityOf('/merchants/{merchantId}/pos/paged', 'get')).toEqual([
    { bearer: [] },
    { apiToken: ['machines.read'] },
  ])
  expect(securityOf('/merchants/{merchantId}/settings', 'get')).toEqual([{ bearer: [] }])
  expect(securityOf('/users/me', 'get')).toEqual([{ bearer: [] }])
})

test('the admins get one mail two weeks before a token ends, and none about a token without an end', async () => {
  const { merchantId, user, make } = await aShop()
  const day = 86_400_000
  const now = Date.now()
  await make('Soon', ['machines.read'], toWire(new Date(now + 20 * day)))
  await make('Later', ['machines.read'], toWire(new Date(now + 40 * day)))
  await make('Forever')
  const [admin] = await api.database.admin<{ email: string }>('select email from users where subject = $1', [
    user.subject,
  ])
  const sent: { to: string; subject: string; text: string }[] = []
  const mail = { send: async (message: { to: string; subject: string; text: string }) => void sent.push(message) }
  const config = { publicUrl: 'https://portal.example.com', NO_DATA_MINUTES: 60 }
  for (const days of [5, 7, 8]) {
    const at = new Date(now + days * day)
    await warnOfEnds(api.database, at)
    await mailStaff({ doors: api.database, mail, config }, at)
  }
  const own = sent.filter(({ to }) => to === admin?.email)
  expect(own.map(({ subject }) => subject)).toEqual(['API token ends: Soon'])
  expect(own[0]?.text).toContain(`https://portal.example.com/manage/merchant-settings?merchant=${merchantId}`)
})
