import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { tokenPermissions } from '#contract/merchants/api-token.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { placesOf } from '#testkit/access/trial.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'

/*
 * The API token as another principal: every endpoint, with and without the permission, at its own and at a foreign
 * merchant. The calls are those of the access matrix, so a missing endpoint does not compile.
 */

let api: TestApi
let ownAim: Aim
let foreign: Aim
/** A token with all permissions, and one token per permission that lacks it. */
let whole: string
const lacking = new Map<string, string>()

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  ;({ ownAim, foreign } = await accessAims(api))
  whole = (await anApiToken(api.database, ownAim.merchantId)).token
  for (const one of tokenPermissions) {
    const others = tokenPermissions.filter((each) => each !== one)
    lacking.set(one, (await anApiToken(api.database, ownAim.merchantId, others)).token)
  }
})
afterAll(() => api.close())

const names = Object.keys(endpoints) as EndpointName[]
const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const isGivable = (needs: string) => (tokenPermissions as readonly string[]).includes(needs)
/** A token may only read, within its one merchant, endpoints of a permission that tokens can have. */
const mayOpen = (name: EndpointName) => {
  const { method, path, needs } = rowOf(name)
  return method === 'GET' && path.includes('{merchantId}') && isGivable(needs)
}

const callWith = async (name: EndpointName, aim: Aim, token: string) => {
  const input = samples[name].input(aim)
  return api.send(name, { ...input, headers: { ...input.headers, authorization: `Bearer ${token}` } })
}

test('a token opens some of the endpoints', () => {
  expect(names.filter(mayOpen).length).toBeGreaterThan(20)
  expect(names.filter((name) => !mayOpen(name)).length).toBeGreaterThan(20)
})

test.each(names.filter((name) => rowOf(name).needs !== 'anyone'))('%s', async (name) => {
  const opens = mayOpen(name)
  const atHome = await callWith(name, ownAim, whole)
  if (!opens) expect(`at its merchant: ${atHome.statusCode}`).toBe('at its merchant: 403')
  else if (atHome.statusCode !== 200) expect(atHome.json()).toMatchObject({ status: 404, code: 'NotFound' })

  const token = lacking.get(rowOf(name).needs)
  if (token) expect(`without it: ${(await callWith(name, ownAim, token)).statusCode}`).toBe('without it: 403')
  if (!opens) return
  expect(token, 'a permission that no token can lack').toBeDefined()

  expect(`elsewhere: ${(await callWith(name, foreign, whole)).statusCode}`).toBe('elsewhere: 404')
  const naming = placesOf(name).some(({ part, field }) => part === 'params' && field.noun !== 'merchantId')
  for (const merchantId of [ownAim.merchantId, allMerchants]) {
    const { statusCode, payload } = await callWith(name, { ...foreign, merchantId }, whole)
    if (naming) expect(`through ${merchantId}: ${statusCode}`).toBe(`through ${merchantId}: 404`)
    const { merchantId: _, ...ids } = foreign
    if (statusCode === 200) for (const id of Object.values(ids)) expect(payload).not.toContain(id)
  }
})
