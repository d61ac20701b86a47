import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Membership, NewUser, UpdateUser, UserDetails } from '#contract/people/user-edit.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let elsewhere: string
let groupId: string
let foreignGroup: string
let provider: TestClient
let admin: TestClient
let adminUser: TestUser & { id: string }
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database, { name: 'Mine' })).id
  elsewhere = (await aMerchant(api.database, { name: 'Faraway Ltd' })).id
  groupId = await aGroup(api.database, merchantId, 'North')
  foreignGroup = await aGroup(api.database, elsewhere, 'Secret')
  provider = api.as(await aUser(api.database, 'superAdmin', []))
  adminUser = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(adminUser)
})
afterAll(() => api.close())

const whole = (id = merchantId): Membership => ({ merchantId: id, allGroups: true, groupIds: [] })
const some = (...groupIds: string[]): Membership => ({ merchantId, allGroups: false, groupIds })
const anEmail = () => `${randomUUID()}@gettone.test`
const aNewUser = (with_: Partial<NewUser> = {}): NewUser => ({
  email: anEmail(),
  name: 'Anna Bianchi',
  language: 'it',
  role: 'merchantUser',
  merchants: [whole()],
  receiveNotifications: false,
  ...with_,
})
const create = (with_: Partial<NewUser> = {}, by = admin) => by.createUser({ body: aNewUser(with_) })
/** An edit without changes except the given fields. */
const edited = (user: UserDetails, with_: Partial<UpdateUser> = {}): UpdateUser => ({
  version: user.version,
  email: user.email,
  name: user.name,
  language: user.language,
  role: user.role,
  merchants: user.merchants.map((one) => ({
    merchantId: one.merchantId,
    allGroups: one.allGroups,
    groupIds: one.groups.map(({ id }) => id),
  })),
  receiveNotifications: user.receiveNotifications,
  isSuspended: user.status === 'suspended',
  ...with_,
})
const save = async (id: string, with_: Partial<UpdateUser>, by = admin) =>
  by.updateUser({ params: { userId: id }, body: edited(await by.getUser({ params: { userId: id } }), with_) })
const get = (id: string, by = admin) => by.getUser({ params: { userId: id } })
const drop = (id: string, by = admin) => by.deleteUser({ params: { userId: id } })
const resend = (id: string, by = admin) => by.resendInvitation({ params: { userId: id } })
const mailsTo = async (email: string) =>
  (await api.database.admin<{ n: number }>('select count(*)::int as n from mailbox where recipient = $1', [email]))[0]
    ?.n
const logOf = (id: string) =>
  api.database.admin<{ merchant_id: string; action: string; before: unknown; after: unknown }>(
    'select merchant_id, action, before, after from change_log where subject_id = $1 order by at, id',
    [id],
  )
const membershipsOf = (id: string) =>
  api.database.admin(
    `select m.merchant_id as "merchantId", m.all_groups as "allGroups",
      array(select group_id::text from user_groups g where g.user_id = m.user_id and g.merchant_id = m.merchant_id) as "groupIds"
    from user_merchants m where user_id = $1 order by 1`,
    [id],
  )
const unknown = { status: 404, code: 'UserNotFound' }
const refused = (code: string) => ({ code })

test('a user is created, invited, changed and deleted, with an entry in the merchant’s log each time', async () => {
  const email = anEmail()
  const made = await create({ email: ` ${email.toUpperCase()} `, merchants: [some(groupId)], role: 'groupAdmin' })
  expect(made).toMatchObject({ email, status: 'invited', version: 1, invitation: 'sent', language: 'it' })
  expect(made.merchants).toEqual([
    { merchantId, merchantName: 'Mine', allGroups: false, groups: [{ id: groupId, name: 'North' }] },
  ])
  expect(await mailsTo(email)).toBe(1)
  const saved = await save(made.id, { name: 'Anna Rossi', role: 'merchantUser', merchants: [whole()] })
  expect(saved).toMatchObject({ name: 'Anna Rossi', role: 'merchantUser', version: 2, invitation: null })
  expect(await get(made.id)).toMatchObject({ name: 'Anna Rossi', merchants: [{ allGroups: true, groups: [] }] })
  await drop(made.id)
  await expect(get(made.id)).rejects.toMatchObject(unknown)
  expect(await logOf(made.id)).toMatchObject([
    { merchant_id: merchantId, action: 'user.create', before: null, after: { email, groups: [groupId] } },
    { action: 'user.update', before: { name: 'Anna Bianchi' }, after: { name: 'Anna Rossi', groups: 'all' } },
    { action: 'user.delete', before: { name: 'Anna Rossi' }, after: null },
  ])
})

describe('what is refused', () => {
  test('an address that is taken, without naming its owner', async () => {
    const otherUser = await create({ merchants: [whole(elsewhere)] }, provider)
    const answer = await api.send('createUser', { body: aNewUser({ email: otherUser.email.toUpperCase() }) }, adminUser)
    expect(answer.json()).toMatchObject({ status: 409, code: 'UserAlreadyExists' })
    expect(answer.payload).not.toContain('Faraway')
    expect(answer.payload).not.toContain(otherUser.id)
    const both = await Promise.allSettled([1, 2].map(() => create({ email: 'twice@gettone.test' })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('read-only fields and invalid values are refused', async () => {
    const wrongs = [
      { merchantId },
      { credit: 100 },
      { id: randomUUID() },
      { status: 'active' },
      { issuer: 'x', subject: 'y' },
      { name: 'x'.repeat(10_000) },
      { name: ' ' },
      { name: 'a\0b' },
      { email: 'nobody' },
      { email: '' },
      { email: 'a\r\nBcc: b@c.de' },
      { email: `${'x'.repeat(300)}@gettone.test` },
      { role: 'customer' },
      { language: 'xx' },
      { merchants: [] },
      { merchants: null },
      { merchants: undefined },
      { merchants: [whole(), whole()] },
      { merchants: [{ ...whole(), groupIds: [groupId] }] },
      { merchants: [some(groupId, groupId)] },
      { merchants: [some()] },
      { receiveNotifications: 'yes' },
    ]
    for (const wrong of wrongs)
      await expect(create(wrong as never), JSON.stringify(wrong).slice(0, 60)).rejects.toMatchObject({
        status: 400,
        code: 'ValidationFailed',
      })
    const me = { version: 1, name: 'Me', language: null }
    for (const wrong of [{ role: 'superAdmin' }, { merchantId }, { credit: 1 }, { allowLicensing: true }])
      await expect(admin.updateMe({ body: { ...me, ...wrong } as never })).rejects.toMatchObject(
        refused('ValidationFailed'),
      )
  })

  test('a group admin without a group in one of their merchants', async () => {
    const lacking = refused('GroupAdminMerchantsValidationException')
    const merchants = [some(groupId), { ...some(), merchantId: elsewhere }]
    await expect(create({ role: 'groupAdmin', merchants }, provider)).rejects.toMatchObject(lacking)
    await expect(create({ role: 'groupAdmin', merchants: [whole()] })).rejects.toMatchObject(lacking)
    await expect(save((await create()).id, { role: 'groupAdmin' })).rejects.toMatchObject(lacking)
    const { id } = await create({ role: 'groupAdmin', merchants: [some(groupId)] })
    await expect(save(id, { merchants: [some()] })).rejects.toMatchObject(lacking)
  })

  test('merchants and groups out of the caller’s reach, and groups of another merchant', async () => {
    await expect(create({ merchants: [whole(elsewhere)] })).rejects.toMatchObject(refused('MerchantNotFoundException'))
    await expect(create({ merchants: [whole(randomUUID())] }, provider)).rejects.toMatchObject(
      refused('MerchantNotFoundException'),
    )
    for (const by of [admin, provider])
      await expect(create({ merchants: [some(foreignGroup)] }, by)).rejects.toMatchObject(refused('GroupNotFound'))
  })

  test('a merchant admin who creates, changes or deletes a super admin', async () => {
    const forbidden = { status: 403, code: 'Forbidden' }
    await expect(create({ role: 'superAdmin' })).rejects.toMatchObject(forbidden)
    const { id } = await create()
    await expect(save(id, { role: 'superAdmin' })).rejects.toMatchObject(forbidden)
    const top = await aUser(api.database, 'superAdmin', [{ merchantId, groups: 'all' }])
    await expect(save(top.id, { name: 'Other' })).rejects.toMatchObject(forbidden)
    await expect(drop(top.id)).rejects.toMatchObject(forbidden)
    const invited = await create({ role: 'superAdmin', merchants: [whole()] }, provider)
    await expect(resend(invited.id)).rejects.toMatchObject(forbidden)
  })

  test('users who change their own role, or suspend or delete themselves', async () => {
    const refusal = refused('OwnRights')
    await expect(save(adminUser.id, { role: 'merchantUser' })).rejects.toMatchObject(refusal)
    await expect(save(adminUser.id, { isSuspended: true })).rejects.toMatchObject(refusal)
    await expect(drop(adminUser.id)).rejects.toMatchObject(refusal)
  })

  test('a new address for a user who has signed in', async () => {
    const { id } = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
    await expect(save(id, { email: anEmail() })).rejects.toMatchObject(refused('UserEmailFixed'))
  })
})

test('right-to-left names, emoji and a leading = are stored unchanged', async () => {
  for (const name of ['مدير الشمال', '🥤🇮🇹 Milano', '=HYPERLINK("http://x")', 'x'.repeat(200)])
    expect((await create({ name })).name).toBe(name)
})

describe('invitations', () => {
  test('a new address of an invited user gets a mail, and the previous link ends', async () => {
    const made = await create()
    const email = anEmail()
    expect(await save(made.id, { email })).toMatchObject({ email, invitation: 'sent' })
    expect(await mailsTo(email)).toBe(1)
    const open = await api.database.admin('select 1 from identity_links where user_id = $1 and used_at is null', [
      made.id,
    ])
    expect(open).toHaveLength(1)
  })

  test('are resent only to users who have not signed in', async () => {
    const made = await create()
    await resend(made.id)
    await admin.resendInvitationOfMerchant({ params: { merchantId, userId: made.id } })
    expect(await mailsTo(made.email)).toBe(3)
    await expect(
      provider.resendInvitationOfMerchant({ params: { merchantId: elsewhere, userId: made.id } }),
    ).rejects.toMatchObject(unknown)
    const notInvited = { status: 409, code: 'UserNotInvited' }
    await expect(
      resend((await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])).id),
    ).rejects.toMatchObject(notInvited)
    await save(made.id, { isSuspended: true })
    await expect(resend(made.id)).rejects.toMatchObject(notInvited)
    // Reactivated, the user is invited again.
    expect(await save(made.id, { isSuspended: false })).toMatchObject({ status: 'invited' })
  })

  test('are rate-limited per mailbox', async () => {
    const made = await create()
    for (let sent = 1; sent < 5; sent += 1) await resend(made.id)
    await expect(resend(made.id)).rejects.toMatchObject({ status: 429, code: 'TooManyRequests' })
    expect(await mailsTo(made.email)).toBe(5)
  })
})

describe('a user who belongs to other merchants too', () => {
  const shared = async () =>
    (
      await create(
        { merchants: [whole(), { merchantId: elsewhere, allGroups: false, groupIds: [foreignGroup] }] },
        provider,
      )
    ).id

  test('is changed only in the caller’s merchants; other memberships are neither visible nor changed', async () => {
    const id = await shared()
    const answer = await api.send('getUser', { params: { userId: id } }, adminUser)
    expect(answer.json()).toMatchObject({ belongsElsewhere: true, merchants: [{ merchantId }] })
    for (const hidden of [elsewhere, foreignGroup, 'Faraway', 'Secret']) expect(answer.payload).not.toContain(hidden)
    const saved = await save(id, { merchants: [some(groupId)] })
    expect(saved.merchants).toMatchObject([{ merchantId, groups: [{ id: groupId }] }])
    expect(await membershipsOf(id)).toEqual([
      some(groupId),
      { merchantId: elsewhere, allGroups: false, groupIds: [foreignGroup] },
    ])
    for (const change of [
      { role: 'merchantAdmin' },
      { isSuspended: true },
      { name: 'Mine' },
      { email: anEmail() },
    ] as const)
      await expect(save(id, change)).rejects.toMatchObject({ status: 409, code: 'UserBelongsElsewhere' })
    // The log of one merchant contains nothing about another.
    const entries = (await logOf(id)).filter((entry) => entry.merchant_id === merchantId)
    expect(entries).toHaveLength(2)
    expect(JSON.stringify(entries)).not.toContain(foreignGroup)
  })

  test('loses the caller’s merchants when deleted, and stays in others', async () => {
    const id = await shared()
    await drop(id)
    await expect(get(id)).rejects.toMatchObject(unknown)
    expect(await get(id, provider)).toMatchObject({ merchants: [{ merchantId: elsewhere }] })
    await drop(id, provider)
    await expect(get(id, provider)).rejects.toMatchObject(unknown)
  })
})

test('a group is assigned to a user once', async () => {
  const { id } = await create({ role: 'groupAdmin', merchants: [some(groupId)] })
  const another = await aGroup(api.database, merchantId, 'South')
  const give = (body: { groupId: string; merchantId?: string }, userId = id) =>
    admin.associateUserGroup({ params: { userId }, body })
  expect((await give({ groupId: another })).merchants[0]?.groups).toHaveLength(2)
  expect(await give({ groupId: another, merchantId })).toMatchObject({ version: 2 })
  await expect(give({ groupId: another, merchantId: elsewhere })).rejects.toMatchObject(
    refused('MerchantNotFoundException'),
  )
  await expect(give({ groupId: foreignGroup })).rejects.toMatchObject(refused('GroupNotFound'))
  const everything = await create()
  expect((await give({ groupId }, everything.id)).merchants).toMatchObject([{ allGroups: true, groups: [] }])
  await expect(give({ groupId: another, credit: 1 } as never)).rejects.toMatchObject(refused('ValidationFailed'))
})

test('of two simultaneous edits of a user the later gets the current record and its editor', async () => {
  const made = await create()
  const both = [edited(made, { name: 'First' }), edited(made, { name: 'Second' })]
  const results = await Promise.allSettled(both.map((body) => admin.updateUser({ params: { userId: made.id }, body })))
  const lost = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  const now = await get(made.id)
  expect(lost.reason).toMatchObject({
    status: 409,
    code: 'EditConflict',
    facts: { current: { name: now.name, version: 2 }, changedBy: 'Test merchantAdmin' },
  })
  // The first call, whose answer was lost, stored this already.
  expect(await admin.updateUser({ params: { userId: made.id }, body: edited(now, { version: 1 }) })).toMatchObject({
    version: 2,
  })
})

describe('the last admin', () => {
  const aMerchantWith = async (admins: number) => {
    const { id, name } = await aMerchant(api.database)
    const people = []
    for (let n = 0; n < admins; n += 1)
      people.push(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
    return { id, name, people }
  }

  test('of a merchant cannot be deleted, demoted, suspended or moved', async () => {
    const { id, name, people } = await aMerchantWith(1)
    const only = people[0]?.id ?? ''
    await create({ role: 'merchantAdmin', merchants: [whole(id)] }, provider)
    const last = { status: 409, code: 'LastMerchantAdmin', facts: { merchant: name } }
    for (const change of [{ role: 'merchantUser' as const }, { isSuspended: true }, { merchants: [whole()] }])
      await expect(save(only, change, provider)).rejects.toMatchObject(last)
    await expect(drop(only, provider)).rejects.toMatchObject(last)
    await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
    await drop(only, provider)
  })

  test('is kept when two callers remove the last two admins at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, people } = await aMerchantWith(2)
      const [one, other] = people.map((person) => person.id) as [string, string]
      const both = [
        drop(one, provider),
        round % 2 ? drop(other, provider) : save(other, { isSuspended: true }, provider),
      ]
      const results = await Promise.allSettled(both)
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const left = await api.database.admin(
        `select 1 from users join user_merchants on user_id = users.id where merchant_id = $1 and status = 'active'`,
        [id],
      )
      expect(left).toHaveLength(1)
    }
  })

  test('of the deployment is kept, even when two super admins remove each other', async () => {
    const fresh = await openTestApi()
    try {
      const one = await aUser(fresh.database, 'superAdmin', [])
      const other = await aUser(fresh.database, 'superAdmin', [])
      const results = await Promise.allSettled([
        fresh.as(one).deleteUser({ params: { userId: other.id } }),
        fresh.as(other).deleteUser({ params: { userId: one.id } }),
      ])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const left = await fresh.database.admin(`select 1 from users where role = 'superAdmin' and status = 'active'`)
      expect(left).toHaveLength(1)
    } finally {
      await fresh.close()
    }
  })
})

test('a group that is deleted meanwhile cannot be assigned', async () => {
  for (let round = 0; round < 5; round += 1) {
    const doomed = await aGroup(api.database, merchantId)
    await Promise.allSettled([
      admin.deleteGroup({ params: { merchantId, groupId: doomed } }),
      create({ merchants: [some(doomed)] }),
    ])
    const orphans = await api.database.admin(
      'select 1 from user_groups g where group_id = $1 and $1 <> all(array(select id from groups where id = $1))',
      [doomed],
    )
    expect(orphans).toEqual([])
  }
})
