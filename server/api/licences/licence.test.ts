import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aLicence, licenceFields } from '#testkit/nouns/licences.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function aShop(with_: Record<string, unknown> = {}) {
  const { id: merchantId } = await aMerchant(api.database, with_)
  const machine = await aMachine(api.database, merchantId)
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }], { allowLicensing: true })
  const as = api.as(user)
  const create = (more: object = {}, posIds = [machine.id]) =>
    as.createLicences({ params: { merchantId }, body: { ...licenceFields, ...more, posIds } as never })
  return { merchantId, machine, user, as, create }
}
const refused = (code: string) => expect.objectContaining({ code })

test('licences are for users with the provider’s permission; others get nothing', async () => {
  const { merchantId, create } = await aShop()
  await create()
  const scope = [{ merchantId, groups: 'all' as const }]
  for (const role of ['merchantAdmin', 'merchantUser', 'groupAdmin'] as const) {
    const user = await aUser(api.database, role, scope)
    await expect(api.as(user).listLicences({ params: { merchantId } })).rejects.toEqual(refused('Forbidden'))
  }
  const admin = await aUser(api.database, 'merchantAdmin', scope, { allowLicensing: true })
  expect((await api.as(admin).listLicences({ params: { merchantId } })).total).toBe(1)
})

describe('creation', () => {
  test('each of many machines gets a licence with its data, and the log has no contacts of the client', async () => {
    const { merchantId, machine, as, create } = await aShop()
    const other = await aMachine(api.database, merchantId)
    const { items } = await create({ installedOn: '2026-03-01', note: 'First floor' }, [machine.id, other.id])
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({
      ...licenceFields,
      status: 0,
      posId: machine.id,
      posName: machine.name,
      posSerial: machine.serial,
      deviceType: 'AZVT',
      installedOn: '2026-03-01',
      expiresOn: null,
      note: 'First floor',
      keyHint: null,
      timeZone: 'Europe/Rome',
    })
    expect(new Set(items.map(({ name }) => name)).size).toBe(2)
    const params = { merchantId, licenceId: items[0]?.id ?? '' }
    expect(await as.listLicenceEvents({ params })).toMatchObject([{ act: 'create', by: 'user', posName: machine.name }])
    const log = await api.database.admin<{ after: object }>(
      `select after from change_log where merchant_id = $1 and action = 'licence.create'`,
      [merchantId],
    )
    expect(log).toHaveLength(2)
    expect(JSON.stringify(log)).toContain('Bar Sport')
    expect(JSON.stringify(log)).not.toMatch(/Carla|client\.test/)
  })

  test('a machine has one licence: of two creations at once one is refused, and a list with one such machine creates none', async () => {
    const { merchantId, machine, as, create } = await aShop()
    const other = await aMachine(api.database, merchantId)
    const both = await Promise.allSettled([create(), create()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'LicenceAlreadyExists' } })
    await expect(create({}, [other.id, machine.id])).rejects.toEqual(refused('LicenceAlreadyExists'))
    expect((await as.listLicences({ params: { merchantId } })).total).toBe(1)
  })

  test('a cash recycler’s licence needs the family Cashlogy; another one does not', async () => {
    const { create } = await aShop({ productFamilies: ['gettone'] })
    await expect(create()).rejects.toEqual(refused('ProductFamilyNotEnabled'))
    expect((await create({ type: 'none' })).items).toHaveLength(1)
  })

  test('a demo needs an expiration date of at most 90 days, and has the feature of demos', async () => {
    const { create } = await aShop()
    const demo = { type: 'cashlogyDemo' }
    await expect(create(demo)).rejects.toEqual(refused('ValidationFailed'))
    await expect(create({ ...demo, expiresOn: dayFromNow(92) })).rejects.toEqual(refused('LicenceEndNotPossible'))
    await expect(create({ ...demo, expiresOn: dayFromNow(-2) })).rejects.toEqual(refused('LicenceEndNotPossible'))
    const { items } = await create({ ...demo, expiresOn: dayFromNow(89) })
    expect(items[0]?.features).toEqual(['Connector_Basic', 'CIT_Basic', 'Demo'])
  })

  test('machines of another merchant, of other groups and under all merchants are refused', async () => {
    const { merchantId, create, as, machine } = await aShop()
    const foreign = await aShop()
    await expect(create({}, [foreign.machine.id])).rejects.toEqual(refused('MachineNotFound'))
    const ownGroup = await aGroup(api.database, merchantId)
    const another = await aGroup(api.database, merchantId)
    const hidden = await aMachine(api.database, merchantId, { groupId: another })
    const some = await aUser(api.database, 'merchantUser', [{ merchantId, groups: [ownGroup] }], {
      allowLicensing: true,
    })
    const body = { ...licenceFields, posId: hidden.id } as never
    await expect(api.as(some).createLicence({ params: { merchantId }, body })).rejects.toEqual(
      refused('MachineNotFound'),
    )
    const all = { params: { merchantId: allMerchants }, body: { ...licenceFields, posId: machine.id } as never }
    await expect(as.createLicence(all)).rejects.toEqual(refused('MerchantNotSelected'))
    const licence = await aLicence(api.database, hidden)
    await expect(api.as(some).getLicence({ params: { merchantId, licenceId: licence.id } })).rejects.toEqual(
      refused('LicenceNotFound'),
    )
    expect((await api.as(some).listLicences({ params: { merchantId } })).total).toBe(0)
  })
})

test('the list is searched and filtered by status, type, feature, machine and days before the end', async () => {
  const { merchantId, as } = await aShop()
  const machines = await Promise.all([1, 2, 3].map(() => aMachine(api.database, merchantId)))
  const [one, two, three] = machines as [TestMachine, TestMachine, TestMachine]
  const [created_at, later, last] = [3, 2, 1].map((minutes) => new Date(Date.now() - minutes * 60_000))
  const roma = { establishment_name: 'Caffè Roma', expires_on: dayFromNow(20), created_at }
  await aLicence(api.database, one, { status: 3, ...roma })
  await aLicence(api.database, two, { status: 1, type: 'none', features: ['Cashless_CardReader'], created_at: later })
  await aLicence(api.database, three, { status: 4, expires_on: dayFromNow(5), created_at: last })
  const numbersOf = async (query: object) => {
    const { items } = await as.listLicences({ params: { merchantId }, query: { ...query, ord: 'createdAt' } as never })
    return items.map(({ posId }) => machines.findIndex(({ id }) => id === posId) + 1)
  }
  expect(await numbersOf({})).toEqual([1, 2, 3])
  expect(await numbersOf({ search: 'caffè' })).toEqual([1])
  expect(await numbersOf({ statuses: [1, 4] })).toEqual([2, 3])
  expect(await numbersOf({ types: ['none'] })).toEqual([2])
  expect(await numbersOf({ features: ['Cashless_CardReader', 'Demo'] })).toEqual([2])
  expect(await numbersOf({ posIds: [three.id] })).toEqual([3])
  expect(await numbersOf({ endsWithin: 30 })).toEqual([1])
})

describe('an edit', () => {
  test('is refused after another user’s, and a demo is prolonged to 90 days after its activation', async () => {
    const { merchantId, machine, as } = await aShop()
    const ten = new Date(Date.now() - 10 * 86_400_000)
    const more = { type: 'cashlogyDemo', expires_on: dayFromNow(30), created_at: ten }
    const { id: licenceId } = await aLicence(api.database, machine, { status: 3, ...more })
    const params = { merchantId, licenceId }
    const edit = (expiresOn: string, version: number) =>
      as.updateLicence({ params, body: { ...licenceFields, type: 'cashlogyDemo', expiresOn, version } as never })
    expect(await edit(dayFromNow(88), 1)).toMatchObject({ version: 2, expiresOn: dayFromNow(88) })
    await expect(edit(dayFromNow(60), 1)).rejects.toEqual(refused('EditConflict'))
    await expect(edit(dayFromNow(92), 2)).rejects.toEqual(refused('LicenceEndNotPossible'))
    await api.database.admin('update licences set first_activated_at = $1 where id = $2', [ten, licenceId])
    await expect(edit(dayFromNow(87), 2)).rejects.toEqual(refused('LicenceEndNotPossible'))
    expect(await edit(dayFromNow(79), 2)).toMatchObject({ expiresOn: dayFromNow(79) })
  })

  test('only a licence that was never sent is deleted', async () => {
    const { merchantId, machine, as } = await aShop()
    const { id } = await aLicence(api.database, machine)
    await as.deleteLicence({ params: { merchantId, licenceId: id } })
    const { id: sent } = await aLicence(api.database, machine, { sent_at: new Date() })
    const gone = as.deleteLicence({ params: { merchantId, licenceId: sent } })
    await expect(gone).rejects.toEqual(refused('LicenceInUse'))
  })
})

describe('acts', () => {
  test('a move is to a machine of the same merchant within reach, and the connector starts again', async () => {
    const { merchantId, machine, user, as } = await aShop()
    const target = await aMachine(api.database, merchantId)
    const foreign = await aShop()
    const { id: licenceId } = await aLicence(api.database, machine, { status: 3 })
    const move = (posId: string, path = merchantId, by: TestUser = user) =>
      api.as(by).moveLicence({ params: { merchantId: path, licenceId }, body: { posId } })
    await expect(move(foreign.machine.id)).rejects.toEqual(refused('MachineNotFound'))
    const provider = await aUser(api.database, 'superAdmin', [])
    await expect(move(foreign.machine.id, allMerchants, provider)).rejects.toEqual(refused('MachineNotFound'))
    const group = await aGroup(api.database, merchantId)
    await api.database.admin('update machines set group_id = $1 where id = $2', [group, machine.id])
    const some = await aUser(api.database, 'merchantUser', [{ merchantId, groups: [group] }], { allowLicensing: true })
    await expect(move(target.id, merchantId, some)).rejects.toEqual(refused('MachineNotFound'))
    const moved = await move(target.id)
    expect(moved).toMatchObject({ posId: target.id, status: 2, activatedAt: null, boardSerial: null })
    // Those who do not see the machine that it was moved to do not see the licence.
    const params = { merchantId, licenceId }
    await expect(api.as(some).getLicence({ params })).rejects.toEqual(refused('LicenceNotFound'))
    await aLicence(api.database, machine)
    await expect(move(machine.id)).rejects.toEqual(refused('LicenceAlreadyExists'))
    expect((await as.listLicenceEvents({ params })).map(({ act, posName }) => [act, posName])).toEqual([
      ['move', target.name],
    ])
  })

  test('each act is refused with its exception, logged and kept in the history', async () => {
    const { merchantId, machine, as } = await aShop()
    const { id: licenceId } = await aLicence(api.database, machine, { status: 3 })
    const params = { merchantId, licenceId }
    expect((await as.deactivateLicence({ params })).status).toBe(4)
    await expect(as.moveLicence({ params, body: { posId: machine.id } })).rejects.toEqual(
      refused('LicenseDeactivatedException'),
    )
    expect((await as.reactivateLicence({ params })).status).toBe(2)
    await expect(as.sendLicence({ params })).rejects.toEqual(refused('LicenceConfirmed'))
    const unassign = (unassignCase: 'demoEnd' | 'customerChange') =>
      as.unassignLicence({ params, body: { unassignCase } })
    await expect(unassign('demoEnd')).rejects.toEqual(refused('LicenseNotUnassigned'))
    expect(await unassign('customerChange')).toMatchObject({ status: 5, unassignCase: 'customerChange', keyHint: null })
    await expect(unassign('customerChange')).rejects.toEqual(refused('LicenseNotUnassigned'))
    // Its machine is free for another licence, and the licence for another machine.
    const other = await aMachine(api.database, merchantId)
    expect(await as.moveLicence({ params, body: { posId: other.id } })).toMatchObject({ status: 0, unassignCase: null })
    const history = await as.listLicenceEvents({ params })
    expect(history.map(({ act }) => act)).toEqual(['move', 'unassign', 'reactivate', 'deactivate'])
    const log = await api.database.admin<{ action: string }>(
      `select action from change_log where subject_id = $1 order by at`,
      [licenceId],
    )
    expect(log.map(({ action }) => action)).toEqual([
      'licence.deactivate',
      'licence.reactivate',
      'licence.unassign',
      'licence.move',
    ])
  })

  test('a new key is shown once and stored only as a hash; the former key opens nothing', async () => {
    const { merchantId, machine, as } = await aShop()
    const { id: licenceId, key } = await aLicence(api.database, machine, { status: 3 })
    const { licenceKey, licence } = await as.issueLicenceKey({ params: { merchantId, licenceId } })
    expect(licence).toMatchObject({ status: 2, keyHint: licenceKey.slice(-5), boardSerial: null })
    const stored = await api.database.admin('select * from licences where id = $1', [licenceId])
    expect(JSON.stringify(stored)).not.toContain(licenceKey)
    const body = {
      licenceKey: key,
      machine: { serial: machine.serial, boardSerial: 'BOARD-1', connectorVersion: '1.0' },
      connectorTime: new Date().toISOString(),
    }
    const gone = await api.send('activateLicence', { body })
    expect(gone.json()).toMatchObject({ code: 'LicenseDoesNotExistException' })
    const now = await api.send('activateLicence', { body: { ...body, licenceKey: licenceKey.toLowerCase() } })
    expect(now.statusCode).toBe(200)
  })
})

test('no call of licences names a permission of others', () => {
  const rows = Object.entries(endpoints) as [string, AnyEndpoint][]
  const connectorRows = rows.filter(([, { path }]) => path.includes('/service-manager/'))
  expect(connectorRows.length).toBeGreaterThan(10)
  expect(connectorRows.filter(([, { needs }]) => needs !== 'license.write')).toEqual([])
})
