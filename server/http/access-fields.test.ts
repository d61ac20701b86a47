import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Permission, roleMay } from '#contract/access.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { type ExportList, exportLists } from '#contract/frame/export-lists.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import { accessAims } from '#testkit/access/access-aims.ts'
import { type Aim, samples } from '#testkit/access/access-samples.ts'
import { type IdField, idFields } from '#testkit/access/id-fields.ts'
import { type AnyInput, openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'

/*
 * Every id that a query or a body takes, found in the contract's own schemas: a foreign one in its place, among one's own where there
 * may be several, is answered as if it did not exist. An endpoint or a field that comes is tried without anybody's doing.
 */

/** What an id names, by how its field’s name ends: `groupIds`, `machines`, `addedPosIds`. */
const nouns: Record<string, keyof Aim> = {
  group: 'groupId',
  machine: 'posId',
  pos: 'posId',
  alarm: 'alarmId',
  command: 'commandId',
  view: 'viewId',
  client: 'clientId',
  merchant: 'merchantId',
}
/** The same where the name alone does not tell. */
const named: Record<string, keyof Aim> = {
  'mapMachines query.ids[]': 'posId',
  'listAllMachines query.ids[]': 'posId',
  'exportShown body.filter.ids[]': 'posId',
  'createExport body.filter.ids[]': 'posId',
  'moveClientMachines body.removed.ids[]': 'posId',
  'moveGroupMachines body.removed.ids[]': 'posId',
}
/** What everybody of a merchant may name, whatever their groups. */
const ofWholeMerchant: readonly (keyof Aim)[] = ['viewId', 'clientId', 'merchantId']
/** Ids that name nothing of others, with why. */
const harmless: Record<string, string> = {
  'listGroups query.ids[]':
    'the groups of an address: those out of reach are left out of the answer, and then of the address',
  'updateUser body.merchants[].merchantId': 'asked after the address, which stays; createUser asks the same rule first',
  'updateUser body.merchants[].groupIds[]': 'the same',
  'updateMerchant body.id': 'the provider’s call alone, who sees every merchant',
  'listChangeLog query.userIds[]': 'narrows the log that one sees',
  'listProviderLog query.userIds[]': 'the same',
  'updateAlarmSetting body.escalationPeople[]': 'refused unless they read the alarms of the very merchant',
  'createNote body.id': 'the note’s own id, made by who writes it',
  'listNotes query.createdBy': 'narrows the notes of a machine that one sees',
  'exportShown body.filter.createdBy': 'the same',
  'createExport body.filter.createdBy': 'the same',
  'listRemoteCommands query.orderIds[]': 'narrows the commands that one sees',
  'cancelRemoteCommands body.commands.matching.orderIds[]': 'the same',
  'exportShown body.filter.orderIds[]': 'the same',
  'createExport body.filter.orderIds[]': 'the same',
  'exportShown body.filter.userIds[]': 'the same',
  'createExport body.filter.userIds[]': 'the same',
  'saveTableState body.merchantId': 'one’s own notice of where a filter was made, looked up anew when it is used',
}

type Part = 'query' | 'body'
interface Case {
  name: EndpointName
  part: Part
  field: IdField
}

const rowOf = (name: EndpointName) => endpoints[name] as unknown as AnyEndpoint
const may = (caller: Role, name: EndpointName) => {
  const { needs } = rowOf(name)
  return needs === 'anyone' || needs === 'newcomer' || roleMay(caller, needs as Permission)
}
const titleOf = ({ name, part, field }: Case) => `${name} ${part}.${field.path}`
/** Whoever is left out of a selection is not acted on, so a foreign one changes nothing. */
const isException = ({ field }: Case) => /(^|\.)except\[\]$/.test(field.path)
/** There is none of them yet, so nothing is theirs or another's. */
const isOfLater = ({ field }: Case) => /(planogram|noVendProfile)Id$/.test(field.path)

const names = Object.keys(endpoints) as EndpointName[]
const cases: Case[] = names
  .flatMap((name) =>
    (['query', 'body'] as const).flatMap((part) => idFields(rowOf(name)[part]).map((field) => ({ name, part, field }))),
  )
  .filter((one) => !isException(one) && !isOfLater(one))

/** What a field names: by its own name, by what stands around it, or by what its sample has in it. */
function nounOf({ name, part, field }: Case, aim: Aim): keyof Aim | undefined {
  const title = titleOf({ name, part, field })
  if (named[title]) return named[title]
  const words = field.path.replaceAll('[]', '').split('.').reverse()
  for (const word of words) {
    const stem = word.toLowerCase().replace(/(?<=.)(ids?|(?<!o)s)$/, '')
    const noun = Object.keys(nouns).find((end) => stem.endsWith(end))
    if (noun) return nouns[noun]
  }
  const { body, query } = samples[name].input(aim)
  const steps = field.path.split('.').flatMap((step) => step.split(/(?=\[\])/))
  let here: unknown = part === 'body' ? body : query
  for (const step of steps) here = (here as Record<string, unknown> | undefined)?.[step === '[]' ? '0' : step]
  return (Object.keys(aim) as (keyof Aim)[]).find((key) => aim[key] === here)
}

/** Samples that shall change nothing name a version that never was; here it is what they name that is refused. */
const isOvertaken = (value: unknown): value is { version: number } => (value as { version?: number })?.version === 99

/** Whoever may not see a list may not have it as a file either, whatever it is filtered by. */
function mayExport(caller: Role, value: unknown): boolean {
  const { list } = value as { list?: ExportList }
  return !list || !(list in exportLists) || roleMay(caller, exportLists[list].row.needs as Permission)
}

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

test('ids are found in filters, bodies, arrays, rows and selections', () => {
  const found = cases.map(titleOf)
  expect(found).toEqual(
    expect.arrayContaining([
      'listMachines query.groupIds[]',
      'updateMachine body.groupId',
      'updateMachines body.rows[].id',
      'updateMachines body.rows[].groupId',
      'repairAlarms body.alarms.ids[]',
      'repairAlarms body.alarms.matching.groupIds[]',
    ]),
  )
})

test('what is said to be harmless is there', () => {
  expect(cases.map(titleOf)).toEqual(expect.arrayContaining(Object.keys(harmless)))
})

describe.each(cases.filter((one) => !(titleOf(one) in harmless)).map((one) => [titleOf(one), one] as const))(
  '%s',
  (_, one) => {
    test.each(roles.filter((caller) => may(caller, one.name)))('%s: a foreign one does not exist', async (caller) => {
      const noun = nounOf(one, own)
      if (!noun) throw new Error('Say in `nouns` what it names, or in `harmless` that it names nothing of others.')
      const { name, part, field } = one
      // Whoever sees everything is kept within the merchant of the path alone.
      if (caller === 'superAdmin' && !rowOf(name).path.includes('{merchantId}')) return
      const sample: AnyInput = samples[name].input(own)
      const seesGroup = caller === 'superAdmin' || caller === 'merchantAdmin' || ofWholeMerchant.includes(noun)
      for (const hidden of seesGroup ? [foreign] : [foreign, otherGroup]) {
        const value = field.aimed(sample[part], hidden[noun], own[noun])
        const aimed = { ...sample, [part]: isOvertaken(value) ? { ...value, version: 1 } : value }
        const answer = await api.send(name, aimed, people[caller])
        const status = mayExport(caller, value) ? 404 : 403
        expect(answer.json(), JSON.stringify(aimed[part])).toMatchObject({ status })
      }
    })
  },
)

test('a call that names nothing of a merchant’s takes no ids', () => {
  const taking = names.filter((name) => {
    if (samples[name].names !== 'nothing' || !roles.some((role) => role !== 'superAdmin' && may(role, name)))
      return false
    const named = cases.some((one) => one.name === name && !(titleOf(one) in harmless))
    // One's own sessions are looked for among one's own alone.
    return named || idFields(rowOf(name).params).some(({ path }) => path !== 'sessionId')
  })
  expect(taking).toEqual([])
})
