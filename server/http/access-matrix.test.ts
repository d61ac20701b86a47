import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { endCustomerClaim, type Role, roles } from '#contract/vocabulary/roles.ts'
import { roleFromClaim } from '#domain/people/role-claim.ts'
import { type Aim, accessAims, groupedNouns } from '#testkit/access/access-aims.ts'
import { samples } from '#testkit/access/access-samples.ts'
import { isNarrowing, may, placesOf, rowOf, titleOf, tried, type World } from '#testkit/access/trial.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aSession } from '#testkit/browser/sessions.ts'
import { anExport } from '#testkit/exports.ts'
import { aClient, aMachine, aSapCode, aUser } from '#testkit/fixtures.ts'
import { aCommand, aNote, anAlarm, aSharedView } from '#testkit/machines/machine-data.ts'

/*
 * Every endpoint × every role × one's own and a foreign merchant × one's own and a foreign group. Where an endpoint takes an id, and of
 * which noun, its schemas say; who may call, access.ts says. An endpoint without a sample does not compile.
 */

/** Plain uuids in calls, with why they name nothing of others. */
const plain: Record<string, string> = {
  'listGroups query.ids[]':
    'the groups of an address: those out of reach are left out of the answer, and then of the address',
  'createNote body.id': 'the note’s own id, made by who writes it',
  'saveTableState body.merchantId': 'a notice of one’s own of where a filter was made',
  'setNoVendProfile body.noVendProfileId': 'there are none yet',
}
/** The same in any filter or selection. */
const plainAnywhere: Record<string, string> = {
  'except[]': 'a row that is left out of a selection is not acted on',
  planogramId: 'there are none yet',
}

let api: TestApi
let world: World

/** What a role before may have deleted or used up, made for each call whose path names it. */
const fresh: Partial<Record<keyof Aim, (caller: Role) => Promise<string>>> = {
  alarmId: () => {
    const { posId, merchantId } = world.own
    return anAlarm(api.database, { id: posId, merchantId }, { code: `T${++made}` })
  },
  sapcodeId: () => aSapCode(api.database, world.own.merchantId),
  noteId: (caller) =>
    aNote(api.database, { id: world.own.posId, merchantId: world.own.merchantId }, world.people[caller].subject),
  viewId: (caller) => aSharedView(api.database, world.own.merchantId, world.people[caller].subject),
  clientId: () => aClient(api.database, world.own.merchantId),
  exportId: async (caller) => (await anExport(api, peopleById[caller], world.own.merchantId)).id,
  tokenId: async () => (await anApiToken(api.database, world.own.merchantId)).id,
  userId: async () => {
    const { merchantId, groupId } = world.own
    return (await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }])).id
  },
  sessionId: (caller) => aSession(api.database, peopleById[caller].id),
}
let made = 0
let peopleById: Awaited<ReturnType<typeof accessAims>>['people']

/** What a previous role has stored, restored to its first state. */
const undone: Partial<Record<EndpointName, string>> = {
  updateGroup: 'update groups set version = 1',
  updateAlarmSetting: 'delete from alarm_settings',
  sendRemoteCommand: 'delete from remote_commands where type = 4',
  createExport: `delete from exports where status <> 'done'`,
}

const undo = async (name: EndpointName) => undone[name] && (await api.database.admin(undone[name]))

/** What leaves the machine out of sight of the next one to call. */
const takesMachineAway: readonly EndpointName[] = ['deleteMachine', 'leaveMachineGroup']

async function madeFresh(name: EndpointName, caller: Role): Promise<Partial<Aim>> {
  const { merchantId, groupId, posId } = world.own
  if (name === 'cancelRemoteCommand')
    return { commandId: await aCommand(api.database, { id: posId, merchantId }, { type: 17 }) }
  if (takesMachineAway.includes(name)) return { posId: (await aMachine(api.database, merchantId, { groupId })).id }
  const named = Object.entries(fresh).filter(([key]) => rowOf(name).path.includes(`{${key}}`))
  return Object.fromEntries(await Promise.all(named.map(async ([key, make]) => [key, await make(caller)])))
}

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  const aims = await accessAims(api)
  peopleById = aims.people
  world = { api, ...aims, fresh: madeFresh, undo, grouped: await groupedNouns(api.database) }
})
afterAll(() => api.close())

const names = Object.keys(endpoints) as EndpointName[]
const isStream = (name: EndpointName) => rowOf(name).timeOut === 'stream'

/** The end customer is a role of the identity provider alone, and none here. */
const customer = roleFromClaim(endCustomerClaim, 'tenant')

test('the matrix holds every endpoint of the contract', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(samples).sort()).toEqual([...names].sort())
})

test('every uuid that a call takes is of a noun, or is listed here with its reason', () => {
  const untyped = names.flatMap((name) =>
    placesOf(name)
      .filter(({ field }) => field.noun === undefined)
      .map((place) => `${name} ${titleOf(place)}`),
  )
  const isExcused = (title: string) => title in plain || Object.keys(plainAnywhere).some((end) => title.endsWith(end))
  expect(untyped.filter((title) => !isExcused(title))).toEqual([])
  expect(untyped).toEqual(expect.arrayContaining(Object.keys(plain)))
  for (const end of Object.keys(plainAnywhere))
    expect(
      untyped.some((title) => title.endsWith(end)),
      end,
    ).toBe(true)
})

test('ids are found in paths, filters, bodies, arrays, rows and selections', () => {
  const found = names.flatMap((name) => placesOf(name).map((place) => `${name} ${titleOf(place)} ${place.field.noun}`))
  expect(found).toEqual(
    expect.arrayContaining([
      'getAlarm params.alarmId alarmId',
      'listMachines query.groupIds[] groupId',
      'updateMachine body.groupId groupId',
      'updateMachines body.rows[].id posId',
      'updateMachines body.rows[].groupId groupId',
      'repairAlarms body.alarms.ids[] alarmId',
      'repairAlarms body.alarms.matching.groupIds[] groupId',
      'exportShown body.posId posId',
    ]),
  )
})

test('filters that only narrow are of people and orders', () => {
  const nouns = new Set(
    names.flatMap((name) =>
      placesOf(name)
        .filter(isNarrowing)
        .map(({ field }) => field.noun),
    ),
  )
  expect(nouns).toEqual(new Set(['userId', 'orderId']))
})

test.each(names.filter((name) => !isStream(name)))('%s', async (name) => {
  const isForAnyone = rowOf(name).needs === 'anyone'
  const stranger = await api.send(name, samples[name].input(world.own))
  expect(`a stranger: ${stranger.statusCode}`).toBe(`a stranger: ${isForAnyone ? rowOf(name).status : 401}`)
  const asCustomer = await api.send(name, samples[name].input(world.own), world.people.superAdmin, customer)
  expect(`an end customer: ${asCustomer.statusCode}`).toBe(`an end customer: ${isForAnyone ? rowOf(name).status : 403}`)
  const { wrong, allowed, refused, places } = await tried(name, world)
  expect(wrong).toEqual([])
  expect(allowed, 'nobody was let in').toBeGreaterThan(0)
  // The stranger's refusal stands for what takes no ids and is open to every role.
  if (places > 0 && !isForAnyone) expect(refused, 'nothing was refused').toBeGreaterThan(0)
})

// A stream does not end; its content is tested in live.test.ts.
test.each(names.filter(isStream))('%s', async (name) => {
  const { people, own } = world
  const { token } = await anApiToken(api.database, own.merchantId)
  const call = { ...samples[name].input(own), headers: { authorization: `Bearer ${token}` } }
  expect((await api.send(name, samples[name].input(own))).statusCode).toBe(401)
  expect((await api.send(name, call)).statusCode).toBe(403)
  expect((await api.send(name, samples[name].input(own), people.superAdmin, customer)).statusCode).toBe(403)
  for (const caller of roles.filter((caller) => !may(caller, name)))
    expect((await api.send(name, samples[name].input(own), people[caller])).statusCode).toBe(403)
  const person = await aUser(api.database, 'merchantUser', [{ merchantId: own.merchantId, groups: 'all' }])
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
  for (const who of [person, { ...person, subject: 'nobody' }])
    expect((await api.send(name, call, who)).json()).toMatchObject({ code: 'UnauthorizedUserException' })
})

describe('claim and database', () => {
  test('the lesser role applies, whether it is in the token or in the database', async () => {
    expect((await api.as(world.people.superAdmin, 'merchantUser').getMe({})).role).toBe('merchantUser')
    expect((await api.as(world.people.merchantUser, 'superAdmin').getMe({})).role).toBe('merchantUser')
  })

  test('a super admin whose claim says less sees no merchant that is not assigned', async () => {
    expect(await api.as(world.people.superAdmin, 'merchantAdmin').listMyMerchants({})).toEqual([])
  })

  test('a person without a role, suspended or unknown is refused on the next request', async () => {
    const person = await aUser(api.database, 'merchantUser', [{ merchantId: world.own.merchantId, groups: 'all' }])
    const refused = { code: 'UnauthorizedUserException', status: 403 }
    await api.as(person).getMe({})
    await expect(api.as(person, null).getMe({})).rejects.toMatchObject(refused)
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
    await expect(api.as(person).getMe({})).rejects.toMatchObject(refused)
    await expect(api.as({ ...person, subject: 'nobody' }).getMe({})).rejects.toMatchObject(refused)
  })
})
