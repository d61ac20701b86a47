import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { listChanges } from '#database/platform/change-log-list.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aChange, type Entry } from '#testkit/changes.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import { withoutGuard } from '#testkit/statement-guard.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function aShop(columns: Record<string, unknown> = {}) {
  const merchant = await aMerchant(api.database, columns)
  const merchantId = merchant.id
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const admin = api.as(user)
  const list = (query: object = {}, who = admin) => who.listChangeLog({ params: { merchantId }, query })
  return { merchantId, name: merchant.name, user, admin, list }
}

const anEntry = (merchantId: string, with_: Partial<Entry> = {}) => aChange(api.database, merchantId, with_)

test('a change is logged with its old value, its user and its object’s current name', async () => {
  const { merchantId, user, admin, list } = await aShop()
  const machine = await aMachine(api.database, merchantId, { name: 'Lobby' })
  await admin.updateMachine({
    params: { merchantId, posId: machine.id },
    body: { version: 1, name: 'Canteen' },
  })
  const { items } = await list()
  expect(items).toMatchObject([
    {
      merchantId,
      userId: user.id,
      userName: 'Test merchantAdmin',
      action: 'machine.update',
      subjectType: 'machine',
      subjectId: machine.id,
      subjectName: 'Canteen',
      before: { name: 'Lobby' },
      after: { name: 'Canteen' },
    },
  ])
})

test('a change shows the names of its groups, clients and machines, including deleted ones, but none of other merchants', async () => {
  const { merchantId, admin, list } = await aShop()
  const stranger = await aShop()
  const from = await aGroup(api.database, merchantId, 'North')
  const to = await aGroup(api.database, merchantId, 'South')
  const foreign = await aGroup(api.database, stranger.merchantId, 'Elsewhere')
  const clientId = await aClient(api.database, merchantId, { name: 'Hospital' })
  const machine = await aMachine(api.database, merchantId, { groupId: from, name: 'Lobby' })
  const params = { merchantId, posId: machine.id }
  await admin.updateMachine({ params, body: { version: 1, groupId: to, clientId } })
  await admin.deleteGroup({ params: { merchantId, groupId: from } })
  const [change] = (await list({ actions: ['machine.update'] })).items
  const read = (changeId: string) => admin.getChange({ params: { merchantId, changeId } })
  expect(await read(change?.id ?? '')).toMatchObject({
    before: { groupId: from, clientId: null },
    after: { groupId: to, clientId },
    names: { [from]: 'North', [to]: 'South', [clientId]: 'Hospital' },
  })
  const deep = { memberships: [{ groupIds: [to, foreign] }], posIds: [machine.id], text: 'South' }
  const { names } = await read(await anEntry(merchantId, { after: JSON.stringify(deep) }))
  expect(names).toEqual({ [to]: 'South', [machine.id]: 'Lobby' })
})

test('deleted subjects have no name; subjects of other kinds have theirs', async () => {
  const { merchantId, user, list } = await aShop()
  const group = await aGroup(api.database, merchantId, 'North')
  await anEntry(merchantId, { subject_type: 'group', subject_id: group })
  await anEntry(merchantId, { subject_type: 'user', subject_id: user.id })
  await anEntry(merchantId, { subject_type: 'user', subject_id: 'no-id' })
  await anEntry(merchantId)
  const names = (await list()).items.map(({ subjectType, subjectName }) => [subjectType, subjectName])
  expect(names.toSorted()).toEqual(
    [
      ['group', 'North'],
      ['machine', null],
      ['user', null],
      ['user', 'Test merchantAdmin'],
    ].toSorted(),
  )
})

describe('filters', () => {
  test('narrow the list to a user, a kind of subject, an action, a subject, and days of the merchant’s calendar', async () => {
    const { merchantId, user, list } = await aShop({ time_zone: 'Asia/Tokyo' })
    const subject = randomUUID()
    const ownEntry = await anEntry(merchantId, { user_id: user.id, user_name: 'Me' })
    const note = await anEntry(merchantId, { subject_type: 'note', action: 'note.create', subject_id: subject })
    // In Tokyo it is the day after.
    const late = await anEntry(merchantId, { at: '2026-11-20T15:00:00Z', action: 'machine.reset' })
    const ids = async (query: object) => (await list(query)).items.map(({ id }) => id)
    expect(await ids({ userIds: [user.id] })).toEqual([ownEntry])
    expect(await ids({ subjectTypes: ['note'] })).toEqual([note])
    expect(await ids({ actions: ['machine.reset', 'note.create'] })).toEqual([late, note])
    expect(await ids({ subjectId: subject })).toEqual([note])
    expect(await ids({ startDate: '2026-11-21' })).toEqual([late])
    expect((await ids({ endDate: '2026-11-20' })).toSorted()).toEqual([ownEntry, note].toSorted())
  })

  test('offer the values found in the log', async () => {
    const { merchantId, user, admin } = await aShop()
    await anEntry(merchantId, { user_id: user.id, user_name: 'Old name' })
    await anEntry(merchantId, { user_id: user.id, user_name: 'New name', at: '2026-11-20T12:00:00Z' })
    await anEntry(merchantId, { action: 'note.create', subject_type: 'note' })
    expect(await admin.getChangeLogChoices({ params: { merchantId } })).toEqual({
      people: [{ id: user.id, name: 'New name' }],
      actions: ['machine.update', 'note.create'],
      subjectTypes: ['machine', 'note'],
    })
  })

  test.each([
    { startDate: '2026-11-21', endDate: '2026-11-20' },
    { startDate: 'x' },
    { userIds: ['x'] },
    { subjectId: '' },
    { ord: 'user_name' },
  ])('with invalid values are refused: %o', async (query) => {
    const { merchantId, user } = await aShop()
    expect((await api.send('listChangeLog', { params: { merchantId }, query }, user)).statusCode).toBe(400)
  })
})

test('cursors page in both directions, even while entries are added', async () => {
  const { merchantId, list } = await aShop()
  const ids: string[] = []
  for (let minute = 0; minute < 9; minute++)
    ids.unshift(await anEntry(merchantId, { at: `2026-11-20T10:0${minute}:00Z` }))
  const first = await list({ size: 4 })
  await anEntry(merchantId, { at: '2026-11-20T11:00:00Z' })
  const second = await list({ size: 4, cursor: first.next })
  const third = await list({ size: 4, cursor: second.next })
  expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids)
  expect(third.next).toBeNull()
  expect((await list({ size: 4, cursor: third.previous })).items).toEqual(second.items)
  expect((await list({ ordType: 'ASC', size: 2 })).items.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 2))
})

describe('selected groups', () => {
  async function twoGroups() {
    const shop = await aShop()
    const { merchantId, admin, user } = shop
    const of = { merchantId }
    const made = async (name: string) => {
      const groupId = await aGroup(api.database, merchantId, name)
      const machine = await aMachine(api.database, merchantId, { groupId, name: `Machine of ${name}` })
      return { groupId, machine, alarmId: await anAlarm(api.database, machine) }
    }
    const ownSide = await made('Mine')
    const other = await made('Other')
    const headers = { [groupsHeader]: ownSide.groupId }
    const look = async (name: 'listChangeLog' | 'getChangeLogChoices' | 'getChange', changeId?: string) =>
      (await api.send(name, { params: { merchantId, changeId }, headers }, user)).json()
    const person = (groupIds: string[]) =>
      admin.createUser({
        body: {
          email: `${randomUUID()}@example.com`,
          name: 'New person',
          language: null,
          role: 'merchantUser',
          merchants: [{ merchantId, allGroups: groupIds.length === 0, groupIds }],
          receiveNotifications: false,
          allowLicensing: false,
          invisibleToMerchants: false,
        },
      })
    /** Changes each object of one of the two groups; returns the log's entries. */
    const live = async ({ groupId, machine, alarmId }: typeof ownSide) => {
      const at = { ...of, posId: machine.id }
      await admin.updateMachine({ params: at, body: { version: 1, address: `Via ${machine.name} 1` } })
      await admin.updateGroup({
        params: { ...of, groupId },
        body: { version: 1, name: `Renamed ${groupId}`, addedPosIds: [], removedPosIds: [] },
      })
      const note = await admin.createNote({ params: at, body: { note: 'Key is at the porter’s' } })
      const { sent } = await admin.sendRemoteCommand({
        params: of,
        body: { machines: { ids: [machine.id] }, order: { type: 3 } },
      })
      await admin.repairAlarms({ params: of, body: { alarms: { ids: [alarmId] } } })
      const { id: userId } = await person([groupId])
      return [machine.id, groupId, note.id, sent[0]?.id ?? '', alarmId, userId]
    }
    return { ...shop, ownSide, other, look, person, live }
  }

  test('shows changes to these groups, their machines and users, and to the merchant as a whole', async () => {
    const { merchantId, admin, ownSide, other, look, person, live, list } = await twoGroups()
    const liveHints = await live(ownSide)
    const hidden = await live(other)
    const elsewhere = [await person([]), await person([ownSide.groupId, other.groupId])].map(({ id }) => id)
    const ungrouped = await aMachine(api.database, merchantId)
    await admin.updateMachine({
      params: { merchantId, posId: ungrouped.id },
      body: { version: 1, name: 'In no group' },
    })
    const clientId = await aClient(api.database, merchantId)
    await anEntry(merchantId, { subject_type: 'client', subject_id: clientId, action: 'client.update' })
    const entries = await look('listChangeLog')
    expect(entries.items.map(({ subjectId }: { subjectId: string }) => subjectId).toSorted()).toEqual(
      [...liveHints, clientId].toSorted(),
    )
    expect(entries.total).toBe(liveHints.length + 1)
    const choices = await look('getChangeLogChoices')
    for (const id of [...hidden, ...elsewhere, ungrouped.id])
      expect(JSON.stringify([entries, choices])).not.toContain(id)
    // Without the filter, all entries are listed.
    expect((await list({ size: 100 })).total).toBe(liveHints.length + hidden.length + elsewhere.length + 2)
    const { items } = await list({ subjectId: other.machine.id })
    expect(await look('getChange', items[0]?.id)).toMatchObject({ code: 'NotFound' })
  })

  test('do not offer users, actions or subjects of other groups', async () => {
    const { merchantId, ownSide, other, look } = await twoGroups()
    await anEntry(merchantId, { subject_id: ownSide.machine.id, action: 'machine.hide' })
    const by = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [other.groupId] }])
    const foreignEntry = { user_id: by.id, user_name: 'Of the others', action: 'note.delete', subject_type: 'note' }
    await anEntry(merchantId, { ...foreignEntry, before: JSON.stringify({ posId: other.machine.id }) })
    expect(await look('getChangeLogChoices')).toEqual({
      people: [],
      actions: ['machine.hide'],
      subjectTypes: ['machine'],
    })
  })

  test('shows machines moved into them, and hides machines that left them', async () => {
    const { merchantId, admin, ownSide, other, look } = await twoGroups()
    const move = (posId: string, groupId: string) =>
      admin.updateMachine({ params: { merchantId, posId }, body: { version: 1, groupId } })
    await move(other.machine.id, ownSide.groupId)
    await move(ownSide.machine.id, other.groupId)
    const { items } = await look('listChangeLog')
    expect(items).toMatchObject([{ subjectId: other.machine.id }])
    const { names } = await look('getChange', items[0].id)
    // The previous group has no name for this reader.
    expect(names).toEqual({ [ownSide.groupId]: 'Mine' })
  })
})

test('super admins read one log of all merchants, other users their own', async () => {
  const one = await aShop()
  const other = await aShop()
  const ownEntry = await anEntry(one.merchantId)
  const foreignEntry = await anEntry(other.merchantId)
  const all = async (who: Parameters<TestApi['as']>[0]) => {
    const { items } = await api.as(who).listChangeLog({ params: { merchantId: allMerchants }, query: { size: 500 } })
    return items.map(({ id }) => id)
  }
  expect(await all(await aUser(api.database, 'superAdmin', []))).toEqual(
    expect.arrayContaining([ownEntry, foreignEntry]),
  )
  expect(await all(one.user)).toEqual([ownEntry])
})

test('provider users who are hidden from merchants are hidden here too', async () => {
  const { merchantId, admin, list } = await aShop()
  const hidden = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await api.database.admin(`update users set invisible_to_merchants = true, name = email where id = $1`, [hidden.id])
  const byHidden = await anEntry(merchantId, { user_id: hidden.id, user_name: hidden.email })
  const ofHidden = await anEntry(merchantId, {
    subject_type: 'user',
    subject_id: hidden.id,
    after: JSON.stringify({ email: hidden.email }),
  })
  const entries = await list()
  expect(entries.items).toMatchObject([{ userId: null, userName: null, action: 'machine.update' }])
  expect(entries.total).toBe(1)
  const choices = await admin.getChangeLogChoices({ params: { merchantId } })
  expect(JSON.stringify([entries, choices])).not.toContain(hidden.email)
  expect(JSON.stringify([entries, choices])).not.toContain(hidden.id)
  expect((await list({ userIds: [hidden.id] })).items).toEqual([])
  const one = (changeId: string) => admin.getChange({ params: { merchantId, changeId } })
  expect(await one(byHidden)).toMatchObject({ userName: null })
  await expect(one(ofHidden)).rejects.toMatchObject({ code: 'NotFound' })
  const everything = await list({}, api.as(await aUser(api.database, 'superAdmin', [])))
  expect(everything.items.map(({ userName }) => userName)).toContain(hidden.email)
  expect(everything.total).toBe(2)
})

test('entries cannot be changed or deleted', async () => {
  const { merchantId } = await aShop()
  await anEntry(merchantId)
  for (const attempt of ['delete from change_log', `update change_log set user_name = 'x'`])
    await expect(
      withoutGuard(() =>
        api.database.withTenant([{ merchantId, groups: 'all' }], (db) =>
          db.query.executeQuery({
            sql: attempt,
            parameters: [],
            query: undefined as never,
            queryId: undefined as never,
          }),
        ),
      ),
    ).rejects.toMatchObject({ code: '42501' })
})

test('a record that is not an object is shown as a value, and hostile text as text', async () => {
  const { merchantId, list } = await aShop()
  const text = '=1+1 <b>שלום</b> 🍫'
  await anEntry(merchantId, { before: JSON.stringify(['a']), after: JSON.stringify({ name: text }) })
  expect((await list()).items).toMatchObject([{ before: { value: ['a'] }, after: { name: text } }])
})

test('reading a hundred thousand entries costs as much as a hundred, filtered or on deep pages', async () => {
  const few = await aShop()
  const many = await aShop()
  const fill = (merchantId: string, count: number) =>
    api.database.admin(
      `insert into change_log (merchant_id, id, at, user_id, user_name, action, subject_type, subject_id)
       select $1, gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 minute',
         case when n % 1000 = 0 then $3::uuid end, 'Somebody', case when n % 1000 = 0 then 'note.create' else 'machine.update' end,
         case when n % 1000 = 0 then 'note' else 'machine' end, gen_random_uuid() from generate_series(1, $2::int) n`,
      [merchantId, count, few.user.id],
    )
  await fill(few.merchantId, 100)
  await fill(many.merchantId, 100_000)
  await api.database.admin('analyze change_log')
  const deep = await many.list({ size: 20, page: 400 })
  const narrowed = [{ userIds: [few.user.id] }, { actions: ['note.create'] }, { subjectTypes: ['note'] }]
  // PostgreSQL counts other sessions' reads late, with the next flush.
  await pagesRead(many.merchantId, {})
  const counted = await pagesRead(many.merchantId, {})
  // Counting stops at ten thousand.
  expect(counted).toBeLessThan(1500)
  expect(await pagesRead(many.merchantId, { cursor: deep.next })).toBeLessThan(counted + 100)
  for (const query of narrowed) expect([query, (await pagesRead(many.merchantId, query)) < 500]).toEqual([query, true])
})

/** Blocks of the log and its indexes that one page reads: independent of the machine's speed. */
async function pagesRead(merchantId: string, query: object): Promise<number> {
  const [{ n: before } = { n: 0 }] = await blocks()
  await api.database.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await listChanges(db, query, { page: 1, size: 20, ...query }, false)
    await sql`select pg_stat_force_next_flush()`.execute(db.query)
  })
  const [{ n: after } = { n: 0 }] = await blocks()
  expect(Number(after)).toBeGreaterThan(Number(before))
  return Number(after) - Number(before)
}

const blocks = () =>
  api.database.admin<{ n: string }>(
    `select heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit as n from pg_statio_user_tables
     where relname = 'change_log'`,
  )

test('an entry of an alarm or a command names the code, the command and the machine', async () => {
  const { merchantId, admin, list } = await aShop()
  const machine = await aMachine(api.database, merchantId, { name: 'Lobby' })
  const alarmId = await anAlarm(api.database, machine, { code: 'EJC_12' })
  await admin.repairAlarms({ params: { merchantId }, body: { alarms: { ids: [alarmId] } } })
  await admin.sendRemoteCommand({
    params: { merchantId },
    body: { machines: { ids: [machine.id] }, order: { type: 4, parameters: {} } },
  })
  const { items } = await list({ ordType: 'ASC' })
  const of = { posId: machine.id, posName: 'Lobby' }
  expect(items).toMatchObject([
    { action: 'alarm.repair', alarmCode: 'EJC_12', commandType: null, ...of },
    { action: 'remoteCommand.send', alarmCode: null, commandType: 4, ...of },
  ])
  await admin.deleteAlarm({ params: { merchantId, posId: machine.id, alarmId } })
  const [deleted] = (await list({ actions: 'alarm.delete' })).items
  expect(deleted).toMatchObject({ alarmCode: 'EJC_12', ...of })
})
