import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { OneTimeCode } from '#contract/rules/text.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anExport } from '#testkit/exports.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { apiPrefix } from './prefix.ts'

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const
const browsers = { 'accept-encoding': 'gzip, deflate, br, zstd' }

let api: TestApi
let user: Awaited<ReturnType<typeof aUser>>
let params: { merchantId: string }
beforeAll(async () => {
  api = await openTestApi()
  const { id: merchantId } = await aMerchant(api.database)
  params = { merchantId }
  for (let at = 0; at < 20; at += 1) await aMachine(api.database, merchantId)
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const list = (headers: Record<string, string>) =>
  api.send('listMachines', { params, query: { size: 20, ord: 'name' }, headers }, user)

test('a long list is smaller in every encoding, and the same after decoding', async () => {
  const plain = await list({})
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.json().items).toHaveLength(20)
  for (const [encoding, decode] of Object.entries(decoders)) {
    const answer = await list({ 'accept-encoding': encoding })
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(JSON.parse(decode(answer.rawPayload).toString())).toEqual(plain.json())
  }
  expect((await list(browsers)).headers['content-encoding']).toBe('zstd')
  expect((await list({ 'accept-encoding': 'br;q=1, gzip;q=0.5' })).headers['content-encoding']).toBe('br')
  expect((await list({ 'accept-encoding': 'identity' })).rawPayload).toEqual(plain.rawPayload)
})

test('a short answer stays as it is', async () => {
  const answer = await api.send('countMachines', { params, headers: browsers }, user)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(Number(answer.headers['content-length'])).toBeLessThan(1024)
  expect(answer.json()).toBeTypeOf('object')
})

test('a long refusal and the documents of the API are compressed', async () => {
  const body = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`unknown field ${at}`, at]))
  const refused = await api.send('createGroup', { params, body, headers: { 'accept-encoding': 'gzip' } }, user)
  expect(refused.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': /problem\+json/ })
  expect(JSON.parse(gunzipSync(refused.rawPayload).toString())).toMatchObject({ code: 'ValidationFailed' })
  for (const url of ['/api/openapi.json', '/api/asyncapi.json', '/api/docs/static/swagger-ui.css']) {
    const [plain, small] = await Promise.all([
      api.app.inject(url),
      api.app.inject({ url, headers: { 'accept-encoding': 'gzip' } }),
    ])
    expect(plain.statusCode).toBe(200)
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
  }
})

test('a current copy gets 304 in any encoding, and HEAD has the headers of GET', async () => {
  const ask = (method: 'GET' | 'HEAD', headers: Record<string, string>) =>
    api.app.inject({ method, url: `${apiPrefix}/collections/countries?locale=en`, headers })
  const gzip = { 'accept-encoding': 'gzip' }
  const first = await ask('GET', gzip)
  const tag = first.headers.etag as string
  expect(tag).toMatch(/^W\/"/)
  expect(first.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-language, accept-encoding' })
  for (const headers of [gzip, browsers, {}]) {
    const again = await ask('GET', { ...headers, 'if-none-match': tag })
    expect([again.statusCode, again.payload, again.headers['content-encoding']]).toEqual([304, '', undefined])
    expect(again.headers).toMatchObject({ etag: tag, vary: 'accept-language, accept-encoding' })
  }
  const head = await ask('HEAD', gzip)
  expect([head.statusCode, head.payload]).toEqual([200, ''])
  expect(head.headers).toMatchObject({ etag: tag, vary: 'accept-language, accept-encoding' })
})

test('a live hint arrives at once, uncompressed', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const headers = { ...browsers, authorization: `Bearer ${api.tokenOf(user)}` }
  const { promise: first, resolve } = Promise.withResolvers<string>()
  const stream = request({ host: '127.0.0.1', port, path: `${apiPrefix}/users/me/live`, headers }, (answer) => {
    expect(answer.headers['content-encoding']).toBeUndefined()
    answer.setEncoding('utf8').on('data', (text: string) => text.startsWith('data:') && resolve(text))
    // The stream is open once its head is here.
    void api.as(user).createGroup({ params, body: { name: 'New' } })
  })
  stream.on('error', () => {}).end()
  expect(await first).toContain('"topics":["group"')
  stream.destroy()
})

test('a file is sent uncompressed', async () => {
  const order = {
    list: 'machines',
    format: 'csv',
    language: 'en',
    columns: ['name', 'serial', 'state', 'posStatus', 'createdAt'],
    filter: {},
  }
  const answer = await api.send('exportShown', { params, body: order, headers: browsers }, user)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['content-disposition']).toContain('attachment')
  expect(answer.rawPayload.length).toBeGreaterThan(1024)
  expect(answer.payload.trim().split('\n')).toHaveLength(21)
})

test('style sheets and scripts are compressed; pages that show a form or a payment are not', async () => {
  const answerOf = (url: string) => api.app.inject({ url, headers: browsers })
  const style = await answerOf('/identity/assets/any/style.css')
  expect(style.headers['content-encoding']).toBe('zstd')
  const page = await answerOf(`/pay/${'a'.repeat(24)}/done`)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.rawPayload.length).toBeGreaterThan(1024)
  expect(page.headers['content-encoding']).toBeUndefined()
})

const rows = Object.entries(endpoints) as unknown as [string, AnyEndpoint][]
/** Fields that give access alone. */
const secret = /^(pin|token|accessToken|licenceKey|secret|password|link)$/

test('an answer with a secret says so, and is not compressed', async () => {
  const unsaid = rows.filter(([, { ok, hasSecret }]) => ok && !hasSecret && opensSomething(ok))
  expect(unsaid.map(([name]) => name)).toEqual([])
  for (let at = 0; at < 5; at += 1) await anExport(api, user, params.merchantId)
  const jobs = await api.send('listExports', { params, headers: browsers }, user)
  expect(jobs.json()[0].link).toContain('/exports/')
  expect(jobs.rawPayload.length).toBeGreaterThan(1024)
  expect(jobs.headers['content-encoding']).toBeUndefined()
})

/** Whether an answer has a field with such a name, or a one-time code: other codes are names of things. */
function opensSomething(schema: z.ZodType): boolean {
  const { pattern } = z.toJSONSchema(OneTimeCode)
  const opens = (part: unknown): boolean =>
    typeof part === 'object' &&
    part !== null &&
    (('pattern' in part && part.pattern === pattern) ||
      Object.entries(part).some(
        ([key, value]) =>
          (key === 'properties' && Object.keys(value).some((name) => secret.test(name))) || opens(value),
      ))
  return opens(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
}
