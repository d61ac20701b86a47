import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import type { LiveHint } from '#contract/frame/live.ts'
import { mostGroupsListed, mostMoved } from '#contract/merchants/group.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { startLiveHub } from '#server/live/hub.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { narrowHint } from '../platform/live.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (groupId: string) => ({ merchantId, groupId })
const create = (name: string, by = admin) => by.createGroup({ params: { merchantId }, body: { name } })
const groupAdmin = (groups: string[]) => aUser(api.database, 'groupAdmin', [{ merchantId, groups }])
const groupOf = async (id: string) =>
  (await api.database.admin<{ group_id: string | null }>('select group_id from machines where id = $1', [id]))[0]
    ?.group_id
const groupsOf = (userId: string) =>
  api.database.admin('select group_id from user_groups where user_id = $1 order by 1', [userId])

test('a group is created, read, renamed and deleted, with an entry in the change log each time', async () => {
  const made = await create('North')
  expect(made).toEqual({ id: made.id, merchantId, name: 'North', version: 1, machines: 0, people: 0 })
  expect(await admin.getGroup({ params: of(made.id) })).toEqual(made)
  const renamed = await admin.updateGroup({ params: of(made.id), body: { version: 1, name: 'Far north' } })
  expect(renamed).toEqual({ ...made, name: 'Far north', version: 2 })
  await admin.deleteGroup({ params: of(made.id) })
  await expect(admin.getGroup({ params: of(made.id) })).rejects.toMatchObject({ status: 404, code: 'GroupNotFound' })
  const log = await api.database.admin(
    'select action, before, after from change_log where subject_id = $1 order by at',
    [made.id],
  )
  expect(log).toMatchObject([
    { action: 'group.create', before: null, after: { name: 'North' } },
    { action: 'group.update', before: { name: 'North' }, after: { name: 'Far north' } },
    { action: 'group.delete', before: { name: 'Far north' }, after: null },
  ])
})

test('a name is unique within its merchant, even with simultaneous calls', async () => {
  const refused = { status: 409, code: 'GroupNameTaken' }
  const made = await Promise.allSettled([create('Twice'), create('Twice'), create('Twice')])
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused)
  const other = await create('Once')
  const renaming = admin.updateGroup({ params: of(other.id), body: { version: 1, name: 'Twice' } })
  await expect(renaming).rejects.toMatchObject(refused)
  const elsewhere = (await aMerchant(api.database)).id
  const otherAdmin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: elsewhere, groups: 'all' }]))
  expect(await otherAdmin.createGroup({ params: { merchantId: elsewhere }, body: { name: 'Twice' } })).toMatchObject({
    name: 'Twice',
  })
})

test('right-to-left names, emoji and a leading = are stored unchanged', async () => {
  for (const name of ['مجموعة الشمال', '🥤🇮🇹 Milano', '=HYPERLINK("http://x")', 'x'.repeat(200)])
    expect((await create(name)).name).toBe(name)
})

test('direction marks are removed from a name', async () => {
  expect((await create('\u202Eover\u202C\nthere')).name).toBe('over there')
})

test('empty or too long names and read-only fields are refused', async () => {
  const { id } = await create('Sound')
  const wrongs = [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(10_000) }, { name: 'a\0b' }, { name: null }]
  for (const body of [...wrongs, { name: 'A', merchantId }, { name: 'A', id: randomUUID() }])
    await expect(admin.createGroup({ params: { merchantId }, body: body as never })).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
  const sound = { version: 1, name: 'Sound' }
  const one = randomUUID()
  for (const body of [
    { name: 'Sound' },
    { ...sound, version: 0 },
    { ...sound, addedPosIds: ['x'] },
    { ...sound, addedPosIds: [one, one] },
    { ...sound, addedPosIds: [one], removedPosIds: [one] },
    { ...sound, addedPosIds: Array.from({ length: mostMoved + 1 }, () => randomUUID()) },
    { ...sound, people: 3 },
  ])
    await expect(admin.updateGroup({ params: of(id), body: body as never })).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
})

test('of two simultaneous edits of a group the later gets the current record and its editor', async () => {
  const { id } = await create('Contested')
  await admin.updateGroup({ params: of(id), body: { version: 1, name: 'Theirs' } })
  await expect(admin.updateGroup({ params: of(id), body: { version: 1, name: 'Mine' } })).rejects.toMatchObject({
    status: 409,
    code: 'EditConflict',
    facts: { current: { name: 'Theirs', version: 2 }, changedBy: 'Test merchantAdmin' },
  })
})

test('machines join and leave a group, and an assignment that exists already is not logged again', async () => {
  const from = await aGroup(api.database, merchantId)
  const to = await aGroup(api.database, merchantId)
  const entering = await aMachine(api.database, merchantId, { groupId: from })
  const leaving = await aMachine(api.database, merchantId, { groupId: to })
  const name = 'Moved into'
  const body = { version: 1, name, addedPosIds: [entering.id], removedPosIds: [leaving.id] }
  expect(await admin.updateGroup({ params: of(to), body })).toMatchObject({ machines: 1, version: 2 })
  expect([await groupOf(entering.id), await groupOf(leaving.id)]).toEqual([to, null])
  const again = await admin.updateGroup({ params: of(to), body: { ...body, version: 2 } })
  expect(again).toMatchObject({ machines: 1, version: 2 })
})

test('renaming a group moves no machine', async () => {
  const group = await aGroup(api.database, merchantId)
  const other = await aGroup(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { groupId: other })
  const renamed = await admin.updateGroup({ params: of(group), body: { version: 1, name: 'Renamed alone' } })
  expect(renamed).toMatchObject({ version: 2, machines: 0 })
  expect(await groupOf(machine.id)).toBe(other)
})

test('a machine of another merchant, or of a group out of reach, refuses the whole change', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const other = await aGroup(api.database, merchantId)
  const narrow = api.as(await groupAdmin([ownGroup]))
  const ownMachine = await aMachine(api.database, merchantId, { groupId: ownGroup })
  const hidden = await aMachine(api.database, merchantId, { groupId: other })
  const foreign = await aMachine(api.database, (await aMerchant(api.database)).id)
  for (const { id } of [hidden, foreign]) {
    const body = { version: 1, name: 'Never', addedPosIds: [ownMachine.id, id] }
    const refused = narrow.updateGroup({ params: of(ownGroup), body })
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'MachineNotFound' })
  }
  expect((await narrow.getGroup({ params: of(ownGroup) })).version).toBe(1)
  expect(await groupOf(hidden.id)).toBe(other)
  const letGo = narrow.updateGroup({
    params: of(ownGroup),
    body: { version: 1, name: 'A', removedPosIds: [ownMachine.id] },
  })
  await expect(letGo).rejects.toMatchObject({ code: 'GroupRequired' })
})

test('under all merchants no group is created, and no machine joins a group of another merchant', async () => {
  const elsewhere = (await aMerchant(api.database)).id
  const both = [merchantId, elsewhere].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const admins = api.as(await aUser(api.database, 'merchantAdmin', both))
  const group = await aGroup(api.database, merchantId)
  const machine = await aMachine(api.database, elsewhere)
  const params = { merchantId: allMerchants, groupId: group }
  const moving = admins.updateGroup({ params, body: { version: 1, name: 'A', addedPosIds: [machine.id] } })
  await expect(moving).rejects.toMatchObject({ code: 'MachineNotFound' })
  const making = admins.createGroup({ params: { merchantId: allMerchants }, body: { name: 'Nobody’s' } })
  await expect(making).rejects.toMatchObject({ status: 400, code: 'MerchantNotSelected' })
})

test('a group admin sees only assigned groups and groups they created', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const other = await aGroup(api.database, merchantId)
  const person = await groupAdmin([ownGroup])
  const narrow = api.as(person)
  const made = await create('Of a group admin', narrow)
  expect(made.people).toBe(1)
  const visibleGroups = await narrow.listGroups({ params: { merchantId } })
  expect(visibleGroups.map(({ id }) => id).sort()).toEqual([ownGroup, made.id].sort())
  for (const call of [
    () => narrow.getGroup({ params: of(other) }),
    () => narrow.updateGroup({ params: of(other), body: { version: 1, name: 'A' } }),
    () => narrow.deleteGroup({ params: of(other) }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404, code: 'GroupNotFound' })
  await narrow.deleteGroup({ params: of(made.id) })
  expect(await groupsOf(person.id)).toEqual([{ group_id: ownGroup }])
  const last = narrow.deleteGroup({ params: of(ownGroup) })
  await expect(last).rejects.toMatchObject({ code: 'GroupAdminMerchantsValidationException' })
})

test('users limited to some groups cannot reach others by selecting them', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const other = await aGroup(api.database, merchantId)
  const person = await groupAdmin([ownGroup])
  const headers = { [groupsHeader]: other }
  const answer = await api.send('createGroup', { params: { merchantId }, body: { name: 'Past' }, headers }, person)
  expect(answer.json()).toMatchObject({ status: 404, code: 'GroupNotFound' })
})

test('a group in use cannot be deleted, and the blocking objects are shown to users who may see them', async () => {
  const group = await aGroup(api.database, merchantId)
  const hidden = await aMachine(api.database, merchantId, { groupId: group, columns: { hidden: true } })
  const one = await groupAdmin([group])
  const other = await groupAdmin([group])
  const name = (await api.database.admin<{ name: string }>('select name from machines where id = $1', [hidden.id]))[0]
    ?.name
  const facts = { machines: 1, people: 2, firstMachines: [{ id: hidden.id, name }] }
  await expect(admin.deleteGroup({ params: of(group) })).rejects.toMatchObject({
    status: 409,
    code: 'GroupInUse',
    facts: { ...facts, firstPeople: [one.id, other.id].sort().map((id) => ({ id, name: 'Test groupAdmin' })) },
  })
  const deletion = api.as(one).deleteGroup({ params: of(group) })
  await expect(deletion).rejects.toMatchObject({ code: 'GroupInUse', facts: { ...facts, people: 1, firstPeople: [] } })
  expect(await admin.getGroup({ params: of(group) })).toMatchObject({ machines: 0, people: 2 })
})

test('a membership in a deleted group shows nothing and is not counted', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const person = await groupAdmin([ownGroup])
  await api.database.admin('insert into user_groups (user_id, merchant_id, group_id) values ($1, $2, $3)', [
    person.id,
    merchantId,
    randomUUID(),
  ])
  const narrow = api.as(person)
  expect((await narrow.listGroups({ params: { merchantId } })).map(({ id }) => id)).toEqual([ownGroup])
  const last = narrow.deleteGroup({ params: of(ownGroup) })
  await expect(last).rejects.toMatchObject({ code: 'GroupAdminMerchantsValidationException' })
})

test('groups are paged by name and found by a part of it, with their machines and users', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const someone = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const ids: string[] = []
  for (const name of ['beta 100%', 'Alpha', 'gamma']) ids.push(await aGroup(api.database, ownMerchantId, name))
  await aMachine(api.database, ownMerchantId, { groupId: ids[1] as string })
  const narrow = await aUser(api.database, 'groupAdmin', [{ merchantId: ownMerchantId, groups: [ids[1] as string] }])
  const ask = (query: object, by = someone) => by.pageGroups({ params: { merchantId: ownMerchantId }, query })
  expect(await ask({ size: 2 })).toMatchObject({
    total: 3,
    capped: false,
    items: [
      { name: 'Alpha', machines: 1, people: 1, version: 1 },
      { name: 'beta 100%', machines: 0, people: 0 },
    ],
  })
  const names = async (query: object, by = someone) => (await ask(query, by)).items.map(({ name }) => name)
  expect(await names({ ordType: 'DESC' })).toEqual(['gamma', 'beta 100%', 'Alpha'])
  expect(await names({ search: '100%' })).toEqual(['beta 100%'])
  expect(await names({ search: 'ALPH' })).toEqual(['Alpha'])
  expect(await names({ search: 'alph' }, api.as(narrow))).toEqual(['Alpha'])
  expect(await names({ search: 'gamma' }, api.as(narrow))).toEqual([])
  const listed = await someone.listGroups({
    params: { merchantId: ownMerchantId },
    query: { ids: [ids[2] as string, randomUUID()] },
  })
  expect(listed.map(({ name }) => name)).toEqual(['gamma'])
  const people = await someone.listGroupPeople({ params: { merchantId: ownMerchantId, groupId: ids[1] as string } })
  expect(people).toMatchObject({ total: 1, items: [{ id: narrow.id, role: 'groupAdmin' }] })
})

test('more groups than the counting limit are still paged, and lists without pages are cut', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const someone = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  await api.database.admin(
    `insert into groups (merchant_id, id, name, created_at)
     select $1, gen_random_uuid(), 'Hall ' || lpad(n::text, 5, '0'), now() from generate_series(1, 10001) n`,
    [ownMerchantId],
  )
  const params = { merchantId: ownMerchantId }
  const many = await someone.pageGroups({ params, query: { search: 'hall', size: 1 } })
  expect(many).toMatchObject({ total: 1_000, capped: true, items: [{ name: 'Hall 00001' }] })
  expect(await someone.pageGroups({ params, query: { search: 'all 0000' } })).toMatchObject({ total: 9, capped: false })
  expect(await someone.listGroups({ params })).toHaveLength(mostGroupsListed)
  expect(await someone.listGroups({ params, query: { search: '10001' } })).toMatchObject([{ name: 'Hall 10001' }])
})

test('all matching machines move into a group at once, if their number matches the confirmed one', async () => {
  const from = await aGroup(api.database, merchantId)
  const to = await aGroup(api.database, merchantId)
  const name = `Station ${randomUUID()}`
  const machines = [0, 1, 2].map((n) => aMachine(api.database, merchantId, { groupId: from, name: `${name} ${n}` }))
  const ids = (await Promise.all(machines)).map(({ id }) => id)
  const move = (count: number) =>
    admin.moveGroupMachines({
      params: of(to),
      body: { added: { matching: { search: name, others: 'true' }, count } },
    })
  await expect(move(4)).rejects.toMatchObject({ code: 'SelectionChanged', facts: { count: 3 } })
  expect(await move(3)).toEqual({ added: 3, removed: 0 })
  expect(await Promise.all(ids.map(groupOf))).toEqual([to, to, to])
  const here = await admin.listGroupMachines({ params: of(to), query: { search: name, size: 2 } })
  expect(here).toMatchObject({ total: 3, items: [{ name: `${name} 0`, groupId: to }, { name: `${name} 1` }] })
  const taking = { removed: { matching: { search: name }, count: 3, except: [ids[0] as string] } }
  await expect(admin.moveGroupMachines({ params: of(to), body: taking })).rejects.toMatchObject({ facts: { count: 2 } })
  const body = { removed: { ...taking.removed, count: 2 } }
  expect(await admin.moveGroupMachines({ params: of(to), body })).toEqual({ added: 0, removed: 2 })
  const narrow = api.as(await groupAdmin([to]))
  const last = narrow.moveGroupMachines({ params: of(to), body: { removed: { ids: [ids[0] as string] } } })
  await expect(last).rejects.toMatchObject({ status: 409, code: 'GroupRequired' })
  expect(await groupOf(ids[0] as string)).toBe(to)
})

test('users without the role can neither create, change nor delete groups', async () => {
  const group = await aGroup(api.database, merchantId)
  const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  for (const call of [
    () => create('Of a reader', reader),
    () => reader.updateGroup({ params: of(group), body: { version: 1, name: 'A' } }),
    () => reader.deleteGroup({ params: of(group) }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403, code: 'Forbidden' })
})

test('every move is announced the same way: users who lose a machine get a hint that groups changed', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const mover = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const from = await aGroup(api.database, ownMerchantId)
  const to = await aGroup(api.database, ownMerchantId)
  const hub = await startLiveHub(systemAddressOf(api.database.adminUrl))
  try {
    const params = { merchantId: ownMerchantId, groupId: to }
    for (const move of [
      (id: string) => mover.moveGroupMachines({ params, body: { added: { ids: [id] } } }),
      (id: string) => mover.updateGroup({ params, body: { version: 1, name: 'Told', addedPosIds: [id] } }),
      (id: string) =>
        mover.updateMachine({ params: { merchantId: ownMerchantId, posId: id }, body: { version: 1, groupId: to } }),
    ]) {
      const { id } = await aMachine(api.database, ownMerchantId, { groupId: from })
      const hints: LiveHint[] = []
      const stop = hub.subscribe((hint) => hint.merchantId === ownMerchantId && hints.push(hint))
      await move(id)
      await expect.poll(() => hints.length).toBe(1)
      stop()
      expect(new Set(hints[0]?.topics)).toEqual(new Set(['machine', 'group']))
      expect(hints[0]?.posIds).toEqual([id])
      const hint = await narrowHint(api.database, [{ merchantId: ownMerchantId, groups: [from] }], hints[0] as LiveHint)
      expect(hint).toMatchObject({ topics: ['group'], posIds: [] })
    }
  } finally {
    await hub.stop()
  }
})
