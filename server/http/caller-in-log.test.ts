import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

const lines: string[] = []
let api: TestApi
beforeAll(async () => {
  const log = pino({}, { write: (line: string) => lines.push(line) })
  api = await openTestApi({}, undefined, undefined, log)
})
afterAll(() => api.close())

test('each line about a call names its caller, also of a refused one, and never the token', async () => {
  const merchant = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantUser', [{ merchantId: merchant.id, groups: 'all' }])
  const { token } = await anApiToken(api.database, merchant.id)
  const authorization = `Bearer ${token}`
  const refused = { params: { merchantId: merchant.id }, query: {} }
  expect((await api.send('listApiTokens', refused, user)).statusCode).toBe(403)
  expect((await api.send('listApiTokens', { ...refused, headers: { authorization } })).statusCode).toBe(403)
  expect((await api.send('listGroups', refused, user)).statusCode).toBe(200)
  const written = lines.map(
    (line) => JSON.parse(line) as { caller?: string; msg: string; code?: string; status?: number },
  )
  const ofUser = written.filter(({ caller }) => caller === user.subject)
  expect(ofUser.map(({ msg, code, status }) => [msg, code ?? status])).toEqual([
    ['Request refused', 'Forbidden'],
    ['answered', 403],
    ['answered', 200],
  ])
  expect(lines.join('\n')).not.toContain(token)
})
