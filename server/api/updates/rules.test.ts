import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
}, 60_000)
afterAll(() => api?.close())

let merchantId: string
let groupId: string
let admin: TestUser
let as: TestClient
let machine: TestMachine
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  groupId = await aGroup(api.database, merchantId)
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  as = api.as(admin)
  machine = await aMachine(api.database, merchantId, { groupId, deviceType: 'AZVT' })
})

let count = 0
const aVersion = async (release = `4.0.0.${++count}`) => {
  const id = await aFirmware(api.database, { release, deviceTypes: ['AZVT'] })
  await withFile(api.database, 'firmwares', id)
  return id
}
const aBody = (firmwareId: string, with_: object = {}) => ({
  name: `Rule ${++count}`,
  firmwareId,
  target: { by: 'groups', groupIds: [groupId] },
  ...with_,
})
const create = async (body: object, user = admin) =>
  api.send('createFirmwareRule', { params: { merchantId }, body }, user)
const created = async (body: object) => (await create(body)).json<{ id: string }>().id
const control = (firmwareRuleId: string, command: string, user = admin) =>
  api.send('controlFirmwareRollout', { params: { merchantId, firmwareRuleId }, body: { command } }, user)

describe('a rule', () => {
  test('is stored as a draft, and its rollout counts its machines', async () => {
    await reportsVersion(api.database, machine, '1.0.0.0')
    const answer = await create(aBody(await aVersion('4.1.0.7')))
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      release: '4.1.0.7',
      state: 'draft',
      machines: 1,
      confirmed: 0,
      bad: 0,
      version: 1,
      installWindow: { from: '02:00', to: '05:00' },
      deviceTypes: ['AZVT'],
      peripheral: null,
    })
    const rollout = await as.getFirmwareRollout({ params: { merchantId, firmwareRuleId: answer.json().id } })
    expect(rollout).toMatchObject({ state: 'draft', members: 1, next: [{ step: 'start', machines: 1 }], mayAct: true })
  })

  test('needs a firmware that exists, and a file before its start', async () => {
    const unknown = '01a20000-0000-7000-8000-000000000000'
    expect((await create(aBody(unknown))).json()).toMatchObject({ code: 'FirmwareNotFound' })
    const { name, target } = aBody('')
    expect((await create({ name, target })).json()).toMatchObject({ code: 'ValidationFailed' })
    const id = await created(aBody(await aFirmware(api.database, { deviceTypes: ['AZVT'] })))
    expect((await control(id, 'start')).json()).toMatchObject({ code: 'UpdateFileMissing' })
  })

  test('refuses an empty window, cohorts that do not grow, and a last cohort that is not all machines', async () => {
    const firmwareId = await aVersion()
    const refused = async (with_: object) => (await create(aBody(firmwareId, with_))).json().code
    expect(await refused({ installWindow: { from: '02:00', to: '02:00' } })).toBe('ValidationFailed')
    const all = { by: 'percent', size: 100 }
    expect(await refused({ cohorts: [{ by: 'percent', size: 20 }, { by: 'percent', size: 5 }, all] })).toBe(
      'ValidationFailed',
    )
    expect(await refused({ cohorts: [{ by: 'machines', size: 10 }] })).toBe('ValidationFailed')
    // Over midnight, and at any time.
    expect(await refused({ installWindow: { from: '23:00', to: '01:00' }, fromVersions: ['1.0.0.1'] })).toBeUndefined()
    expect(await refused({ installWindow: null, fromVersions: ['1.0.0.2'] })).toBeUndefined()
  })

  test('contradicting another is refused with its name; a rule that follows it is accepted', async () => {
    const first = aBody(await aVersion('5.0.0.1'), { name: 'First step', fromVersions: ['4.0.0.0'] })
    const id = await created(first)
    const other = aBody(await aVersion('6.0.0.1'), { fromVersions: ['4.0.0.0'] })
    expect((await create(other)).json()).toMatchObject({ code: 'RuleContradicts', facts: { id, name: 'First step' } })
    // Another kind of target with the same machine.
    const ofMachine = { ...other, target: { by: 'machines', posIds: [machine.id] } }
    expect((await create(ofMachine)).json()).toMatchObject({ code: 'RuleContradicts' })
    expect((await create({ ...other, fromVersions: ['5.0.0.1'] })).statusCode).toBe(201)
  })

  test('asks before machines get an older version, and names the versions', async () => {
    await reportsVersion(api.database, machine, '7.2.0.0')
    const body = aBody(await aVersion('7.1.0.0'))
    expect((await create(body)).json()).toMatchObject({
      code: 'UpdateDowngrade',
      facts: { machines: 1, versions: ['7.2.0.0'] },
    })
    expect((await create({ ...body, allowDowngrade: true })).json()).toMatchObject({ machines: 1 })
  })

  test('refuses a version that is for other types than its targets, and names them', async () => {
    const firmwareId = await aFirmware(api.database, { deviceTypes: ['CUNI'] })
    await withFile(api.database, 'firmwares', firmwareId)
    const other = await aMachine(api.database, merchantId, { deviceType: 'CUNI', name: 'Lobby' })
    const refused = async (target: object) => (await create(aBody(firmwareId, { target }))).json()
    const ofMachines = (...posIds: string[]) => ({ by: 'machines', posIds })
    const code = 'UpdateNotForTargets'
    expect(await refused({ by: 'deviceTypes', deviceTypes: ['CUNI', 'AZVT'] })).toMatchObject({
      code,
      facts: { names: expect.not.stringContaining(',') },
    })
    expect(await refused({ by: 'groups', groupIds: [groupId] })).toMatchObject({ code, facts: { names: machine.name } })
    expect(await refused(ofMachines(machine.id, other.id))).toMatchObject({ code, facts: { names: machine.name } })
    const id = await created(aBody(firmwareId, { target: ofMachines(other.id) }))
    // Its types may change before the start.
    await api.database.admin(`update firmwares set device_types = '{AZNE}' where id = $1`, [firmwareId])
    expect((await control(id, 'start')).json()).toMatchObject({ code, facts: { names: 'Lobby' } })
  })

  test('keeps its version after the start, and cannot be deleted while under way', async () => {
    const id = await created(aBody(await aVersion()))
    const rule = await as.getFirmwareRule({ params: { merchantId, firmwareRuleId: id } })
    await control(id, 'start')
    const { version, name, target } = rule
    const put = (firmwareId: string, changed: object) =>
      api.send(
        'updateFirmwareRule',
        { params: { merchantId, firmwareRuleId: id }, body: { version, name, target, firmwareId, ...changed } },
        admin,
      )
    expect((await put(await aVersion(), {})).json()).toMatchObject({ code: 'RolloutStarted' })
    expect((await put(rule.firmwareId, { healthMinutes: 5 })).json()).toMatchObject({ healthMinutes: 5, version: 2 })
    const remove = () => api.send('deleteFirmwareRule', { params: { merchantId, firmwareRuleId: id } }, admin)
    expect((await remove()).json()).toMatchObject({ code: 'FirmwareRuleInUse', facts: { state: 'running' } })
    await control(id, 'end')
    expect((await remove()).statusCode).toBe(204)
    expect((await control(id, 'start')).json()).toMatchObject({ code: 'FirmwareRuleNotFound' })
  })

  test('a command that does not fit the state is refused', async () => {
    const id = await created(aBody(await aVersion()))
    expect((await control(id, 'pause')).json()).toMatchObject({ code: 'RolloutNotPossible', facts: { state: 'draft' } })
    await control(id, 'start')
    expect((await control(id, 'pause')).json()).toMatchObject({ state: 'paused', next: [{ step: 'resume' }] })
    expect((await control(id, 'resume')).json()).toMatchObject({ state: 'running' })
    expect((await control(id, 'halt')).json()).toMatchObject({ state: 'halted', halt: { cause: 'user' } })
  })
})

test('a group or client with rules cannot be deleted, and the rules are named; neither can its firmware', async () => {
  const empty = await aGroup(api.database, merchantId)
  const firmwareId = await aVersion()
  const id = await created(aBody(firmwareId, { name: 'Night', target: { by: 'groups', groupIds: [empty] } }))
  const remove = await api.send('deleteGroup', { params: { merchantId, groupId: empty } }, admin)
  expect(remove.json()).toMatchObject({ code: 'GroupHasFirmwareRules', facts: { rules: [{ id, name: 'Night' }] } })
  const clientId = await aClient(api.database, merchantId)
  const ofClient = await created(
    aBody(await aVersion(), { name: 'Bar', target: { by: 'clients', clientIds: [clientId] } }),
  )
  const without = await api.send('deleteClient', { params: { merchantId, clientId } }, admin)
  expect(without.json()).toMatchObject({
    code: 'ClientHasUpdateRules',
    facts: { rules: [{ id: ofClient, name: 'Bar' }] },
  })
  const provider = await aUser(api.database, 'superAdmin', [])
  const firmware = await api.send('deleteFirmware', { params: { firmwareId } }, provider)
  expect(firmware.json()).toMatchObject({ code: 'FirmwareInUseException', facts: { rules: ['Night'] } })
})

test('a cash database has rules of the same form', async () => {
  const currency = 'EUR'
  const database = await as.createCashDatabase({
    params: { merchantId },
    body: { name: 'Coins 2026', release: '2026.1', currency, deviceTypes: ['AZVT'] },
  })
  await reportsVersion(api.database, machine, '2025.9', { kind: 'cashDatabase' })
  const { name, target } = aBody('')
  const rule = await as.createCashDatabaseRule({
    params: { merchantId },
    body: { name, target: target as never, cashDatabaseId: database.id },
  })
  expect(rule).toMatchObject({ release: '2026.1', machines: 1, state: 'draft' })
  const remove = () => api.send('deleteCashDatabase', { params: { merchantId, cashDatabaseId: database.id } }, admin)
  expect((await remove()).json()).toMatchObject({ code: 'CashDatabaseInUse' })
  const { total } = await as.listCashDatabaseRules({ params: { merchantId }, query: { states: ['draft'] } })
  expect(total).toBe(1)
})
