import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Permission, roleMay } from '#contract/access.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { groupsHeader, isOfManyMachines } from '#contract/frame/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { endCustomerClaim, type Role, roles } from '#contract/vocabulary/roles.ts'
import { roleFromClaim } from '#domain/people/role-claim.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { type Aim, period, samples } from '#testkit/access/access-samples.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aSession } from '#testkit/browser/sessions.ts'
import { anExport } from '#testkit/exports.ts'
import { aClient, aMachine, aUser } from '#testkit/fixtures.ts'
import { aNote, anAlarm, aSharedView } from '#testkit/machines/machine-data.ts'

/*
 * Every endpoint × every role × one's own and a foreign merchant × one's own and a foreign group, in path, body, array element and
 * filter. What is expected is what access.ts says. An endpoint without a sample does not compile; the samples stand in
 * testkit/access/access-samples.ts.
 */

let api: TestApi
let people: Record<Role, TestUser & { id: string }>
let own: Aim
let otherGroup: Aim
let foreign: Aim

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true' })
  ;({ people, own, otherGroup, foreign } = await accessAims(api))
})
afterAll(() => api.close())

const anotherAlarm = () => anAlarm(api.database, { id: own.posId, merchantId: own.merchantId }, { status: 'repaired' })

const aPersonOfTheGroup = async () =>
  (await aUser(api.database, 'merchantUser', [{ merchantId: own.merchantId, groups: [own.groupId] }])).id

/** What a role before may have deleted or used up, made anew for each call whose path names it. */
const anew: Partial<Record<keyof Aim, (caller: Role) => Promise<string>>> = {
  alarmId: () => anotherAlarm(),
  noteId: () => aNote(api.database, { id: own.posId, merchantId: own.merchantId }, people.merchantUser.subject),
  viewId: () => aSharedView(api.database, own.merchantId, people.merchantUser.subject),
  clientId: () => aClient(api.database, own.merchantId),
  exportId: async (caller) => (await anExport(api, people[caller], own.merchantId)).id,
  tokenId: async () => (await anApiToken(api.database, own.merchantId)).id,
  userId: () => aPersonOfTheGroup(),
  sessionId: (caller) => aSession(api.database, people[caller].id),
}

async function madeAnew(name: EndpointName, caller: Role): Promise<Partial<Aim>> {
  if (takesMachineAway.includes(name))
    return { posId: (await aMachine(api.database, own.merchantId, { groupId: own.groupId })).id }
  for (const [key, make] of Object.entries(anew))
    if (rowOf(name).path.includes(`{${key}}`)) return { [key]: await make(caller) }
  return {}
}

const names = Object.keys(endpoints) as EndpointName[]
const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const isStream = (name: EndpointName) => rowOf(name).timeOut === 'stream'
const may = (caller: Role, name: EndpointName) => {
  const { needs } = rowOf(name)
  return needs === 'anyone' || needs === 'newcomer' || roleMay(caller, needs as Permission)
}
const seesAll = (caller: Role) => caller === 'superAdmin'
const seesGroup = (caller: Role) => seesAll(caller) || caller === 'merchantAdmin'

/** Refused for who one is; everything else means that the door was open. */
const refusals = [401, 403, 404]
const isAdmitted = (status: number) => !refusals.includes(status) && (status < 500 || status === 503)
/** A view that somebody else shares is seen, and changed only by who manages them: that refusal is the handler's. */
const isOthersView = (name: EndpointName, caller: Role) =>
  ['updateView', 'deleteView'].includes(name) && caller === 'groupAdmin'
/** What leaves the machine out of sight of the next one to call. */
const takesMachineAway: readonly EndpointName[] = ['deleteMachine', 'leaveMachineGroup']
/** An invitation of nobody: that refusal is the handler’s. */
const isNobodys = (name: EndpointName) => name === 'acceptInvitation'
/** A note of somebody else is seen and cannot be deleted: that refusal is the handler's. */
const isOthersNote = (name: EndpointName, caller: Role) => name === 'deleteNote' && caller !== 'merchantUser'

/** The end customer is a role of the identity provider alone, and none here. */
const customer = roleFromClaim(endCustomerClaim, 'tenant')

test('the matrix holds every endpoint of the contract', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(samples).sort()).toEqual([...names].sort())
})

describe.each(names)('%s', (name) => {
  const { input } = samples[name]
  const isForAnyone = rowOf(name).needs === 'anyone'

  test('a stranger is let in only where anyone may call', async () => {
    const { statusCode } = await api.send(name, input(own))
    if (isForAnyone) expect(statusCode).toBeLessThan(300)
    else expect(statusCode).toBe(401)
  })

  test('so is an end customer, whoever else they are here', async () => {
    const { statusCode } = await api.send(name, input(own), people.superAdmin, customer)
    if (isForAnyone) expect(statusCode).toBeLessThan(300)
    else expect(statusCode).toBe(403)
  })
})

// One that is let in gets no end: what they are told is tested in live.test.ts.
describe.each(names.filter(isStream))('%s', (name) => {
  const call = (headers: Record<string, string>) => ({ ...samples[name].input(own), headers })

  test('an integration, and whose role may not, is refused before it begins', async () => {
    const { token } = await anApiToken(api.database, own.merchantId)
    expect((await api.send(name, call({ authorization: `Bearer ${token}` }))).statusCode).toBe(403)
    for (const caller of roles.filter((caller) => !may(caller, name)))
      expect((await api.send(name, call({}), people[caller])).statusCode).toBe(403)
  })

  test('a person who is suspended, or unknown here, is refused before it begins', async () => {
    const person = await aUser(api.database, 'merchantUser', [{ merchantId: own.merchantId, groups: 'all' }])
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
    for (const who of [person, { ...person, subject: 'nobody' }])
      expect((await api.send(name, call({}), who)).json()).toMatchObject({ code: 'UnauthorizedUserException' })
  })
})

describe.each(names.filter((name) => !isStream(name)))('%s', (name) => {
  const { input, names: names_ } = samples[name]
  const statusOf = async (aim: Aim, caller: Role) => (await api.send(name, input(aim), people[caller])).statusCode

  test.each(roles)('%s: what is out of reach answers as if it did not exist', async (caller) => {
    if (names_ === 'nothing') return
    const refused = may(caller, name) ? 404 : 403
    if (!seesAll(caller)) {
      expect(await statusOf(foreign, caller)).toBe(refused)
      // A foreign thing behind one's own merchant, and under "all distributors".
      if (names_ === 'machine') {
        expect(await statusOf({ ...foreign, merchantId: own.merchantId }, caller)).toBe(refused)
        expect(await statusOf({ ...foreign, merchantId: allMerchants }, caller)).toBe(refused)
      }
    }
    if (!seesGroup(caller) && names_ === 'machine') expect(await statusOf(otherGroup, caller)).toBe(refused)
  })

  test.each(roles)('%s: no answer names what is out of reach', async (caller) => {
    if (names_ === 'nothing' || !may(caller, name) || rowOf(name).method !== 'GET') return
    // A shared view and a client are their merchant's, whatever the group.
    const { viewId, clientId } = foreign
    const inOtherGroup = { ...otherGroup, viewId, clientId }
    const hidden = seesAll(caller) ? [] : seesGroup(caller) ? [foreign] : [foreign, inOtherGroup]
    const { params } = input(own) as { params: Record<string, string> }
    for (const merchantId of [own.merchantId, allMerchants]) {
      const query = /stats|transactions/.test(rowOf(name).path) ? period : {}
      const answer = await api.send(name, { params: { ...params, merchantId }, query }, people[caller])
      for (const { merchantId: _, ...ids } of hidden)
        for (const id of Object.values(ids)) expect(answer.payload).not.toContain(id)
    }
  })

  test.each(roles)('%s: a look at some groups stays within those in reach', async (caller) => {
    if (!isOfManyMachines(rowOf(name)) || !may(caller, name)) return
    const lookingAt = (aim: Aim) =>
      api.send(name, { ...input(own), headers: { [groupsHeader]: aim.groupId } }, people[caller])
    expect((await lookingAt(own)).payload).not.toContain('GroupNotFound')
    for (const hidden of seesGroup(caller) ? [foreign] : [foreign, otherGroup])
      expect((await lookingAt(hidden)).json()).toMatchObject({ status: 404, code: 'GroupNotFound' })
    // What one may see, but does not look at.
    if (seesGroup(caller) && names_ === 'machine') expect((await lookingAt(otherGroup)).statusCode).not.toBe(200)
  })

  test.each(roles)('%s: one’s own', async (caller) => {
    const aim = { ...own, ...(await madeAnew(name, caller)) }
    const answer = await api.send(name, input(aim), people[caller])
    const status = answer.statusCode
    if (!may(caller, name)) expect(status).toBe(403)
    else if (isOthersNote(name, caller) || isOthersView(name, caller)) expect(status).toBe(403)
    else if (isNobodys(name)) expect(answer.json()).toMatchObject({ code: 'InvitationNotFound' })
    else expect(status).toSatisfy(isAdmitted)
    // A sample that is not sound proves nothing.
    if (status === 400) expect(['ValidationFailed', 'BadRequest']).not.toContain(answer.json().code)
  })
})

describe('arrays in a body', () => {
  test('one foreign machine among one’s own refuses the whole order', async () => {
    for (const hidden of [foreign, otherGroup]) {
      const body = { machines: { ids: [own.posId, hidden.posId] }, order: { type: 3 } }
      const call = { params: { merchantId: own.merchantId }, body }
      const answer = await api.send('sendRemoteCommand', call, people.groupAdmin)
      expect(answer.json()).toMatchObject({ status: 404, code: 'MachineNotFound' })
    }
    const stored = await api.database.admin('select from remote_commands where type = 3')
    expect(stored).toHaveLength(0)
  })
})

describe('claim and database', () => {
  test('the lesser role wins, whichever side says it', async () => {
    expect((await api.as(people.superAdmin, 'merchantUser').getMe({})).role).toBe('merchantUser')
    expect((await api.as(people.merchantUser, 'superAdmin').getMe({})).role).toBe('merchantUser')
  })

  test('a super admin whose claim says less sees no merchant that is not assigned', async () => {
    expect(await api.as(people.superAdmin, 'merchantAdmin').listMyMerchants({})).toEqual([])
  })

  test('a person without a role, suspended or unknown is refused on the next request', async () => {
    const person = await aUser(api.database, 'merchantUser', [{ merchantId: own.merchantId, groups: 'all' }])
    const refused = { code: 'UnauthorizedUserException', status: 403 }
    await api.as(person).getMe({})
    await expect(api.as(person, null).getMe({})).rejects.toMatchObject(refused)
    await api.database.admin(`update users set status = 'suspended' where id = $1`, [person.id])
    await expect(api.as(person).getMe({})).rejects.toMatchObject(refused)
    await expect(api.as({ ...person, subject: 'nobody' }).getMe({})).rejects.toMatchObject(refused)
  })
})
