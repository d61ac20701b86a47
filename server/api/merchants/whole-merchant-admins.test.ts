import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Membership, NewUser } from '#contract/people/user-edit.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'

/* Settings of a merchant admin affect every group, so a user limited to some groups is a group admin or a user. */

let api: TestApi
let merchantId: string
let elsewhere: string
let groupId: string
let by: Record<'provider' | 'admin', TestClient>
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  elsewhere = (await aMerchant(api.database)).id
  groupId = await aGroup(api.database, merchantId, 'North')
  by = {
    provider: api.as(await aUser(api.database, 'superAdmin', [])),
    admin: api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])),
  }
})
afterAll(() => api.close())

const whole = (id = merchantId): Membership => ({ merchantId: id, allGroups: true, groupIds: [] })
const some = (): Membership => ({ merchantId, allGroups: false, groupIds: [groupId] })
const refused = { status: 400, code: 'MerchantAdminWithGroups' }

const newUser = (role: Role, merchants: Membership[]): NewUser => ({
  email: `${randomUUID()}@gettone.test`,
  name: 'Anna',
  language: null,
  role,
  merchants,
  receiveNotifications: false,
})

describe.each(['provider', 'admin'] as const)('created by the %s', (who) => {
  const create = (role: Role, merchants: Membership[]) => by[who].createUser({ body: newUser(role, merchants) })
  const save = async (id: string, change: { role?: Role; merchants: Membership[] }) => {
    const { email, name, language, role, receiveNotifications, version } = await by[who].getUser({
      params: { userId: id },
    })
    const body = { email, name, language, role, receiveNotifications, version, isSuspended: false, ...change }
    return by[who].updateUser({ params: { userId: id }, body })
  }

  test('a merchant admin cannot be limited to some groups', async () => {
    await expect(create('merchantAdmin', [some()])).rejects.toMatchObject(refused)
    expect(await create('merchantAdmin', [whole()])).toMatchObject({ merchants: [{ allGroups: true }] })
  })

  test('a merchant admin cannot be narrowed to some groups later', async () => {
    const { id } = await create('merchantAdmin', [whole()])
    await expect(save(id, { merchants: [some()] })).rejects.toMatchObject(refused)
    expect(await save(id, { role: 'groupAdmin', merchants: [some()] })).toMatchObject({ role: 'groupAdmin' })
  })

  test.each(['groupAdmin', 'merchantUser'] as const)(
    'a %s with some groups cannot become a merchant admin',
    async (role) => {
      const { id } = await create(role, [some()])
      await expect(save(id, { role: 'merchantAdmin', merchants: [some()] })).rejects.toMatchObject(refused)
      expect(await save(id, { role: 'merchantAdmin', merchants: [whole()] })).toMatchObject({ role: 'merchantAdmin' })
    },
  )

  test('a user with all groups gets no single groups in addition', async () => {
    const { id } = await create('merchantAdmin', [whole()])
    const updated = await by[who].associateUserGroup({ params: { userId: id }, body: { groupId } })
    expect(updated).toMatchObject({ version: 1, merchants: [{ merchantId, allGroups: true, groups: [] }] })
  })
})

test('a group of another merchant cannot be assigned to a merchant admin', async () => {
  const { id } = await by.provider.createUser({ body: newUser('merchantAdmin', [whole(elsewhere)]) })
  const giving = by.provider.associateUserGroup({ params: { userId: id }, body: { groupId } })
  await expect(giving).rejects.toMatchObject(refused)
})

describe('if the database contains such a user', () => {
  test.each(['merchantAdmin', 'superAdmin'] as const)('a %s of some groups acts as a group admin', async (role) => {
    const person = await aUser(api.database, role, [
      { merchantId, groups: [groupId] },
      { merchantId: elsewhere, groups: 'all' },
    ])
    const acting = api.as(person, 'merchantAdmin')
    expect(await acting.getMe({})).toMatchObject({ role: 'groupAdmin' })
    for (const id of [merchantId, elsewhere])
      await expect(acting.getMerchantSettings({ params: { merchantId: id } })).rejects.toMatchObject({
        code: 'Forbidden',
      })
    expect(await acting.listGroups({ params: { merchantId }, query: {} })).toMatchObject([{ id: groupId }])
    expect(await api.as(person, 'merchantUser').getMe({})).toMatchObject({ role: 'merchantUser' })
  })
})
