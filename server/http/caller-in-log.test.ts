import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aCustomer } from '#testkit/nouns/customers.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'

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

test('a sign-in of a customer is in the log with its address, and so is a refused one', async () => {
  const { id } = await aMerchant(api.database)
  const portalSlug = await aPortal(api.database, id)
  const { email, customerId } = await aCustomer(api.database, id, { password: 'Coffee-at-9' })
  lines.length = 0
  for (const password of ['Coffee-at-8', 'Coffee-at-9'])
    await api.send('signInByPassword', { params: { portalSlug }, body: { email, password } })
  const written = lines.map((line) => JSON.parse(line) as { msg: string })
  expect(written.filter(({ msg }) => msg !== 'answered')).toMatchObject([
    { msg: 'Request refused', code: 'SignInRefused', address: '127.0.0.1' },
    { msg: 'A customer signed in', caller: customerId, address: '127.0.0.1', isByLink: false },
  ])
  expect(lines.join('')).not.toMatch(/Coffee|@/)
})
