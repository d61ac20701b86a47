import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
const lines: string[] = []
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  api = await openTestApi({}, undefined, undefined, log)
})
afterAll(() => api.close())

test('the log has lines of JSON about answered and refused calls, and none has a name, a mail address, a search, a body or a token', async () => {
  const { id: merchantId } = await aMerchant(api.database, { name: 'Ristorante Zagabria' })
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const [found] = await api.database.admin<{ email: string; name: string }>(
    'select email, name from users where subject = $1',
    [user.subject],
  )
  const { email = '', name = '' } = found ?? {}
  const params = { merchantId }
  const body = { code: 'C1', name: 'Elisabetta Quaglia', country: 'IT', contactEmail: 'quaglia@example.com' }
  const statuses = [
    await api.send('createClient', { params, body }, user),
    // Refused: the value is in the problem document, not in the log.
    await api.send('createClient', { params, body: { ...body, contactEmail: 'quaglia at example' } }, user),
    await api.send('createClient', { params, body }, user),
    await api.send('listClients', { params, query: { search: 'Quaglia' } }, user),
  ].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([201, 400, 409, 200])
  const { token } = await anApiToken(api.database, merchantId)
  for (const bearer of [token, `${token}x`])
    await api.app.inject({
      url: `/api/v1/merchants/${merchantId}/pos/paged?search=Quaglia`,
      headers: { authorization: `Bearer ${bearer}` },
    })
  expect(lines.length).toBeGreaterThan(6)
  const written = lines.join('')
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) })
  for (const personal of [email, name, 'Quaglia', 'quaglia', 'Zagabria', token, api.tokenOf(user)])
    expect(written, personal).not.toContain(personal)
})
