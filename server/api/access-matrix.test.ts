import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Permission, roleMay } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { groupsHeader, isOfManyMachines } from '#contract/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import { readAudit } from '#domain/eva-dts/reader.ts'
import { type AnyInput, openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anExport } from '#testkit/exports.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import {
  aCommand,
  aDeadLetter,
  aNote,
  anAlarm,
  anAudit,
  aPostalCode,
  aSale,
  aSharedView,
} from '#testkit/machine-data.ts'

/*
 * Every endpoint × every role × one's own and a foreign merchant × one's own and a foreign group, in path, body, array element
 * and filter. What is expected is what access.ts says. An endpoint without a sample does not compile.
 */

/** What one call is aimed at: a machine and all that hangs on it, reached through some merchant's path. */
interface Aim {
  merchantId: string
  groupId: string
  posId: string
  alarmId: string
  transactionId: string
  auditId: string
  commandId: string
  noteId: string
  /** Somebody's own, whom nobody else has to do with. */
  exportId: string
  exportToken: string
  viewId: string
  letterId: string
}

const today = new Date().toISOString().slice(0, 10)
const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
const period = { startDate: lastWeek, endDate: today }
const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofMachine = ({ merchantId, posId }: Aim) => ({ params: { merchantId, posId } })
const filtered = ({ merchantId, groupId, posId }: Aim) => ({
  params: { merchantId },
  query: { ...period, groupIds: [groupId], posIds: [posId] },
})

const aTableState = { filter: {}, headers: [], dtOptions: {}, sortOptions: null }
const aView = { isShared: true, filter: {}, sortOptions: null, headers: null }

const anOrder = ({ groupId }: Aim) => ({
  list: 'machines',
  format: 'csv',
  columns: ['name', 'serial'],
  filter: { groupIds: [groupId] },
  language: 'en',
})

/** A sound call of each endpoint. `names` says which foreign thing it names: then a stranger gets 404, else an answer without it. */
const samples: Record<EndpointName, { input: (aim: Aim) => AnyInput; names: 'nothing' | 'merchant' | 'machine' }> = {
  getSpaConfiguration: { input: () => ({}), names: 'nothing' },
  getMe: { input: () => ({}), names: 'nothing' },
  updateMe: { input: () => ({ body: { version: 1, name: 'Me', language: 'it' } }), names: 'nothing' },
  listMyMerchants: { input: () => ({}), names: 'nothing' },
  logSessionEvent: { input: () => ({ body: { type: 'logout', reason: 'test' } }), names: 'nothing' },
  watchLive: { input: () => ({}), names: 'nothing' },
  listTableStates: { input: () => ({}), names: 'nothing' },
  saveTableState: { input: () => ({ params: { tableId: 'machines' }, body: aTableState }), names: 'nothing' },
  deleteTableState: { input: () => ({ params: { tableId: 'machines' } }), names: 'nothing' },
  listViews: { input: ofMerchant, names: 'merchant' },
  createView: {
    input: (aim) => ({ ...ofMerchant(aim), body: { ...aView, tableId: 'machines', name: randomUUID() } }),
    names: 'merchant',
  },
  updateView: {
    input: ({ merchantId, viewId }) => ({ params: { merchantId, viewId }, body: { ...aView, name: randomUUID() } }),
    names: 'merchant',
  },
  deleteView: { input: ({ merchantId, viewId }) => ({ params: { merchantId, viewId } }), names: 'merchant' },
  exportShown: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }), names: 'machine' },
  createExport: { input: (aim) => ({ ...ofMerchant(aim), body: anOrder(aim) }), names: 'machine' },
  listExports: { input: ofMerchant, names: 'merchant' },
  getExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }), names: 'machine' },
  cancelExport: { input: ({ merchantId, exportId }) => ({ params: { merchantId, exportId } }), names: 'machine' },
  downloadExport: { input: ({ exportToken }) => ({ params: { token: exportToken } }), names: 'nothing' },
  listMerchants: { input: () => ({}), names: 'nothing' },
  listDeadLetters: { input: () => ({}), names: 'nothing' },
  getDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }), names: 'nothing' },
  replayDeadLetter: { input: ({ letterId }) => ({ params: { letterId } }), names: 'nothing' },
  getSuperAdminSettings: { input: ofMerchant, names: 'merchant' },
  updateSuperAdminSettings: {
    // Of a version that was never stored: it is admitted, and refused as an older one.
    input: (aim) => ({ ...ofMerchant(aim), body: { features: [], productFamilies: [], version: 99 } }),
    names: 'merchant',
  },
  listGroups: { input: ofMerchant, names: 'merchant' },
  getDashboard: { input: ofMerchant, names: 'merchant' },
  countMachines: { input: ofMerchant, names: 'merchant' },
  mapMachines: { input: ofMerchant, names: 'merchant' },
  getAssociation: { input: ofMerchant, names: 'merchant' },
  listMachines: {
    input: ({ merchantId, groupId, posId }) => ({
      params: { merchantId },
      query: { groupIds: [groupId], ids: [posId] },
    }),
    names: 'machine',
  },
  getMachine: { input: ofMachine, names: 'machine' },
  updateMachine: {
    input: (aim) => ({ ...ofMachine(aim), body: { version: 1, groupId: aim.groupId } }),
    names: 'machine',
  },
  updateMachines: {
    input: ({ merchantId, posId, groupId }) => ({
      params: { merchantId },
      body: { rows: [{ id: posId, version: 1, groupId }] },
    }),
    names: 'machine',
  },
  getTimeline: { input: ofMachine, names: 'machine' },
  listAlarms: {
    input: ({ merchantId, groupId }) => ({ params: { merchantId }, query: { groupIds: [groupId] } }),
    names: 'machine',
  },
  listMachineAlarms: { input: ofMachine, names: 'machine' },
  getAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
    names: 'machine',
  },
  repairAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId }, body: {} }),
    names: 'machine',
  },
  repairAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { alarms: { ids: [alarmId] } } }),
    names: 'machine',
  },
  reopenAlarms: {
    input: ({ merchantId, alarmId }) => ({ params: { merchantId }, body: { ids: [alarmId] } }),
    names: 'machine',
  },
  deleteAlarm: {
    input: ({ merchantId, posId, alarmId }) => ({ params: { merchantId, posId, alarmId } }),
    names: 'machine',
  },
  listTransactions: { input: filtered, names: 'machine' },
  getTransaction: {
    input: ({ merchantId, transactionId }) => ({ params: { merchantId, transactionId } }),
    names: 'machine',
  },
  statsOfPeriod: { input: filtered, names: 'machine' },
  statsByPos: { input: filtered, names: 'machine' },
  typesUsed: { input: filtered, names: 'machine' },
  mediaTypesUsed: { input: filtered, names: 'machine' },
  mediaSourcesUsed: { input: filtered, names: 'machine' },
  listAudits: { input: ofMachine, names: 'machine' },
  getAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
    names: 'machine',
  },
  getRawAudit: {
    input: ({ merchantId, posId, auditId }) => ({ params: { merchantId, posId, auditId } }),
    names: 'machine',
  },
  listRemoteCommands: {
    input: ({ merchantId, posId }) => ({ params: { merchantId }, query: { posIds: [posId] } }),
    names: 'machine',
  },
  getRemoteCommand: { input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }), names: 'machine' },
  sendRemoteCommand: {
    input: ({ merchantId, posId }) => ({
      params: { merchantId },
      body: { machines: { ids: [posId] }, order: { type: 4 } },
    }),
    names: 'machine',
  },
  cancelRemoteCommand: {
    input: ({ merchantId, commandId }) => ({ params: { merchantId, commandId } }),
    names: 'machine',
  },
  listNotes: { input: ofMachine, names: 'machine' },
  createNote: { input: (aim) => ({ ...ofMachine(aim), body: { note: 'A note' } }), names: 'machine' },
  deleteNote: {
    input: ({ merchantId, posId, noteId }) => ({ params: { merchantId, posId, noteId } }),
    names: 'machine',
  },
  completePostalCode: { input: () => ({ params: { country: 'IT', code: '00185' } }), names: 'nothing' },
  getSimulation: { input: ofMachine, names: 'machine' },
  actOnMachine: { input: (aim) => ({ ...ofMachine(aim), body: { action: 'jam' } }), names: 'machine' },
}

let api: TestApi
let people: Record<Role, TestUser & { id: string }>
let own: Aim
let otherGroup: Aim
let foreign: Aim

async function aimAt(merchantId: string, groupId: string, machine: TestMachine, ownerId: string): Promise<Aim> {
  const { database } = api
  const someone = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const exported = await anExport(api, someone, merchantId)
  const content = JSON.stringify(readAudit(new TextEncoder().encode('DXS*X*VA*V0/6*1\r\n')))
  return {
    merchantId,
    groupId,
    posId: machine.id,
    alarmId: await anAlarm(database, machine),
    transactionId: await aSale(database, machine),
    auditId: await anAudit(database, machine, { content }),
    commandId: await aCommand(database, machine),
    noteId: await aNote(database, machine, ownerId),
    exportId: exported.id,
    exportToken: exported.token,
    viewId: await aSharedView(database, merchantId, ownerId),
    letterId: await aDeadLetter(database, machine),
  }
}

beforeAll(async () => {
  api = await openTestApi({ DEMO: 'true', SIMULATOR_URL: 'http://127.0.0.1:9' })
  const { database } = api
  await aPostalCode(database)
  const mine = await aMerchant(database, { name: 'Own merchant' })
  const theirs = await aMerchant(database, { name: 'Foreign merchant' })
  const groups = [
    await aGroup(database, mine.id),
    await aGroup(database, mine.id),
    await aGroup(database, theirs.id),
  ] as const
  const scope = {
    whole: [{ merchantId: mine.id, groups: 'all' as const }],
    part: [{ merchantId: mine.id, groups: [groups[0]] }],
  }
  people = {
    superAdmin: await aUser(database, 'superAdmin', []),
    merchantAdmin: await aUser(database, 'merchantAdmin', scope.whole),
    groupAdmin: await aUser(database, 'groupAdmin', scope.part),
    merchantUser: await aUser(database, 'merchantUser', scope.part),
  }
  const at = { latitude: 45, longitude: 9 }
  const machineIn = (merchantId: string, groupId: string) => aMachine(database, merchantId, { groupId, columns: at })
  const author = people.merchantUser.subject
  own = await aimAt(mine.id, groups[0], await machineIn(mine.id, groups[0]), author)
  otherGroup = await aimAt(mine.id, groups[1], await machineIn(mine.id, groups[1]), author)
  foreign = await aimAt(theirs.id, groups[2], await machineIn(theirs.id, groups[2]), author)
})
afterAll(() => api.close())

const anotherAlarm = () => anAlarm(api.database, { id: own.posId, merchantId: own.merchantId }, { status: 'repaired' })

const names = Object.keys(endpoints) as EndpointName[]
const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const isStream = (name: EndpointName) => rowOf(name).timeOut === 'stream'
const may = (role: Role, name: EndpointName) => {
  const { needs } = rowOf(name)
  return needs === 'anyone' || roleMay(role, needs as Permission)
}
const seesAll = (role: Role) => role === 'superAdmin'
const seesGroup = (role: Role) => seesAll(role) || role === 'merchantAdmin'

/** Refused for who one is; everything else means that the door was open. */
const refusals = [401, 403, 404]
const isAdmitted = (status: number) => !refusals.includes(status) && (status < 500 || status === 503)
/** A view that somebody else shares is seen, and changed only by who manages them: that refusal is the handler's. */
const isOthersView = (name: EndpointName, role: Role) =>
  ['updateView', 'deleteView'].includes(name) && role === 'groupAdmin'
/** A note of somebody else is seen and cannot be deleted: that refusal is the handler's. */
const isOthersNote = (name: EndpointName, role: Role) => name === 'deleteNote' && role !== 'merchantUser'

test('the matrix holds every endpoint of the contract', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(samples).sort()).toEqual([...names].sort())
})

describe.each(names.filter((name) => !isStream(name)))('%s', (name) => {
  const { input, names: names_ } = samples[name]
  const statusOf = async (aim: Aim, role: Role) => (await api.send(name, input(aim), people[role])).statusCode

  test('a stranger is let in only where anyone may call', async () => {
    const { statusCode } = await api.send(name, input(own))
    if (rowOf(name).needs === 'anyone') expect(statusCode).toBeLessThan(300)
    else expect(statusCode).toBe(401)
  })

  test.each(roles)('%s: what is out of reach answers as if it did not exist', async (role) => {
    if (names_ === 'nothing') return
    const refused = may(role, name) ? 404 : 403
    if (!seesAll(role)) {
      expect(await statusOf(foreign, role)).toBe(refused)
      // A foreign thing behind one's own merchant, and under "all distributors".
      if (names_ === 'machine') {
        expect(await statusOf({ ...foreign, merchantId: own.merchantId }, role)).toBe(refused)
        expect(await statusOf({ ...foreign, merchantId: allMerchants }, role)).toBe(refused)
      }
    }
    if (!seesGroup(role) && names_ === 'machine') expect(await statusOf(otherGroup, role)).toBe(refused)
  })

  test.each(roles)('%s: no answer names what is out of reach', async (role) => {
    if (names_ === 'nothing' || !may(role, name) || rowOf(name).method !== 'GET') return
    // A shared view is its merchant's, whatever the group.
    const inOtherGroup = { ...otherGroup, viewId: foreign.viewId }
    const hidden = seesAll(role) ? [] : seesGroup(role) ? [foreign] : [foreign, inOtherGroup]
    const { params } = input(own) as { params: Record<string, string> }
    for (const merchantId of [own.merchantId, allMerchants]) {
      const query = /stats|transactions/.test(rowOf(name).path) ? period : {}
      const answer = await api.send(name, { params: { ...params, merchantId }, query }, people[role])
      for (const { merchantId: _, ...ids } of hidden)
        for (const id of Object.values(ids)) expect(answer.payload).not.toContain(id)
    }
  })

  test.each(roles)('%s: a look at some groups stays within those in reach', async (role) => {
    if (!isOfManyMachines(rowOf(name)) || !may(role, name)) return
    const lookingAt = (aim: Aim) =>
      api.send(name, { ...input(own), headers: { [groupsHeader]: aim.groupId } }, people[role])
    expect((await lookingAt(own)).payload).not.toContain('GroupNotFound')
    for (const hidden of seesGroup(role) ? [foreign] : [foreign, otherGroup])
      expect((await lookingAt(hidden)).json()).toMatchObject({ status: 404, code: 'GroupNotFound' })
    // What one may see, but does not look at.
    if (seesGroup(role) && names_ === 'machine') expect((await lookingAt(otherGroup)).statusCode).not.toBe(200)
  })

  test.each(roles)('%s: one’s own', async (role) => {
    // The role before may have deleted the alarm or the view.
    const { path } = rowOf(name)
    const aim = path.includes('{alarmId}')
      ? { ...own, alarmId: await anotherAlarm() }
      : path.includes('{viewId}')
        ? { ...own, viewId: await aSharedView(api.database, own.merchantId, people.merchantUser.subject) }
        : path.includes('{exportId}')
          ? { ...own, exportId: (await anExport(api, people[role], own.merchantId)).id }
          : own
    const status = await statusOf(aim, role)
    if (!may(role, name)) expect(status).toBe(403)
    else if (isOthersNote(name, role) || isOthersView(name, role)) expect(status).toBe(403)
    else expect(status).toSatisfy(isAdmitted)
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
