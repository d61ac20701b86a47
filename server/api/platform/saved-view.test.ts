import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostViews, type NewView, type ViewChange } from '#contract/platform/saved-view.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const blocked: NewView = {
  tableId: 'machines',
  name: 'Blocked ones',
  isShared: false,
  filter: { states: ['blocked'] },
  sortOptions: { ord: 'name', ordType: 'ASC' },
  headers: [{ id: 'name', isShown: null, width: 240 }],
}
const { tableId: _, ...first } = blocked
const content = { ...first, version: 1 }

async function aPlace() {
  const { id: merchantId } = await aMerchant(api.database)
  const person = (role: Role, groups: 'all' | string[] = 'all') => aUser(api.database, role, [{ merchantId, groups }])
  return { merchantId, params: { merchantId }, person }
}

test('a private view is visible to its owner only, under its merchant', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  const admin = api.as(await person('merchantAdmin'))
  const saved = await me.createView({ params, body: blocked })
  expect(saved).toMatchObject({ ...blocked, isMine: true, createdBy: 'Test merchantUser', ...params })
  expect(await me.listViews({ params, query: { tableId: 'machines' } })).toEqual([saved])
  expect(await me.listViews({ params, query: { tableId: 'alarms' } })).toEqual([])
  expect(await me.listViews({ params: { merchantId: allMerchants } })).toEqual([])
  expect(await admin.listViews({ params })).toEqual([])
  const its = { ...params, viewId: saved.id }
  const absent = { code: 'ViewNotFound', status: 404 }
  await expect(admin.updateView({ params: its, body: content })).rejects.toMatchObject(absent)
  await expect(admin.deleteView({ params: its })).rejects.toMatchObject(absent)
  await me.deleteView({ params: its })
  expect(await me.listViews({ params })).toEqual([])
})

test('a shared view is visible to all users of its merchant only', async () => {
  const here = await aPlace()
  const elsewhere = await aPlace()
  const group = await aGroup(api.database, here.merchantId)
  const author = api.as(await here.person('merchantUser'))
  const colleague = api.as(await here.person('groupAdmin', [group]))
  const stranger = api.as(await elsewhere.person('merchantAdmin'))
  const saved = await author.createView({ params: here.params, body: { ...blocked, isShared: true } })
  const asColleague = { ...saved, isMine: false }
  expect(await colleague.listViews({ params: here.params })).toEqual([asColleague])
  expect(await colleague.listViews({ params: { merchantId: allMerchants } })).toEqual([asColleague])
  expect(await stranger.listViews({ params: elsewhere.params })).toEqual([])
  expect(await stranger.listViews({ params: { merchantId: allMerchants } })).toEqual([])
  for (const merchantId of [elsewhere.merchantId, allMerchants]) {
    const call = { params: { merchantId, viewId: saved.id } }
    await expect(stranger.deleteView(call)).rejects.toMatchObject({ code: 'ViewNotFound' })
    await expect(stranger.updateView({ ...call, body: content })).rejects.toMatchObject({ code: 'ViewNotFound' })
  }
})

test('only its owner can share and unshare a view, and its id stays the same', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  const admin = api.as(await person('merchantAdmin'))
  const { id } = await me.createView({ params, body: blocked })
  const its = { ...params, viewId: id }
  expect(await me.updateView({ params: its, body: { ...content, isShared: true } })).toMatchObject({ isShared: true })
  expect(await admin.listViews({ params })).toMatchObject([{ id, isShared: true, isMine: false }])
  await expect(admin.updateView({ params: its, body: content })).rejects.toMatchObject({ code: 'Forbidden' })
  const back = { ...content, version: 2 }
  expect(await me.updateView({ params: its, body: back })).toMatchObject({ id, isShared: false, version: 3 })
  expect(await admin.listViews({ params })).toEqual([])
  expect(await me.listViews({ params })).toMatchObject([{ id, isShared: false, isMine: true }])
})

test('of two changes from the same version the later gets a conflict, and no change is lost', async () => {
  const { params, person } = await aPlace()
  const author = api.as(await person('merchantUser'))
  const admin = api.as(await person('merchantAdmin'))
  const several = { ...blocked, isShared: true, filter: { states: ['blocked'], groupIds: ['a'] } }
  const { id, version } = await author.createView({ params, body: several })
  expect(version).toBe(1)
  const its = { ...params, viewId: id }
  const change = (who: typeof author, part: Partial<ViewChange>) =>
    who.updateView({ params: its, body: { ...content, isShared: true, filter: several.filter, ...part } })
  const renamed = await change(admin, { name: 'Stuck' })
  expect(renamed).toMatchObject({ name: 'Stuck', version: 2 })
  const conflict = {
    code: 'EditConflict',
    status: 409,
    facts: { current: { ...renamed, isMine: true }, changedBy: 'Test merchantAdmin', changedAt: expect.any(String) },
  }
  await expect(change(author, { filter: { states: ['silent'] } })).rejects.toMatchObject(conflict)
  await expect(change(author, { isShared: false })).rejects.toMatchObject(conflict)
  // A save without an answer is repeated, with its filters in another order.
  const again = { name: 'Stuck', filter: { groupIds: ['a'], states: ['blocked'] } }
  expect(await change(admin, again)).toEqual(renamed)
  expect(await change(author, { name: 'Stuck', version: 2, headers: null })).toMatchObject({
    name: 'Stuck',
    headers: null,
    version: 3,
  })
})

test('of many simultaneous changes from the same version one is saved, also of a private view', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  for (const isShared of [true, false]) {
    const { id } = await me.createView({ params, body: { ...blocked, isShared } })
    const answers = await Promise.allSettled(
      ['One', 'Two', 'Three', 'Four'].map((name) =>
        me.updateView({
          params: { ...params, viewId: id },
          body: { ...content, isShared: name === 'Two' || isShared, name },
        }),
      ),
    )
    const [saved, ...others] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(others).toEqual([])
    expect((await me.listViews({ params })).find((view) => view.id === id)).toEqual(saved)
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'EditConflict', facts: { current: { version: 2 } } })
    await me.deleteView({ params: { ...params, viewId: id } })
  }
})

test('users who manage views can change a shared view of another user, and the log names both', async () => {
  const { params, person } = await aPlace()
  const author = api.as(await person('merchantUser'))
  const other = api.as(await person('groupAdmin'))
  const admin = api.as(await person('merchantAdmin'))
  const { id } = await author.createView({ params, body: { ...blocked, isShared: true } })
  const its = { ...params, viewId: id }
  const renamed = { ...content, isShared: true, name: 'Stuck', headers: null }
  const forbidden = { code: 'Forbidden', status: 403 }
  await expect(other.updateView({ params: its, body: renamed })).rejects.toMatchObject(forbidden)
  await expect(other.deleteView({ params: its })).rejects.toMatchObject(forbidden)
  expect(await admin.updateView({ params: its, body: renamed })).toMatchObject({ name: 'Stuck', headers: null })
  expect(await author.listViews({ params })).toMatchObject([{ name: 'Stuck', isMine: true }])
  await admin.deleteView({ params: its })
  expect(await author.listViews({ params })).toEqual([])
  const log = await api.database.admin(
    `select action, user_name from change_log where merchant_id = $1 and subject_type = 'view' order by id`,
    [params.merchantId],
  )
  expect(log).toEqual([
    { action: 'view.create', user_name: 'Test merchantUser' },
    { action: 'view.update', user_name: 'Test merchantAdmin' },
    { action: 'view.delete', user_name: 'Test merchantAdmin' },
  ])
})

test('under all merchants a view is private; sharing requires a selected merchant', async () => {
  const { person, params } = await aPlace()
  const me = api.as(await person('merchantAdmin'))
  const all = { merchantId: allMerchants }
  const refused = { code: 'MerchantNotSelected', status: 400 }
  await expect(me.createView({ params: all, body: { ...blocked, isShared: true } })).rejects.toMatchObject(refused)
  const saved = await me.createView({ params: all, body: blocked })
  expect(saved).toMatchObject({ merchantId: allMerchants, isShared: false })
  const its = { ...all, viewId: saved.id }
  await expect(me.updateView({ params: its, body: { ...content, isShared: true } })).rejects.toMatchObject(refused)
  expect(await me.listViews({ params: all })).toEqual([saved])
  const shared = await me.createView({ params, body: { ...blocked, isShared: true } })
  const renamed = { ...content, isShared: true, name: 'From above' }
  await me.updateView({ params: { ...all, viewId: shared.id }, body: renamed })
  expect(await me.listViews({ params })).toMatchObject([{ name: 'From above', merchantId: params.merchantId }])
})

test('a name is unique per table, ignoring case', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  const other = api.as(await person('merchantUser'))
  const refusal = { code: 'ViewNameTaken', status: 409 }
  const create = (who: typeof me, part: Partial<NewView> = {}) =>
    who.createView({ params, body: { ...blocked, ...part } })
  await create(me)
  await create(other)
  await create(me, { tableId: 'alarms' })
  await expect(create(me, { name: ' BLOCKED ones ' })).rejects.toMatchObject(refusal)
  const shared = await create(me, { isShared: true })
  await expect(create(other, { isShared: true })).rejects.toMatchObject(refusal)
  // The owner's private view has the same name.
  const back = { params: { ...params, viewId: shared.id }, body: content }
  await expect(me.updateView(back)).rejects.toMatchObject(refusal)
  expect(await other.listViews({ params, query: { tableId: 'machines' } })).toHaveLength(2)
  const second = await create(me, { name: 'Second' })
  const renamed = { params: { ...params, viewId: second.id }, body: content }
  await expect(me.updateView(renamed)).rejects.toMatchObject(refusal)
})

test('invalid names are refused; unusual names are stored as text', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  const create = (name: string) => me.createView({ params, body: { ...blocked, name } })
  for (const name of ['', '   ', 'x'.repeat(61), 'x'.repeat(10_000), 'a\0b'])
    await expect(create(name)).rejects.toMatchObject({ code: 'ValidationFailed' })
  for (const name of ['<script>alert(1)</script>', '=1+1', '%_', "'; drop table shared_views; --"])
    expect(await create(name)).toMatchObject({ name })
  expect(await create('a\ud800b')).toMatchObject({ name: 'a\ufffdb' })
  // Direction marks are removed from a name.
  expect(await create('\u202eabc')).toMatchObject({ name: 'abc' })
  const foreign = me.createView({ params, body: { ...blocked, createdBy: 'me' } as NewView })
  await expect(foreign).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('the number of saved views is limited', async () => {
  const { params, person } = await aPlace()
  const me = api.as(await person('merchantUser'))
  await api.database.admin(
    `insert into shared_views (merchant_id, id, table_id, name, filter, created_by, created_by_name, created_at)
     select $1, gen_random_uuid(), 'machines', 'View ' || n, '{}', $1, 'Test', now() from generate_series(1, $2::int) n`,
    [params.merchantId, mostViews],
  )
  const tooMany = { code: 'TooManyViews', status: 409 }
  await expect(me.createView({ params, body: { ...blocked, isShared: true } })).rejects.toMatchObject(tooMany)
  const { id } = await me.createView({ params, body: blocked })
  const share = { params: { ...params, viewId: id }, body: { ...content, isShared: true } }
  await expect(me.updateView(share)).rejects.toMatchObject(tooMany)
})
