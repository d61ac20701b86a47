import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aDeadLetter } from '#testkit/machines/machine-data.ts'

let api: TestApi
let user: Awaited<ReturnType<typeof aUser>>
let provider: TestClient
beforeAll(async () => {
  api = await openTestApi()
  user = await aUser(api.database, 'superAdmin', [])
  provider = api.as(user)
})
afterAll(() => api.close())

const changesOf = async (subjectId: string) => (await provider.listProviderLog({ query: { subjectId } })).items
const facts = { language: null, receiveNotifications: false }
const aColleague = (more: object = {}) =>
  provider.createUser({
    body: { ...facts, email: `${randomUUID()}@example.test`, name: 'Ada', role: 'superAdmin', merchants: [], ...more },
  })
const changed = ({ version, email, name }: { version: number; email: string; name: string }, more: object) => ({
  ...facts,
  version,
  email,
  name,
  role: 'superAdmin' as const,
  isSuspended: false,
  merchants: [],
  ...more,
})

test('creating, suspending and deleting a super admin is logged in the provider’s log with old and new values', async () => {
  const made = await aColleague()
  const params = { userId: made.id }
  await provider.updateUser({ params, body: changed(made, { isSuspended: true }) })
  await provider.deleteUser({ params })
  const entries = await changesOf(made.id)
  const by = { userId: user.id, userName: 'Test superAdmin', subjectType: 'user', subjectId: made.id }
  expect(entries).toMatchObject([
    {
      ...by,
      action: 'user.delete',
      before: { role: 'superAdmin', status: 'suspended' },
      after: null,
      subjectName: null,
    },
    { ...by, action: 'user.update', before: { status: 'invited' }, after: { status: 'suspended' } },
    { ...by, action: 'user.create', before: null, after: { email: made.email, role: 'superAdmin' } },
  ])
  const id = entries[0]?.id ?? ''
  expect(await provider.getProviderChange({ params: { changeId: id } })).toEqual(entries[0])
  const nobody = provider.getProviderChange({ params: { changeId: randomUUID() } })
  await expect(nobody).rejects.toMatchObject({ code: 'NotFound' })
})

test('a user who joins the provider is logged there and with the previous merchant; other users are not', async () => {
  const merchant = await aMerchant(api.database)
  const merchants = [{ merchantId: merchant.id, allGroups: true, groupIds: [] }]
  const made = await aColleague({ role: 'merchantUser', merchants })
  expect(await changesOf(made.id)).toEqual([])
  await provider.updateUser({ params: { userId: made.id }, body: changed(made, {}) })
  const promoted = { action: 'user.update', before: { role: 'merchantUser' }, after: { role: 'superAdmin' } }
  expect(await changesOf(made.id)).toMatchObject([promoted])
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }]))
  const { items } = await admin.listChangeLog({ params: { merchantId: merchant.id }, query: { subjectId: made.id } })
  expect(items).toMatchObject([{ action: 'user.update', after: null }, { action: 'user.create' }])
})

test('changes of users to their own profile are logged with their merchant, or with the provider', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const staff = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const save = async (who: TestUser, name: string) => {
    const { version } = await api.as(who).getMe({})
    await api.as(who).updateMe({ body: { version, name, language: 'de' } })
  }
  await save(staff, 'Bea')
  await save(staff, 'Bea')
  const ownLog = { params: { merchantId }, query: { subjectId: staff.id } }
  expect((await provider.listChangeLog(ownLog)).items).toMatchObject([
    {
      action: 'user.update',
      userId: staff.id,
      before: { name: 'Test merchantUser' },
      after: { name: 'Bea', groups: 'all' },
    },
  ])
  expect(await changesOf(staff.id)).toEqual([])
  const colleague = await aUser(api.database, 'superAdmin', [])
  await save(colleague, 'Cem')
  expect(await changesOf(colleague.id)).toMatchObject([
    {
      userId: colleague.id,
      before: { name: 'Test superAdmin', language: null },
      after: { name: 'Cem', language: 'de' },
    },
  ])
})

test('shared texts, shared thresholds and replayed messages are logged too', async () => {
  const params = { code: 'billJam', language: 'en' }
  const text = await provider.getTroubleshooting({ params })
  const write = (content: string, version: number) =>
    provider.updateTroubleshooting({ params, body: { content, version } })
  const written = await write('<p>Open the <strong>door</strong>.</p>', text.version)
  await write('<p>Open the door.</p>', written.version)
  await write('<p>Open the door.</p>', written.version)
  expect(await changesOf(written.code)).toMatchObject([
    {
      action: 'troubleshootingText.update',
      before: { text: expect.stringMatching(/Open the\s+door/) },
      after: { language: 'en' },
    },
    { action: 'troubleshootingText.update', after: { language: 'en', images: 0 } },
  ])

  const threshold = { submodule: 'cabinet', name: 'door', warning: 10, critical: 20, valuesIncrease: true, version: 0 }
  await provider.updateSensorThresholds({ body: { rows: [threshold] } })
  await provider.updateSensorThresholds({ body: { rows: [{ ...threshold, warning: 12, version: 1 }] } })
  expect(await changesOf('cabinet door')).toMatchObject([
    { action: 'sensorThreshold.update', before: { warning: 10, critical: 20 }, after: { warning: 12, critical: 20 } },
    { action: 'sensorThreshold.update', before: null, after: { warning: 10 } },
  ])

  const letterId = await aDeadLetter(api.database, { merchantId: (await aMerchant(api.database)).id, serial: 'AZ-1' })
  for (const _ of ['once', 'and again']) await provider.replayDeadLetter({ params: { letterId } })
  expect(await changesOf(letterId)).toMatchObject([{ action: 'deadLetter.replay', after: { serial: 'AZ-1' } }])
})

test('the log can be filtered by user, object, kind and day and reversed, and offers the values it contains', async () => {
  const other = await aUser(api.database, 'superAdmin', [])
  const { id } = await api.as(other).createUser({
    body: { ...facts, email: `${randomUUID()}@example.test`, name: 'Ada', role: 'superAdmin', merchants: [] },
  })
  const list = (query: object) => provider.listProviderLog({ query })
  const ownFilter = { userIds: [other.id], actions: ['user.create'], subjectTypes: ['user'] }
  expect((await list(ownFilter)).items.map(({ subjectId }) => subjectId)).toEqual([id])
  expect((await list({ ...ownFilter, actions: ['user.delete'] })).total).toBe(0)
  expect((await list({ ...ownFilter, endDate: '2020-01-01' })).total).toBe(0)
  const today = new Date().toISOString().slice(0, 10)
  expect((await list({ ...ownFilter, startDate: today, endDate: today })).total).toBe(1)
  const reversed = list({ startDate: '2026-02-01', endDate: '2026-01-01' })
  await expect(reversed).rejects.toMatchObject({ code: 'PeriodReversed' })
  const newest = (await list({ size: 100 })).items.map((entry) => entry.id)
  expect((await list({ size: 100, ordType: 'ASC' })).items.map((entry) => entry.id)).toEqual(newest.toReversed())
  expect((await list({ size: 1, page: 2 })).items.map((entry) => entry.id)).toEqual([newest[1]])
  const choices = await provider.getProviderLogChoices({})
  expect(choices.people).toContainEqual({ id: other.id, name: 'Test superAdmin' })
  expect(choices.actions).toContain('user.create')
  expect(choices.subjectTypes).toContain('user')
})

test('a conflict on a super admin names the other editor', async () => {
  const made = await aColleague()
  const params = { userId: made.id }
  await provider.updateUser({ params, body: changed(made, { name: 'Eva' }) })
  const late = provider.updateUser({ params, body: changed(made, { name: 'Eve' }) })
  await expect(late).rejects.toMatchObject({ code: 'EditConflict', facts: { changedBy: 'Test superAdmin' } })
})
