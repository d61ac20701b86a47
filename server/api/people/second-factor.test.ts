import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let admin: TestUser & { id: string }
beforeAll(async () => {
  api = await openTestApi({ SUPER_ADMIN_SECOND_FACTOR: 'true' })
  merchantId = (await aMerchant(api.database)).id
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const strong = { at: new Date(), hasSecondFactor: true }
const aFactor = (userId: string) =>
  api.database.admin(
    `insert into identity_factors (id, user_id, kind, name, created_at, sealed_secret) values ($1, $2, 'app', 'Phone', now(), 'x')`,
    [randomUUIDv7(), userId],
  )
const factorsOf = (userId: string) => api.database.admin('select 1 from identity_factors where user_id = $1', [userId])
const reset = (by: TestUser, userId: string) => api.as(by).removeSecondFactors({ params: { userId } })

test('an admin sees and removes the second factors of a user; it is recorded, and the user is notified', async () => {
  const person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await aFactor(person.id)
  await api.database.admin(`insert into identity_recovery_codes (user_id, hash) values ($1, 'x')`, [person.id])
  expect(await api.as(admin).getUser({ params: { userId: person.id } })).toMatchObject({ secondFactors: 1 })
  await reset(admin, person.id)
  expect(await api.as(admin).getUser({ params: { userId: person.id } })).toMatchObject({ secondFactors: 0 })
  expect(await api.database.admin('select 1 from identity_recovery_codes where user_id = $1', [person.id])).toEqual([])
  const { items } = await api.as(admin).listChangeLog({ params: { merchantId }, query: { size: 1 } })
  expect(items).toMatchObject([
    {
      action: 'user.removeSecondFactors',
      subjectId: person.id,
      before: { secondFactors: 1 },
      after: { secondFactors: 0 },
    },
  ])
  const [mail] = await api.database.admin(
    'select m.subject from mailbox m join users u on u.email = m.recipient where u.id = $1',
    [person.id],
  )
  expect(mail?.subject).toBe('Two-step sign-in was reset')
  await expect(reset(admin, person.id)).rejects.toMatchObject({ code: 'SecondFactorNotFound' })
})

test('the second factors of other users stay: the admin’s own, and of strangers, of the provider, of users shared with others', async () => {
  const elsewhere = (await aMerchant(api.database)).id
  const stranger = await aUser(api.database, 'merchantUser', [{ merchantId: elsewhere, groups: 'all' }])
  const shared = await aUser(api.database, 'merchantUser', [
    { merchantId, groups: 'all' },
    { merchantId: elsewhere, groups: 'all' },
  ])
  const provider = await aUser(api.database, 'superAdmin', [{ merchantId, groups: 'all' }])
  for (const { id } of [admin, stranger, shared, provider]) await aFactor(id)
  const refusals = [
    [admin, 'OwnRights'],
    [stranger, 'UserNotFound'],
    [shared, 'UserBelongsElsewhere'],
    [provider, 'Forbidden'],
  ] as const
  for (const [{ id }, code] of refusals) {
    await expect(reset(admin, id)).rejects.toMatchObject({ code })
    expect(await factorsOf(id)).toHaveLength(1)
  }
  const groupId = await aGroup(api.database, merchantId)
  const groupAdmin = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  await expect(reset(groupAdmin, shared.id)).rejects.toMatchObject({ code: 'Forbidden' })
  await reset({ ...provider, proof: strong }, shared.id)
  expect(await factorsOf(shared.id)).toEqual([])
})

test('an admin chooses the roles that need a second factor, and the change is in the log', async () => {
  const { id } = await aMerchant(api.database)
  const chooser = {
    ...(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])),
    proof: strong,
  }
  const params = { merchantId: id }
  const set = (secondFactorRoles: Role[]) => api.as(chooser).updateSignInRules({ params, body: { secondFactorRoles } })
  expect(await api.as(chooser).getSignInRules({ params })).toEqual({ secondFactorRoles: [] })
  expect(await set(['groupAdmin', 'merchantAdmin'])).toEqual({ secondFactorRoles: ['merchantAdmin', 'groupAdmin'] })
  await set(['merchantAdmin', 'groupAdmin'])
  const { items } = await api.as(chooser).listChangeLog({ params, query: {} })
  expect(items).toMatchObject([
    {
      action: 'merchantSettings.update',
      before: { secondFactorRoles: [] },
      after: { secondFactorRoles: ['merchantAdmin', 'groupAdmin'] },
    },
  ])
  await expect(set(['superAdmin'])).rejects.toMatchObject({ code: 'ValidationFailed' })
  await expect(set(['groupAdmin', 'groupAdmin'])).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a merchant is closed to a sign-in that lacks its second factor; other merchants and earlier sign-ins are not', async () => {
  const strict = (await aMerchant(api.database)).id
  const lax = (await aMerchant(api.database)).id
  const person = await aUser(api.database, 'merchantAdmin', [
    { merchantId: strict, groups: 'all' },
    { merchantId: lax, groups: 'all' },
  ])
  const before = { at: new Date(Date.now() - 60_000), hasSecondFactor: false }
  await api
    .as({ ...person, proof: strong })
    .updateSignInRules({ params: { merchantId: strict }, body: { secondFactorRoles: ['merchantAdmin'] } })
  const now = { at: new Date(Date.now() + 1000), hasSecondFactor: false }
  const read = (proof: typeof now, id: string) =>
    api.as({ ...person, proof }).listMachines({ params: { merchantId: id } })
  await expect(read(now, strict)).rejects.toMatchObject({ status: 403, code: 'SecondFactorRequired' })
  expect(await read(now, lax)).toMatchObject({ total: 0 })
  expect(await read(before, strict)).toMatchObject({ total: 0 })
  expect(await read({ ...now, hasSecondFactor: true }, strict)).toMatchObject({ total: 0 })
  const merchants = await api.as({ ...person, proof: now }).listMyMerchants({})
  expect(merchants.find(({ id }) => id === strict)?.closedBy).toBe('SecondFactorRequired')
  expect(merchants.find(({ id }) => id === lax)?.closedBy).toBeNull()
  // A rule for another role, and a lesser role in the token, count by the role that applies.
  const asUser = api.as({ ...person, proof: now }, 'merchantUser')
  expect(await asUser.listMachines({ params: { merchantId: strict } })).toMatchObject({ total: 0 })
})

test('super admins without a second factor are refused where the deployment requires it', async () => {
  const provider = await aUser(api.database, 'superAdmin', [])
  await expect(api.as(provider).getMe({})).rejects.toMatchObject({ status: 403, code: 'SecondFactorRequired' })
  expect(await api.as({ ...provider, proof: strong }).getMe({})).toMatchObject({ role: 'superAdmin' })
})
