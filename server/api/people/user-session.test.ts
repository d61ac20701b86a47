import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aSession } from '#testkit/browser/sessions.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let admin: TestUser & { id: string }
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const aPerson = (...merchants: string[]) =>
  aUser(
    api.database,
    'merchantUser',
    merchants.map((id) => ({ merchantId: id, groups: 'all' as const })),
  )
const list = (userId: string, by: TestUser = admin) => api.as(by).listUserSessions({ params: { userId } })
const end = (userId: string, sessionId: string, by: TestUser = admin) =>
  api.as(by).endUserSession({ params: { userId, sessionId } })
const endAll = (userId: string, by: TestUser = admin) => api.as(by).endUserSessions({ params: { userId } })

test('an admin sees the sessions of a user and ends one; it ends at the provider too and is recorded', async () => {
  const person = await aPerson(merchantId)
  const phone = await aSession(api.database, person.id)
  const desk = await aSession(api.database, person.id)
  const { items, isKeptElsewhere } = await list(person.id)
  expect(isKeptElsewhere).toBe(false)
  expect(items.map(({ id }) => id).sort()).toEqual([phone, desk].sort())
  expect(items[0]).toMatchObject({ isCurrent: false, address: '192.0.2.7', isLocal: false })
  await end(person.id, phone)
  expect((await list(person.id)).items.map(({ id }) => id)).toEqual([desk])
  expect(await api.database.admin(`select 1 from identity_state where model = 'Session'`)).toHaveLength(1)
  await expect(end(person.id, phone)).rejects.toMatchObject({ code: 'SessionNotFound' })
  const { items: log } = await api.as(admin).listChangeLog({ params: { merchantId }, query: { size: 1 } })
  expect(log).toMatchObject([{ action: 'user.endSessions', subjectId: person.id, before: { sessions: 1 } }])
})

test('all sessions of a user end at once, with every token issued so far', async () => {
  const person = await aPerson(merchantId)
  await aSession(api.database, person.id)
  await aSession(api.database, person.id)
  const token = api.tokenOf(person)
  const isIn = async () =>
    (await api.app.inject({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode
  expect(await isIn()).toBe(200)
  expect(await endAll(person.id)).toEqual({ ended: 2 })
  expect(await isIn()).toBe(401)
  expect((await list(person.id)).items).toEqual([])
  expect(await endAll(person.id)).toEqual({ ended: 0 })
})

test('a session of another user is not found below this one', async () => {
  const person = await aPerson(merchantId)
  const session = await aSession(api.database, admin.id)
  await expect(end(person.id, session)).rejects.toMatchObject({ code: 'SessionNotFound' })
  expect((await list(admin.id)).items.map(({ id }) => id)).toEqual([session])
})

test('sessions of strangers, of the provider, and of users shared with other merchants stay closed to an admin', async () => {
  const elsewhere = (await aMerchant(api.database)).id
  const provider = await aUser(api.database, 'superAdmin', [{ merchantId, groups: 'all' }])
  const shared = await aPerson(merchantId, elsewhere)
  const refusals = [
    [await aPerson(elsewhere), 'UserNotFound'],
    [shared, 'UserBelongsElsewhere'],
    [provider, 'Forbidden'],
  ] as const
  for (const [{ id }, code] of refusals) {
    const session = await aSession(api.database, id)
    await expect(list(id)).rejects.toMatchObject({ code })
    await expect(end(id, session)).rejects.toMatchObject({ code })
    await expect(endAll(id)).rejects.toMatchObject({ code })
  }
  await expect(list(shared.id, await aPerson(merchantId))).rejects.toMatchObject({ code: 'Forbidden' })
  expect((await list(shared.id, provider)).items).toHaveLength(1)
})
