import { randomUUIDv7 } from 'node:crypto'
import { type IdName, idNames } from '#contract/frame/ids.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { tableOf } from '#database/frame/reach.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import type { TestApi, TestUser } from '../api.ts'
import { anApiToken } from '../api-tokens.ts'
import { aSession } from '../browser/sessions.ts'
import { aChange } from '../changes.ts'
import { anExport } from '../exports.ts'
import { aClient, aGroup, aMachine, aMerchant, aSapCode, aUser, type TestMachine } from '../fixtures.ts'
import {
  aCommand,
  aConfiguration,
  aDeadLetter,
  aNote,
  anAlarm,
  anAudit,
  anInterval,
  aPostalCode,
  aSale,
  aSharedView,
} from '../machines/machine-data.ts'

/** What one call is aimed at, by the nouns of ids: a machine and all that hangs on it, reached through some merchant's path. */
export type Aim = { readonly [Noun in IdName]: string } & { readonly exportToken: string }

async function aimAt(
  api: TestApi,
  merchantId: string,
  groupId: string,
  machine: TestMachine,
  ownerId: string,
): Promise<Aim> {
  const { database } = api
  const someone = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const exported = await anExport(api, someone, merchantId)
  const orderId = randomUUIDv7()
  const content = JSON.stringify(readAudit(new TextEncoder().encode('DXS*X*VA*V0/6*1\r\n')))
  return {
    merchantId,
    groupId,
    posId: machine.id,
    pastPosId: machine.id,
    clientId: await aClient(database, merchantId),
    alarmId: await anAlarm(database, machine),
    transactionId: await aSale(database, machine),
    auditId: await anInterval(database, machine, await anAudit(database, machine, { content })),
    commandId: await aCommand(database, machine, { order_id: orderId }),
    orderId,
    configId: await aConfiguration(database, machine),
    noteId: await aNote(database, machine, ownerId),
    exportId: exported.id,
    exportToken: exported.token,
    sessionId: await aSession(database, someone.id),
    viewId: await aSharedView(database, merchantId, ownerId),
    sapcodeId: await aSapCode(database, merchantId),
    letterId: await aDeadLetter(database, machine),
    changeId: await aChange(database, merchantId, { subject_id: machine.id }),
    tokenId: (await anApiToken(database, merchantId)).id,
    userId: (await aUser(database, 'merchantUser', [{ merchantId, groups: [groupId] }])).id,
  }
}

/** Nouns of groups, as the catalog says: their table has a machine or a group in each row, or holds the groups. */
export async function groupedNouns({ admin }: TestApi['database']): Promise<Set<IdName>> {
  const tables = await admin<{ name: string }>(
    `select distinct table_name as name from information_schema.columns where column_name = 'machine_id'`,
  )
  const grouped = new Set([...tables.map(({ name }) => name), 'machines', 'machinesEver', 'groups'])
  return new Set([...idNames.filter((name) => grouped.has(tableOf(name))), 'orderId'])
}

/**
 * Who calls, somebody of each role, and what calls are aimed at: in reach of all of them, in a group of the same merchant that the
 * group admin and the merchant user do not see, and at another merchant.
 */
export async function accessAims(api: TestApi): Promise<{
  people: Record<Role, TestUser & { id: string }>
  own: Aim
  otherGroup: Aim
  foreign: Aim
}> {
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
  const people = {
    superAdmin: await aUser(database, 'superAdmin', []),
    merchantAdmin: await aUser(database, 'merchantAdmin', scope.whole),
    groupAdmin: await aUser(database, 'groupAdmin', scope.part),
    merchantUser: await aUser(database, 'merchantUser', scope.part),
  }
  const at = { latitude: 45, longitude: 9 }
  const machineIn = (merchantId: string, groupId: string) => aMachine(database, merchantId, { groupId, columns: at })
  const author = people.merchantUser.subject
  const own = await aimAt(api, mine.id, groups[0], await machineIn(mine.id, groups[0]), author)
  const otherGroup = await aimAt(api, mine.id, groups[1], await machineIn(mine.id, groups[1]), author)
  const foreign = await aimAt(api, theirs.id, groups[2], await machineIn(theirs.id, groups[2]), author)
  // The platform audit log, which has no merchant, uses the same id.
  await database.admin(
    `insert into provider_log (id, at, user_id, user_name, action, subject_type, subject_id)
     select id, at, $2, user_name, action, subject_type, subject_id from change_log where id = $1`,
    [own.changeId, people.superAdmin.id],
  )
  return { people, own, otherGroup, foreign }
}
