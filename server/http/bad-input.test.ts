import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'

let api: TestApi
let admin: TestUser
let merchantId: string
let machine: TestMachine

beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  machine = await aMachine(api.database, merchantId)
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const get = (path: string) =>
  api.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${api.tokenOf(admin)}` } })

test('a page size of 1,000,000 is refused with the field’s name', async () => {
  const answer = await get(`/merchants/${merchantId}/pos/paged?size=1000000`)
  expect(answer.statusCode).toBe(400)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({ code: 'ValidationFailed', errors: [{ path: 'size' }] })
})

test('a date range from end to start is refused', async () => {
  const query = 'startDate=2026-03-02&endDate=2026-03-01'
  for (const path of ['transactions/paged', 'transactions/stats', 'transactions/stats/pos', 'pos/alarms']) {
    const answer = await get(`/merchants/${merchantId}/${path}?${query}`)
    expect(answer.json()).toMatchObject({ status: 400, code: 'PeriodReversed' })
  }
})

test('an invalid date, an unknown column, an unknown query field and an invalid id are refused', async () => {
  const paths = [
    `/merchants/${merchantId}/transactions/paged?startDate=2026-02-30&endDate=2026-03-01`,
    `/merchants/${merchantId}/pos/paged?ord=secret_hash`,
    `/merchants/${merchantId}/pos/paged?role=superAdmin`,
    `/merchants/${merchantId}/dashboard?groupIds=${merchantId}`,
    '/users/me?role=superAdmin',
    `/merchants/${merchantId}/pos/paged?page=-3`,
    '/merchants/1%20or%201=1/pos/paged',
  ]
  for (const path of paths) expect((await get(path)).json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
})

test('an unknown field of a body is refused', async () => {
  const call = api
    .as(admin)
    .createNote({ params: { merchantId, posId: machine.id }, body: { note: 'x', createdBy: 'me' } as never })
  await expect(call).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a body that is not JSON, too large, or of another type is refused', async () => {
  const post = (payload: string | Buffer, type: string) =>
    api.app.inject({
      method: 'POST',
      url: `/api/v1/merchants/${merchantId}/pos/${machine.id}/notes`,
      headers: { authorization: `Bearer ${api.tokenOf(admin)}`, 'content-type': type },
      payload,
    })
  expect((await post('{', 'application/json')).json()).toMatchObject({ code: 'BadRequest' })
  expect((await post(`"${'x'.repeat(2_000_000)}"`, 'application/json')).json()).toMatchObject({
    code: 'PayloadTooLarge',
  })
  expect((await post('note=x', 'application/x-www-form-urlencoded')).json()).toMatchObject({
    code: 'UnsupportedMediaType',
  })
})

test('an unknown path below the API is a problem document with the request’s id', async () => {
  const answer = await get('/nothing/here')
  expect(answer.json()).toMatchObject({ status: 404, code: 'NotFound', requestId: answer.headers['x-request-id'] })
})

test('a character that the database cannot store is refused in all inputs', async () => {
  const textsOf = (node: unknown, path: string): string[] => {
    if (typeof node !== 'object' || node === null) return []
    const isText = 'type' in node && node.type === 'string'
    const isBounded = ['pattern', 'format', 'enum', 'const', 'allOf'].some((rule) => rule in node)
    const inside = Object.entries(node).flatMap(([name, child]) => textsOf(child, `${path}.${name}`))
    return isText && !isBounded ? [path, ...inside] : inside
  }
  const open = Object.entries<AnyEndpoint>(endpoints as never).flatMap(([name, row]) =>
    [row.params, row.query, row.body].flatMap((schema) =>
      schema ? textsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name) : [],
    ),
  )
  expect(open).toEqual([])

  const params = { merchantId, posId: machine.id }
  const refused = { code: 'ValidationFailed' }
  const me = api.as(admin)
  await expect(me.createNote({ params, body: { note: 'a\0b' } })).rejects.toMatchObject(refused)
  await expect(me.updateMe({ body: { version: 1, name: 'a\0b', language: null } })).rejects.toMatchObject(refused)
  await expect(me.listMachines({ params: { merchantId }, query: { search: 'abc\0' } })).rejects.toMatchObject(refused)
})

test('half a character, right-to-left text and a formula are stored as text', async () => {
  const params = { merchantId, posId: machine.id }
  for (const [note, storedNote] of [
    ['a\ud800b', 'a\ufffdb'],
    ['\u202eabc', '\u202eabc'],
    ['=1+1', '=1+1'],
  ] as const)
    expect(await api.as(admin).createNote({ params, body: { note } })).toMatchObject({ note: storedNote })
})

test('a day or an instant that does not exist is refused', async () => {
  const days = 'startDate=0000-01-01&endDate=2026-03-01'
  const paths = [
    ...['transactions/paged', 'transactions/stats', 'pos/alarms'].map((path) => `${path}?${days}`),
    `pos/${machine.id}/timeline?before=2026-99-99T00:00:00`,
  ]
  for (const path of paths)
    expect((await get(`/merchants/${merchantId}/${path}`)).json()).toMatchObject({ code: 'ValidationFailed' })
})

test('an invented cursor returns the first page', async () => {
  const period = { startDate: '2026-03-01', endDate: '2026-03-02' }
  for (const text of ['x', `n1.${'-'.repeat(36)}`, 'n1.\0', `n${'9'.repeat(17)}.${merchantId}`]) {
    const cursor = Buffer.from(text).toString('base64url')
    const page = await api.as(admin).listTransactions({ params: { merchantId }, query: { ...period, cursor } })
    expect(page).toMatchObject({ items: [], total: 0 })
  }
})

test('an address that is badly encoded or very long is a problem document too', async () => {
  for (const [path, status] of [
    ['/merchants/%', 400],
    ['/merchants/%ff/pos/paged', 400],
    [`/merchants/${'a'.repeat(300)}/pos/paged`, 400],
  ] as const) {
    const answer = await get(path)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status, code: 'BadRequest' })
    expect(answer.body).not.toContain('%')
  }
})

test('an answer of the API is not cached and not sniffed for its type', async () => {
  for (const path of ['/users/me', '/nothing', `/merchants/${merchantId}/pos/paged`])
    expect((await get(path)).headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
})

test('wildcards in a search are literal', async () => {
  await aMachine(api.database, merchantId, { name: 'Hall 100% full' })
  const page = await api.as(admin).listMachines({ params: { merchantId }, query: { search: '100% f' } })
  expect(page.items.map((item) => item.name)).toEqual(['Hall 100% full'])
  expect((await api.as(admin).listMachines({ params: { merchantId }, query: { search: '%%%' } })).total).toBe(0)
  const hostile = await api
    .as(admin)
    .listMachines({ params: { merchantId }, query: { search: `'; drop table machines; --` } })
  expect(hostile.total).toBe(0)
})

test('a zone suffix is accepted on input', async () => {
  const params = { merchantId, posId: machine.id }
  expect(await api.as(admin).getTimeline({ params, query: { size: 1 } })).toHaveLength(1)
  const order = { type: 4 as const, notBefore: new Date(Date.now() + 60_000).toISOString() }
  const { sent } = await api
    .as(admin)
    .sendRemoteCommand({ params: { merchantId }, body: { machines: { ids: [machine.id] }, order } })
  expect(sent[0]?.notBefore).toBe(order.notBefore.slice(0, -1))
})
