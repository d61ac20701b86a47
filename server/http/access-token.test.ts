import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { isOfAreas, tokenPermissions } from '#contract/merchants/api-token.ts'
import { scopeOfCall, type TokenScope, tokenScopeNames } from '#contract/merchants/token-scope.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { placesOf } from '#testkit/access/trial.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken, aScopedToken } from '#testkit/api-tokens.ts'

/*
 * The API token as another principal: every endpoint, with and without its scope (or, of tokens from before, its area), at its own and at a
 * foreign merchant. The calls are those of the access matrix, so a missing endpoint does not compile.
 */

let api: TestApi
let ownAim: Aim
let foreign: Aim
/** A token with all scopes, one per scope that lacks it, and one per scope that has no other. */
let whole: string
const lacking = new Map<string, string>()
const having = new Map<string, string>()
/** The same by areas. */
let wholeOfAreas: string
const lackingArea = new Map<string, string>()

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  ;({ ownAim, foreign } = await accessAims(api))
  const { merchantId } = ownAim
  whole = (await aScopedToken(api.database, merchantId, tokenScopeNames)).token
  for (const one of tokenScopeNames) {
    const others = tokenScopeNames.filter((each) => each !== one)
    lacking.set(one, (await aScopedToken(api.database, merchantId, others)).token)
    having.set(one, (await aScopedToken(api.database, merchantId, [one])).token)
  }
  wholeOfAreas = (await anApiToken(api.database, merchantId)).token
  for (const one of tokenPermissions) {
    const others = tokenPermissions.filter((each) => each !== one)
    lackingArea.set(one, (await anApiToken(api.database, merchantId, others)).token)
  }
})
afterAll(() => api.close())

const names = Object.keys(endpoints) as EndpointName[]
const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const callWith = async (name: EndpointName, aim: Aim, token: string) => {
  const input = samples[name].input(aim)
  return api.send(name, { ...input, headers: { ...input.headers, authorization: `Bearer ${token}` } })
}

const isOpen = ({ statusCode }: { statusCode: number }) => statusCode >= 200 && statusCode < 300

test('a token opens some of the endpoints', () => {
  expect(names.filter((name) => scopeOfCall(name)).length).toBeGreaterThan(20)
  expect(names.filter((name) => !scopeOfCall(name)).length).toBeGreaterThan(20)
})

const called = names.filter((name) => rowOf(name).needs !== 'anyone')
const reads = (name: EndpointName) => rowOf(name).method === 'GET'

test.each(called)('%s, with a token from before there were scopes', async (name) => {
  const opens = isOfAreas(rowOf(name))
  const atHome = await callWith(name, ownAim, wholeOfAreas)
  if (!opens) expect(`at its merchant: ${atHome.statusCode}`).toBe('at its merchant: 403')
  else if (atHome.statusCode !== 200) expect(atHome.json()).toMatchObject({ status: 404, code: 'NotFound' })
  const token = lackingArea.get(rowOf(name).needs)
  if (token) expect(`without it: ${(await callWith(name, ownAim, token)).statusCode}`).toBe('without it: 403')
  if (opens) expect(token, 'an area that no token can lack').toBeDefined()
})

// A change may remove what another call reads.
test.each(called.toSorted((a, b) => Number(reads(b)) - Number(reads(a))))('%s', async (name) => {
  const scope: TokenScope | undefined = scopeOfCall(name)
  if (!scope) {
    expect(`at its merchant: ${(await callWith(name, ownAim, whole)).statusCode}`).toBe('at its merchant: 403')
    return
  }
  expect(`without it: ${(await callWith(name, ownAim, lacking.get(scope) ?? '')).statusCode}`).toBe('without it: 403')
  const alone = await callWith(name, ownAim, having.get(scope) ?? '')
  // A change of a record that an earlier one has removed or overtaken is refused for that reason.
  if (!isOpen(alone) && reads(name)) expect(alone.json()).toMatchObject({ status: 404, code: 'NotFound' })
  else if (!isOpen(alone)) expect([400, 404, 409], alone.payload).toContain(alone.statusCode)

  expect(`elsewhere: ${(await callWith(name, foreign, whole)).statusCode}`).toBe('elsewhere: 404')
  const naming = placesOf(name).some(({ part, field }) => part === 'params' && field.noun !== 'merchantId')
  for (const merchantId of [ownAim.merchantId, allMerchants]) {
    const { statusCode, payload } = await callWith(name, { ...foreign, merchantId }, whole)
    if (naming) expect(`through ${merchantId}: ${statusCode}`).toBe(`through ${merchantId}: 404`)
    const { merchantId: _, ...ids } = foreign
    if (statusCode === 200 && reads(name)) for (const id of Object.values(ids)) expect(payload).not.toContain(id)
  }
})
