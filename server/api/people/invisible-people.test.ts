import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { columnIdsOf, type ExportList } from '#contract/export/export-lists.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import type { Aim } from '#testkit/access/aim.ts'
import { type AnyInput, openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aChange } from '#testkit/changes.ts'
import { aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

/* A provider user who is hidden from merchants has performed every action that is listed with a name. */

const name = 'Ivo Unseen'
const email = 'ivo.unseen@provider.test'

let api: TestApi
let users: Record<Role, TestUser>
let aim: Aim
/** The answers to the merchant's admin when changing the user's records. */
const answers: Partial<Record<EndpointName, string>> = {}

const inputOf = (endpoint: EndpointName) => samples[endpoint].input(aim)
/** A sample call with other fields in its body. */
const saying = (endpoint: EndpointName, fields: object): AnyInput => {
  const input = inputOf(endpoint)
  return { ...input, body: { ...(input.body as object), ...fields } }
}
/** An export order with every column of the list. */
const fileOf = (list: ExportList) => ({
  params: { merchantId: aim.merchantId },
  body: {
    list,
    format: 'csv',
    columns: columnIdsOf(list),
    filter: {},
    language: 'en',
    ...(list === 'notes' && { posId: aim.posId }),
  },
})
const userFields = (fields: object) => ({
  params: { userId: aim.userId },
  body: {
    name: 'Renamed',
    email: `${aim.userId}@gettone.test`,
    role: 'merchantUser',
    language: null,
    receiveNotifications: false,
    isSuspended: false,
    merchants: [{ merchantId: aim.merchantId, allGroups: false, groupIds: [aim.groupId] }],
    ...fields,
  },
})

beforeAll(async () => {
  api = await openTestApi()
  const { users: all, ownAim } = await accessAims(api)
  users = all
  aim = ownAim
  const { database } = api
  const { merchantId, posId } = ownAim
  const unseen = await aUser(database, 'superAdmin', [])
  await database.admin('update users set name = $2, email = $3, invisible_to_merchants = true where id = $1', [
    unseen.id,
    name,
    email,
  ])
  const does = async (who: TestUser, endpoint: EndpointName, input: AnyInput) => {
    const { statusCode, payload } = await api.send(endpoint, input, who)
    expect([endpoint, statusCode, payload]).toEqual([endpoint, expect.toSatisfy((status) => status < 300), payload])
    if (who === users.merchantAdmin) answers[endpoint] = payload
    return payload ? JSON.parse(payload) : undefined
  }
  const did = (endpoint: EndpointName, input: AnyInput) => does(unseen, endpoint, input)

  await did('updateMachine', saying('updateMachine', { name: 'Renamed' }))
  await did('updateGroup', saying('updateGroup', { name: 'Renamed' }))
  await did('updateClient', inputOf('updateClient'))
  const { version } = await did('getMerchantSettings', inputOf('getMerchantSettings'))
  await did('updateMerchantSettings', saying('updateMerchantSettings', { version }))
  await did('updateAlarmSetting', saying('updateAlarmSetting', { version: 0 }))
  await did('updateUser', userFields({ version: 1 }))
  await did('updateCustomConfig', inputOf('updateCustomConfig'))
  await did('sendCustomConfig', saying('sendCustomConfig', { version: 1 }))
  await did('updateTroubleshooting', inputOf('updateTroubleshooting'))
  await did('createNote', inputOf('createNote'))
  await did('repairAlarm', inputOf('repairAlarm'))
  const others = { id: posId, merchantId }
  const reopened = await anAlarm(database, others, { code: 'EAD' })
  const deleted = await anAlarm(database, others, { code: 'EGS' })
  for (const alarmId of [reopened, deleted])
    await did('repairAlarm', { params: { merchantId, posId, alarmId }, body: {} })
  await did('reopenAlarms', { params: { merchantId }, body: { ids: [reopened] } })
  const { sent } = await did('sendRemoteCommand', inputOf('sendRemoteCommand'))
  const { details } = await did('createApiToken', inputOf('createApiToken'))
  const view = await did('createView', inputOf('createView'))
  const changeId = await aChange(database, merchantId, {
    user_id: unseen.id,
    user_name: name,
    action: 'note.create',
    subject_type: 'note',
    after: JSON.stringify({ createdBy: name, note: 'A note' }),
  })
  aim = { ...ownAim, commandId: sent[0].id, tokenId: details.id, viewId: view.id, changeId }

  for (const endpoint of ['cancelRemoteCommand', 'rotateApiToken', 'updateView'] as const)
    await does(users.merchantAdmin, endpoint, inputOf(endpoint))
  await does(users.merchantAdmin, 'deleteAlarm', { params: { merchantId, posId, alarmId: deleted } })
})
afterAll(() => api.close())

const places: [string, EndpointName, () => AnyInput][] = [
  ['alarms', 'listAlarms', () => ({ params: { merchantId: aim.merchantId } })],
  ['alarms of a machine', 'listMachineAlarms', () => ({ params: { merchantId: aim.merchantId, posId: aim.posId } })],
  ['an alarm', 'getAlarm', () => inputOf('getAlarm')],
  ['notes', 'listNotes', () => inputOf('listNotes')],
  ['commands', 'listRemoteCommands', () => ({ params: { merchantId: aim.merchantId } })],
  ['a command', 'getRemoteCommand', () => inputOf('getRemoteCommand')],
  ['tokens', 'listApiTokens', () => inputOf('listApiTokens')],
  ['views', 'listViews', () => inputOf('listViews')],
  ['the story of a machine', 'getTimeline', () => inputOf('getTimeline')],
  ['what is wanted of a machine', 'getCustomConfig', () => inputOf('getCustomConfig')],
  ['an alarm’s setting', 'getAlarmSetting', () => inputOf('getAlarmSetting')],
  ['what to do about alarms', 'listMasterAlarms', () => ({ query: { size: 500 } })],
  ['what to do about an alarm', 'getMasterAlarm', () => ({ params: { code: 'ENE' } })],
  ['the log', 'listChangeLog', () => ({ ...inputOf('listChangeLog'), query: { size: 500 } })],
  ['a change', 'getChange', () => inputOf('getChange')],
  ['who stands in the log', 'getChangeLogChoices', () => inputOf('getChangeLogChoices')],
  ['a conflict on a machine', 'updateMachine', () => saying('updateMachine', { name: 'Mine' })],
  [
    'a conflict among machines',
    'updateMachines',
    () => saying('updateMachines', { rows: [{ id: aim.posId, version: 1, name: 'Mine' }] }),
  ],
  ['a conflict on a group', 'updateGroup', () => saying('updateGroup', { name: 'Mine' })],
  ['a conflict on a client', 'updateClient', () => saying('updateClient', { name: 'Mine' })],
  ['a conflict on a view', 'updateView', () => inputOf('updateView')],
  ['a conflict on settings', 'updateMerchantSettings', () => inputOf('updateMerchantSettings')],
  ['a conflict on a PIN', 'regeneratePin', () => inputOf('regeneratePin')],
  ['a conflict on an alarm’s setting', 'updateAlarmSetting', () => inputOf('updateAlarmSetting')],
  ['a conflict on what is wanted of a machine', 'sendCustomConfig', () => inputOf('sendCustomConfig')],
  ['a conflict on a person', 'updateUser', () => userFields({ version: 1, name: 'Mine' })],
]

test.each(places)(
  '%s: the provider sees the user’s name, and the merchant’s admin does not',
  async (_, endpoint, input) => {
    const toProvider = await api.send(endpoint, input(), users.superAdmin)
    const toMerchant = await api.send(endpoint, input(), users.merchantAdmin)
    expect(toProvider.payload).toContain(name)
    expect(toMerchant.statusCode).toBe(toProvider.statusCode)
    expect(toMerchant.payload).not.toContain(name)
    expect(toMerchant.payload).not.toContain(email)
  },
)

test.each(['cancelRemoteCommand', 'rotateApiToken', 'updateView'] as const)(
  '%s: a conflict on the user’s record hides the name too',
  (endpoint) => {
    expect(answers[endpoint]).toBeDefined()
    expect(answers[endpoint]).not.toContain(name)
  },
)

// Files are shared, so they are the same for every reader.
test.each(['alarms', 'notes', 'remoteCommands', 'changeLog'] as const)('%s: no file names the person', async (list) => {
  for (const who of [users.merchantAdmin, users.superAdmin]) {
    const { statusCode, payload } = await api.send('exportShown', fileOf(list), who)
    expect(statusCode).toBe(200)
    expect(payload.split('\n').length).toBeGreaterThan(2)
    expect(payload).not.toContain(name)
    expect(payload).not.toContain(email)
  }
})

const readings = (Object.keys(endpoints) as EndpointName[]).filter((endpoint) => {
  const { method, timeOut } = endpoints[endpoint] as unknown as AnyEndpoint
  return method === 'GET' && timeOut !== 'stream'
})

test.each(['merchantAdmin', 'groupAdmin', 'merchantUser'] as const)(
  '%s: no answer contains the user’s name',
  async (role) => {
    for (const endpoint of readings) {
      const { payload } = await api.send(endpoint, inputOf(endpoint), users[role])
      expect([endpoint, payload.includes(name) || payload.includes(email)]).toEqual([endpoint, false])
    }
  },
)

test('the log of a note does not contain its author, since the log records the user', async () => {
  const rows = await api.database.admin(
    `select user_name, after from change_log where action = 'note.create' and after ? 'id'`,
  )
  expect(rows).toMatchObject([{ user_name: name, after: { note: 'A note' } }])
  expect(rows[0]?.after).not.toHaveProperty('createdBy')
})
