import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'
import { urns } from './messages.ts'
import { scimPath } from './routes.ts'

/* A merchant's directory over HTTP, as Entra and Okta speak SCIM, and attempts to reach beyond the merchant. */

let api: TestApi
let app: FastifyInstance
beforeAll(async () => {
  api = await openTestApi()
  app = api.app
})
afterAll(() => api.close())

async function aDirectory(scopes: TokenScope[] = ['users.provision']) {
  const { id: merchantId } = await aMerchant(api.database)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const { token } = await api.as(admin).createApiToken({
    params: { merchantId },
    body: { name: 'Directory', scopes, expiresAt: null },
  })
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await app.inject({
      method,
      url: scimPath + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: answer.statusCode,
      body: answer.body ? answer.json() : undefined,
      headers: answer.headers,
    }
  }
  const create = async (more: object = {}) => {
    const userName = `${randomUUID()}@gettone.test`
    return send('POST', '/Users', { schemas: [urns.user], userName, displayName: 'Anna Bianchi', ...more })
  }
  const patch = (path: string, ...Operations: object[]) => send('PATCH', path, { schemas: [urns.patch], Operations })
  return { merchantId, admin, token, send, create, patch }
}

const rowOf = async (id: string) =>
  (
    await api.database.admin<Record<string, unknown>>(
      `select u.email, u.name, u.role, u.status, u.allow_licensing, m.all_groups,
        array(select g.group_id::text from user_groups g where g.user_id = u.id) as groups
       from users u left join user_merchants m on m.user_id = u.id where u.id = $1`,
      [id],
    )
  )[0]

test('the service describes itself', async () => {
  const { send } = await aDirectory()
  expect((await send('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 100 },
    etag: { supported: true },
  })
  const types = await send('GET', '/ResourceTypes')
  expect(types.headers['content-type']).toContain('application/scim+json')
  expect(types.body.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
  expect((await send('GET', '/Schemas')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
    urns.user,
    urns.group,
  ])
})

test('creating a user invites the user, as a merchant user of this merchant; a repeated call is a conflict', async () => {
  const { create, send, merchantId, admin } = await aDirectory()
  const { status, body, headers } = await create({ externalId: 'ext-1', preferredLanguage: 'it-IT' })
  expect(status).toBe(201)
  expect(headers.location).toBe(body.meta.location)
  expect(headers.etag).toBe('W/"1"')
  expect(body).toMatchObject({
    externalId: 'ext-1',
    active: true,
    displayName: 'Anna Bianchi',
    preferredLanguage: 'it',
  })
  expect(await rowOf(body.id)).toMatchObject({ role: 'merchantUser', status: 'invited', all_groups: true })
  const mails = await api.database.admin('select 1 from mailbox where recipient = $1', [body.userName])
  expect(mails).toHaveLength(1)
  const again = await send('POST', '/Users', { schemas: [urns.user], userName: body.userName.toUpperCase() })
  expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness', schemas: [urns.error], status: '409' } })
  const { items } = await api.as(admin).listChangeLog({ params: { merchantId }, query: { size: 1 } })
  expect(items).toMatchObject([{ action: 'user.create', subjectId: body.id, userName: 'API token Directory' }])
})

test('users are found by name and by the directory’s id, and listed page by page', async () => {
  const { create, send, admin } = await aDirectory()
  const one = (await create({ externalId: 'a"b' })).body
  await create()
  const find = async (filter: string) =>
    (await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.Resources?.map(
      ({ id }: { id: string }) => id,
    )
  expect(await find(`userName eq "${one.userName.toUpperCase()}"`)).toEqual([one.id])
  expect(await find(`externalId EQ "a\\"b"`)).toEqual([one.id])
  expect(await find(`id eq "${admin.id}"`)).toEqual([admin.id])
  expect(await find(`userName eq "nobody@gettone.test"`)).toEqual([])
  const { body } = await send('GET', '/Users?startIndex=2&count=1')
  expect(body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
  expect((await send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] })
  for (const filter of [
    'userName sw "a"',
    'userName eq a',
    'password eq "x"',
    `userName eq "a" or id eq "b"`,
    `userName eq "\\u0000"`,
  ])
    expect((await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
      scimType: 'invalidFilter',
    })
  expect((await send('GET', '/Users?startIndex=x')).status).toBe(400)
})

test('PATCH adds, replaces and removes, as Entra and Okta write it, and a repeated PATCH changes nothing', async () => {
  const { create, patch, send } = await aDirectory()
  const { id } = (await create({ externalId: 'x' })).body
  const entra = [
    { op: 'Replace', path: 'displayName', value: 'Anna Rossi' },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'other@gettone.test' },
    { op: 'Replace', path: 'active', value: 'False' },
  ]
  expect((await patch(`/Users/${id}`, ...entra)).body).toMatchObject({ displayName: 'Anna Rossi', active: false })
  expect(await rowOf(id)).toMatchObject({ status: 'suspended', name: 'Anna Rossi' })
  const before = await send('GET', `/Users/${id}`)
  expect((await patch(`/Users/${id}`, ...entra)).headers.etag).toBe(before.headers.etag)
  const okta = { op: 'replace', value: { active: true, name: { familyName: 'Verdi' } } }
  expect((await patch(`/Users/${id}`, okta)).body).toMatchObject({ active: true, displayName: 'Anna Verdi' })
  expect(await rowOf(id)).toMatchObject({ status: 'invited' })
  const without = await patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })
  expect(without.status).toBe(200)
  expect(without.body.externalId).toBeUndefined()
  const replaced = await send('PUT', `/Users/${id}`, {
    schemas: [urns.user],
    userName: before.body.userName,
    displayName: 'B',
  })
  expect(replaced.body).toMatchObject({ displayName: 'B', active: true })
})

test('a version that was overtaken is refused', async () => {
  const { create, send } = await aDirectory()
  const { id } = (await create()).body
  const change = { schemas: [urns.patch], Operations: [{ op: 'replace', path: 'displayName', value: 'C' }] }
  expect((await send('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"7"' })).status).toBe(412)
  expect((await send('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"1"' })).status).toBe(200)
  expect((await send('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412)
})

test('a suspended user has no access from the next request on, and a deleted one is gone', async () => {
  const { patch, send, merchantId } = await aDirectory()
  const person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  expect((await api.send('getMe', {}, person)).statusCode).toBe(200)
  await patch(`/Users/${person.id}`, { op: 'replace', path: 'active', value: false })
  expect((await api.send('getMe', {}, person)).statusCode).toBe(403)
  expect((await send('DELETE', `/Users/${person.id}`)).status).toBe(204)
  expect((await send('DELETE', `/Users/${person.id}`)).status).toBe(404)
  expect(await rowOf(person.id)).toBeUndefined()
})

test('groups are the roles of the merchant and its groups of machines', async () => {
  const { create, patch, send, merchantId } = await aDirectory()
  const north = await aGroup(api.database, merchantId, 'North')
  const south = await aGroup(api.database, merchantId, 'South')
  const { id } = (await create()).body
  const { body } = await send('GET', '/Groups?excludedAttributes=members')
  expect(body.Resources.map(({ displayName }: { displayName: string }) => displayName)).toEqual([
    'GETTONEMERCHANTADMIN',
    'GETTONEGROUPADMIN',
    'GETTONEMERCHANTUSER',
    'North',
    'South',
  ])
  const found = await send('GET', `/Groups?filter=${encodeURIComponent('displayName eq "north"')}`)
  expect(found.body.Resources).toMatchObject([{ id: north, members: [] }])
  const member = { op: 'add', path: 'members', value: [{ value: id }] }
  expect((await patch(`/Groups/${north}`, member)).status).toBe(204)
  expect((await patch(`/Groups/${south}`, member, member)).status).toBe(204)
  expect(await rowOf(id)).toMatchObject({ all_groups: false, groups: expect.arrayContaining([north, south]) })
  expect((await patch('/Groups/groupAdmin', member)).status).toBe(204)
  expect(await rowOf(id)).toMatchObject({ role: 'groupAdmin' })
  expect((await send('GET', `/Users/${id}`)).body.groups).toMatchObject([
    { value: 'groupAdmin' },
    { value: north },
    { value: south },
  ])
  expect(await patch(`/Groups/${south}`, { op: 'remove', path: `members[value eq "${id}"]` })).toMatchObject({
    status: 204,
  })
  expect(await rowOf(id)).toMatchObject({ groups: [north] })
  // A user without groups would see all of them or none.
  expect((await patch(`/Groups/${north}`, { op: 'remove', path: 'members', value: [{ value: id }] })).status).toBe(409)
  await patch('/Groups/groupAdmin', { op: 'replace', path: 'members', value: [] })
  expect(await rowOf(id)).toMatchObject({ role: 'merchantUser' })
  await patch('/Groups/merchantAdmin', member)
  expect(await rowOf(id)).toMatchObject({ role: 'merchantAdmin', all_groups: true, groups: [] })
  expect((await patch(`/Groups/${north}`, member)).body).toMatchObject({ detail: 'MerchantAdminWithGroups' })
  expect((await send('POST', '/Groups', { displayName: 'West' })).status).toBe(403)
  expect((await send('DELETE', `/Groups/${north}`)).status).toBe(403)
})

test('a directory reaches no user, group or role beyond its merchant', async () => {
  const { send, patch, merchantId, create } = await aDirectory()
  const other = (await aMerchant(api.database)).id
  const foreignGroup = await aGroup(api.database, other, 'Secret')
  const stranger = await aUser(api.database, 'merchantUser', [{ merchantId: other, groups: 'all' }])
  const provider = await aUser(api.database, 'superAdmin', [{ merchantId, groups: 'all' }])
  const hidden = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await api.database.admin('update users set invisible_to_merchants = true where id = $1', [hidden.id])
  const suspend = { op: 'replace', path: 'active', value: false }
  for (const { id } of [stranger, hidden]) {
    expect((await send('GET', `/Users/${id}`)).status).toBe(404)
    expect((await patch(`/Users/${id}`, suspend)).status).toBe(404)
    expect((await send('PUT', `/Users/${id}`, { userName: 'x@gettone.test' })).status).toBe(404)
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await patch('/Groups/merchantAdmin', { op: 'add', path: 'members', value: [{ value: id }] })).status).toBe(
      404,
    )
    expect(await rowOf(id)).toMatchObject({ status: 'active', role: 'merchantUser' })
  }
  const listed = (await send('GET', '/Users')).body.Resources.map(({ id }: { id: string }) => id)
  for (const { id } of [stranger, hidden, provider]) expect(listed).not.toContain(id)
  // The provider's users are seen by their merchants’ admins at most, and never changed.
  expect((await patch(`/Users/${provider.id}`, suspend)).status).toBe(403)
  expect((await send('DELETE', `/Users/${provider.id}`)).status).toBe(403)
  expect(await rowOf(provider.id)).toMatchObject({ status: 'active', role: 'superAdmin' })
  const { id } = (await create()).body
  const member = { op: 'add', path: 'members', value: [{ value: id }] }
  for (const group of [foreignGroup, 'superAdmin', 'role', randomUUID()]) {
    expect((await patch(`/Groups/${group}`, member)).status).toBe(404)
    expect((await send('GET', `/Groups/${group}`)).status).toBe(404)
  }
  for (const path of ['role', 'allowLicensing', 'merchants', 'password', 'id', '__proto__', 'constructor.name'])
    expect((await patch(`/Users/${id}`, { op: 'add', path, value: 'superAdmin' })).status).toBe(400)
  await patch(`/Users/${id}`, { op: 'add', path: 'roles', value: [{ value: 'GETTONESUPERADMIN' }] })
  expect(await rowOf(id)).toMatchObject({ role: 'merchantUser', allow_licensing: false })
})

test('a user whom other merchants share is neither renamed nor suspended; a deletion ends this membership alone', async () => {
  const { send, patch, merchantId } = await aDirectory()
  const other = (await aMerchant(api.database)).id
  const shared = await aUser(api.database, 'merchantUser', [
    { merchantId, groups: 'all' },
    { merchantId: other, groups: 'all' },
  ])
  for (const [path, value] of [
    ['active', false],
    ['displayName', 'Eve'],
  ] as const)
    expect(await patch(`/Users/${shared.id}`, { op: 'replace', path, value })).toMatchObject({
      status: 409,
      body: { detail: 'UserBelongsElsewhere' },
    })
  expect((await send('DELETE', `/Users/${shared.id}`)).status).toBe(204)
  const left = await api.database.admin('select merchant_id from user_merchants where user_id = $1', [shared.id])
  expect(left).toEqual([{ merchant_id: other }])
})

test('a merchant keeps an admin', async () => {
  const { send, patch, admin } = await aDirectory()
  for (const answer of [
    await patch(`/Users/${admin.id}`, { op: 'replace', path: 'active', value: false }),
    await patch('/Groups/merchantAdmin', { op: 'replace', path: 'members', value: [] }),
    await send('DELETE', `/Users/${admin.id}`),
  ])
    expect(answer).toMatchObject({ status: 409, body: { detail: 'LastMerchantAdmin' } })
})

test('only a valid token with the permission is admitted, and for nothing else', async () => {
  const { merchantId, token } = await aDirectory()
  const reader = await aDirectory(['machines.read'])
  expect((await reader.send('GET', '/Users')).status).toBe(403)
  for (const authorization of ['', 'Bearer x', `Bearer gtt_${'x'.repeat(43)}`, `Basic ${token}`])
    expect((await app.inject({ url: `${scimPath}/Users`, headers: { authorization } })).statusCode).toBe(401)
  const machines = `/api/v1/merchants/${merchantId}/pos/paged`
  const answer = await app.inject({ url: machines, headers: { authorization: `Bearer ${token}` } })
  expect(answer.statusCode).toBe(403)
  const user = api.tokenOf(await aUser(api.database, 'superAdmin', []))
  expect(
    (await app.inject({ url: `${scimPath}/Users`, headers: { authorization: `Bearer ${user}` } })).statusCode,
  ).toBe(401)
})

test('what is too large, or is no message of the standard, is refused', async () => {
  const { create, send, patch } = await aDirectory()
  const { id } = (await create()).body
  const rename = { op: 'replace', path: 'displayName', value: 'D' }
  expect((await patch(`/Users/${id}`, ...Array.from({ length: 101 }, () => rename))).body.scimType).toBe('tooMany')
  expect((await send('PATCH', `/Users/${id}`, `{"x":"${'x'.repeat(300_000)}"}`)).status).toBe(413)
  const members = Array.from({ length: 501 }, () => ({ value: randomUUID() }))
  expect((await patch('/Groups/merchantUser', { op: 'add', path: 'members', value: members })).status).toBe(400)
  for (const body of ['{', '[]', 'null', '"x"', { Operations: [rename] }, { schemas: [urns.patch] }])
    expect((await send('PATCH', `/Users/${id}`, body)).status).toBe(400)
  for (const operation of [
    { op: 'move', path: 'displayName' },
    { op: 'replace', value: 'x' },
    { op: 'remove' },
    { op: 'remove', path: 'userName' },
  ])
    expect((await patch(`/Users/${id}`, operation)).status).toBe(400)
  expect((await send('POST', '/Users', { userName: 'no address' })).body.scimType).toBe('invalidValue')
  expect((await send('POST', '/Users', { userName: 'a@b.it', displayName: 'x'.repeat(5000) })).status).toBe(400)
  expect((await send('GET', `/Users/no-id`)).status).toBe(404)
  expect(await rowOf(id)).toMatchObject({ name: 'Anna Bianchi' })
})
