import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { tokenPermissions } from '#contract/merchants/api-token.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { type Aim, samples } from '#testkit/access/access-samples.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'

/*
 * The API token as one more principal: every endpoint, with the permission and without it, at its own merchant and at a foreign one.
 * The calls are those of the access matrix, so an endpoint that is missing does not compile.
 */

let api: TestApi
let own: Aim
let foreign: Aim
/** One that has all that there is, and one for each permission without it. */
let whole: string
const lacking = new Map<string, string>()

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  ;({ own, foreign } = await accessAims(api))
  whole = (await anApiToken(api.database, own.merchantId)).token
  for (const one of tokenPermissions) {
    const others = tokenPermissions.filter((each) => each !== one)
    lacking.set(one, (await anApiToken(api.database, own.merchantId, others)).token)
  }
})
afterAll(() => api.close())

const names = Object.keys(endpoints) as EndpointName[]
const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const isGivable = (needs: string) => (tokenPermissions as readonly string[]).includes(needs)
/** What a token may be let into: reading, of its one merchant, what a permission of its own is for. */
const mayOpen = (name: EndpointName) => {
  const { method, path, needs } = rowOf(name)
  return method === 'GET' && path.startsWith('/merchants/{merchantId}/') && isGivable(needs)
}

const callWith = async (name: EndpointName, aim: Aim, token: string) => {
  const input = samples[name].input(aim)
  return api.send(name, { ...input, headers: { ...input.headers, authorization: `Bearer ${token}` } })
}

test('a token opens some of the endpoints', () => {
  expect(names.filter(mayOpen).length).toBeGreaterThan(20)
  expect(names.filter((name) => !mayOpen(name)).length).toBeGreaterThan(20)
})

describe.each(names.filter((name) => rowOf(name).needs !== 'anyone'))('%s', (name) => {
  test('with the permission, at its own merchant', async () => {
    const { statusCode } = await callWith(name, own, whole)
    if (mayOpen(name)) expect([200, 404]).toContain(statusCode)
    else expect(statusCode).toBe(403)
    // Nothing of one's own is missing.
    if (statusCode === 404) expect((await callWith(name, own, whole)).json().code).toBe('NotFound')
  })

  test('without the permission', async () => {
    const token = lacking.get(rowOf(name).needs) ?? whole
    if (!mayOpen(name) || lacking.has(rowOf(name).needs))
      expect((await callWith(name, own, token)).statusCode).toBe(403)
  })

  test('at another merchant, through its path, one’s own and that of all', async () => {
    if (!mayOpen(name)) return
    expect((await callWith(name, foreign, whole)).statusCode).toBe(404)
    for (const merchantId of [own.merchantId, allMerchants]) {
      const { statusCode, payload } = await callWith(name, { ...foreign, merchantId }, whole)
      if (samples[name].names === 'machine') expect(statusCode).toBe(404)
      const { merchantId: _, ...ids } = foreign
      if (statusCode === 200) for (const id of Object.values(ids)) expect(payload).not.toContain(id)
    }
  })
})
