import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ TOKEN_CALLS: '5', USER_CALLS: '8' })
})
afterAll(() => api.close())

const minuteNow = () => Math.floor(Date.now() / 60_000)
const listOf = (merchantId: string, bearer: string) =>
  api.app.inject({ url: `/api/v1/merchants/${merchantId}/pos/paged`, headers: { authorization: `Bearer ${bearer}` } })

/** Calls as often as said within one minute; a minute that ends in between starts the calls again with another caller. */
async function withinMinute<T>(calls: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = minuteNow()
    const result = await calls()
    if (began === minuteNow()) return result
  }
}

test('a token’s answers say its limit and what is left; above it they are 429 with the seconds to wait', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const answers = await withinMinute(async () => {
    const { token } = await anApiToken(api.database, merchantId)
    const all = []
    for (let call = 0; call < 7; call++) all.push(await listOf(merchantId, token))
    return all
  })
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(answers[0]?.headers['ratelimit-policy']).toBe('"token";q=5;w=60')
  expect(answers.map(({ headers }) => /^"token";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1])).toEqual([
    '4',
    '3',
    '2',
    '1',
    '0',
    '0',
    '0',
  ])
  const [refused] = answers.slice(5)
  expect(refused?.json()).toMatchObject({ code: 'TooManyRequests', status: 429 })
  const seconds = Number(refused?.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
})

test('each token and each user has a limit of their own', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const someone = async () => (await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])) as TestUser
  const [first, second] = await withinMinute(async () => {
    const one = api.tokenOf(await someone())
    const other = api.tokenOf(await someone())
    for (let call = 0; call < 8; call++) await listOf(merchantId, one)
    return [await listOf(merchantId, one), await listOf(merchantId, other)]
  })
  expect([first?.statusCode, second?.statusCode]).toEqual([429, 200])
  expect(second?.headers.ratelimit).toMatch(/^"user";r=7;t=\d+$/)
})
