import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aCashDatabase, aFirmware, withFile } from '#testkit/nouns/updates.ts'

/* Users of some groups see rules that concern machines of these groups, and no other rule of their merchant. */

let api: TestApi
let merchantId: string
let north = ''
let south = ''
let whole: TestUser
let northern: TestUser
let asWhole: TestClient
let asNorthern: TestClient
let machineInNorth: string
let machineInSouth: string

beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  merchantId = (await aMerchant(database)).id
  north = await aGroup(database, merchantId, 'North')
  south = await aGroup(database, merchantId, 'South')
  whole = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  northern = await aUser(database, 'groupAdmin', [{ merchantId, groups: [north] }])
  asWhole = api.as(whole)
  asNorthern = api.as(northern)
  machineInNorth = (await aMachine(database, merchantId, { groupId: north, deviceType: 'AZVT' })).id
  machineInSouth = (await aMachine(database, merchantId, { groupId: south, deviceType: 'AZVT' })).id
}, 60_000)
afterAll(() => api?.close())

let made = 0
/** Rules from different versions do not contradict. */
const fieldsOf = (target: object) => ({
  name: `Rule ${++made}`,
  target: target as never,
  fromVersions: [`0.0.0.${made}`],
})

async function aRule(target: object, as = asWhole) {
  const firmwareId = await aFirmware(api.database, { deviceTypes: ['AZVT'] })
  await withFile(api.database, 'firmwares', firmwareId)
  return as.createFirmwareRule({ params: { merchantId }, body: { ...fieldsOf(target), firmwareId } })
}
async function aDatabaseRule(target: object) {
  const cashDatabaseId = await aCashDatabase(api.database, merchantId, { deviceTypes: ['AZVT'] })
  return asWhole.createCashDatabaseRule({ params: { merchantId }, body: { ...fieldsOf(target), cashDatabaseId } })
}
const ofGroups = (...groupIds: string[]) => ({ by: 'groups', groupIds })
const ofMachines = (...posIds: string[]) => ({ by: 'machines', posIds })

const listed = async (as = asNorthern) => {
  const { items, total } = await as.listFirmwareRules({ params: { merchantId }, query: { size: 100 } })
  expect(total).toBe(items.length)
  return items.map(({ id }) => id)
}

test('a rule of another group is in neither list, is not found, edited or controlled, and is not named', async () => {
  const rule = await aRule(ofGroups(south))
  const databaseRule = await aDatabaseRule(ofMachines(machineInSouth))
  expect(await listed()).not.toContain(rule.id)
  expect(await listed(asWhole)).toContain(rule.id)
  const page = await asNorthern.listFirmwareRules({ params: { merchantId }, query: { search: rule.name } })
  expect(page).toMatchObject({ total: 0, items: [] })
  const databases = await asNorthern.listCashDatabaseRules({ params: { merchantId }, query: {} })
  expect(databases).toMatchObject({ total: 0, items: [] })

  const params = { merchantId, firmwareRuleId: rule.id }
  const { name, firmwareId, version } = rule
  const edit = { name, target: ofGroups(north) as never, firmwareId, version }
  const missing = { code: 'FirmwareRuleNotFound' }
  await expect(asNorthern.getFirmwareRule({ params })).rejects.toMatchObject(missing)
  await expect(asNorthern.updateFirmwareRule({ params, body: edit })).rejects.toMatchObject(missing)
  await expect(asNorthern.deleteFirmwareRule({ params })).rejects.toMatchObject(missing)
  await expect(asNorthern.getFirmwareRollout({ params })).rejects.toMatchObject(missing)
  await expect(asNorthern.listFirmwareRolloutMachines({ params, query: {} })).rejects.toMatchObject(missing)
  await expect(asNorthern.controlFirmwareRollout({ params, body: { command: 'start' } })).rejects.toMatchObject(missing)
  const ofDatabase = { merchantId, cashDatabaseRuleId: databaseRule.id }
  const missingDatabase = { code: 'CashDatabaseRuleNotFound' }
  await expect(asNorthern.getCashDatabaseRule({ params: ofDatabase })).rejects.toMatchObject(missingDatabase)
  await expect(asNorthern.getCashDatabaseRollout({ params: ofDatabase })).rejects.toMatchObject(missingDatabase)
  const start = { params: ofDatabase, body: { command: 'start' as const } }
  await expect(asNorthern.controlCashDatabaseRollout(start)).rejects.toMatchObject(missingDatabase)
})

test('a rule that concerns one of the own machines is seen, and changed by users who see all of its groups only', async () => {
  const byGroups = await aRule(ofGroups(north, south))
  const byMachines = await aRule(ofMachines(machineInNorth, machineInSouth))
  const byType = await aRule({ by: 'deviceTypes', deviceTypes: ['AZVT'] })
  for (const { id } of [byGroups, byMachines, byType]) {
    expect(await listed()).toContain(id)
    const params = { merchantId, firmwareRuleId: id }
    expect(await asNorthern.getFirmwareRollout({ params })).toMatchObject({ mayAct: false })
    const start = asNorthern.controlFirmwareRollout({ params, body: { command: 'start' } })
    await expect(start).rejects.toMatchObject({ code: 'RuleOfOtherGroups' })
  }
})

test('a group admin sees the own rules, before they have a machine, and changes them', async () => {
  const empty = await aGroup(api.database, merchantId)
  const author = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [empty] }])
  const as = api.as(author)
  for (const target of [ofGroups(empty), { by: 'deviceTypes', deviceTypes: ['AZVT'] }]) {
    const { id } = await aRule(target, as)
    expect(await listed(as)).toContain(id)
    expect(await listed()).not.toContain(id)
    const params = { merchantId, firmwareRuleId: id }
    expect(await as.controlFirmwareRollout({ params, body: { command: 'start' } })).toMatchObject({ state: 'running' })
  }
})

test('a rule of another group keeps a client, and is counted instead of named', async () => {
  const clientId = await aClient(api.database, merchantId)
  const { name } = await aRule({ by: 'clients', clientIds: [clientId] })
  const remove = (user: TestUser) => api.send('deleteClient', { params: { merchantId, clientId } }, user)
  const refused = (await remove(northern)).json()
  expect(refused).toMatchObject({ code: 'ClientHasUpdateRules', facts: { rules: [], names: '+1' } })
  expect((await remove(whole)).json()).toMatchObject({ facts: { names: name } })
})

test('the change log of selected groups has no entry of a rule of another group', async () => {
  const { id } = await aRule(ofGroups(south))
  const ownRule = await aRule(ofGroups(north))
  const call = { params: { merchantId }, query: { size: 100 }, headers: { [groupsHeader]: north } }
  const { items } = (await api.send('listChangeLog', call, whole)).json<{ items: { subjectId: string }[] }>()
  const subjects = items.map(({ subjectId }) => subjectId)
  expect(subjects).toContain(ownRule.id)
  expect(subjects).not.toContain(id)
})
