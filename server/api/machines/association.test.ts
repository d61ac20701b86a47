import { afterAll, beforeAll, expect, test } from 'vitest'
import { associate } from '#server/gateway/association.ts'
import { createPins, type Pins } from '#server/gateway/pins.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let pins: Pins
beforeAll(async () => {
  api = await openTestApi()
  pins = createPins(api.config.secretKey)
})
afterAll(() => api.close())

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const groupId = await aGroup(api.database, merchantId)
  const otherGroupId = await aGroup(api.database, merchantId)
  const clientId = await aClient(api.database, merchantId)
  const pin = await pins.givePin(api.database, merchantId)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }]))
  const arrive = (serial: string, name?: string) =>
    associate(
      { doors: api.database, config: api.config, pins, mqttPort: 1883 },
      { serial, deviceType: 'AZVT', pin, ...(name && { name }) },
      '10.0.0.1',
    )
  return { merchantId, groupId, otherGroupId, clientId, admin, groupAdmin, arrive }
}
const nowhere = { name: null, groupId: null, clientId: null }
let serials = 0
const aSerial = () => `SHOP-${++serials}`

test('an expected machine gets the chosen name, group and client when it associates, and leaves the list', async () => {
  const { merchantId, groupId, clientId, admin, groupAdmin, arrive } = await aShop()
  const serial = aSerial()
  const body = { name: 'Atrium', groupId, clientId }
  const expected = await groupAdmin.expectMachine({ params: { merchantId, serial }, body })
  expect(expected).toMatchObject({ serial, ...body, groupName: expect.any(String), clientName: expect.any(String) })
  expect(await admin.listExpectedMachines({ params: { merchantId } })).toEqual([expected])
  await arrive(serial, 'What the firmware says')
  const { items } = await groupAdmin.listMachines({ params: { merchantId }, query: { serial } })
  expect(items).toMatchObject([{ serial, ...body }])
  expect(await admin.listExpectedMachines({ params: { merchantId } })).toEqual([])
  const { items: log } = await admin.listChangeLog({ params: { merchantId }, query: {} })
  expect(log).toMatchObject([{ action: 'machine.associate' }])
})

test('a machine is expected whatever the capitals of its serial, and keeps the serial that it reports', async () => {
  const { merchantId, admin, arrive } = await aShop()
  const params = { merchantId, serial: 'exp-77' }
  await admin.expectMachine({ params, body: { ...nowhere, name: 'First' } })
  await admin.expectMachine({ params: { merchantId, serial: 'Exp-77' }, body: { ...nowhere, name: 'Foyer' } })
  expect(await admin.listExpectedMachines({ params })).toMatchObject([{ serial: 'EXP-77', name: 'Foyer' }])
  const attempts = () =>
    api.database.admin<{ key: string }>(`select key from association_attempts where key ilike 'serial exp-77%'`)
  await arrive('exP-77')
  expect((await attempts()).every(({ key }) => key.startsWith('serial EXP-77'))).toBe(true)
  expect(await admin.listExpectedMachines({ params })).toEqual([])
  const { items } = await admin.listMachines({ params, query: { serial: 'EXP-77' } })
  expect(items).toMatchObject([{ serial: 'exP-77', name: 'Foyer' }])
  await expect(admin.expectMachine({ params, body: nowhere })).rejects.toMatchObject({
    code: 'MachineAlreadyAssociated',
  })
})

test('another merchant that expects the same serial does not affect the association', async () => {
  const shop = await aShop()
  const other = await aShop()
  const serial = aSerial()
  const params = { merchantId: other.merchantId, serial }
  await other.admin.expectMachine({ params, body: { ...nowhere, name: 'Theirs' } })
  await shop.arrive(serial)
  const { items } = await shop.admin.listMachines({ params: shop, query: { serial } })
  expect(items).toMatchObject([{ name: serial, merchantId: shop.merchantId }])
  expect(await other.admin.listExpectedMachines({ params: other })).toHaveLength(1)
})

test('users of some groups must choose one of them, and cannot see machines expected in other groups', async () => {
  const { merchantId, groupId, otherGroupId, admin, groupAdmin } = await aShop()
  const params = { merchantId, serial: aSerial() }
  const expectIn = (group: string | null) =>
    groupAdmin.expectMachine({ params, body: { ...nowhere, groupId: group } }).then(
      () => 'expected',
      (error: { code: string }) => error.code,
    )
  expect(await expectIn(null)).toBe('GroupRequired')
  expect(await expectIn(otherGroupId)).toBe('GroupNotFound')
  await admin.expectMachine({ params, body: { ...nowhere, groupId: otherGroupId } })
  expect(await groupAdmin.listExpectedMachines({ params })).toEqual([])
  expect(await expectIn(groupId)).toBe('MachineExpectedElsewhere')
  await groupAdmin.forgetExpectedMachine({ params })
  expect(await admin.listExpectedMachines({ params })).toHaveLength(1)
  await admin.forgetExpectedMachine({ params })
  expect(await expectIn(groupId)).toBe('expected')
})

test('an associated machine is not expected', async () => {
  const { merchantId, admin } = await aShop()
  const { serial } = await aMachine(api.database, merchantId)
  await expect(admin.expectMachine({ params: { merchantId, serial }, body: nowhere })).rejects.toMatchObject({
    code: 'MachineAlreadyAssociated',
  })
})

test('re-association is allowed for a day, can be ended early, and both are logged', async () => {
  const { merchantId, groupId, otherGroupId, admin, groupAdmin } = await aShop()
  const { id: posId } = await aMachine(api.database, merchantId, { groupId })
  const params = { merchantId, posId }
  const before = Date.now()
  const { reassociationUntil } = await groupAdmin.allowReassociation({ params, body: { allowed: true } })
  const hours = (Date.parse(`${reassociationUntil}Z`) - before) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  expect(await admin.getMachine({ params })).toMatchObject({ reassociationUntil })
  expect(await admin.allowReassociation({ params, body: { allowed: false } })).toMatchObject({
    reassociationUntil: null,
  })
  const { items } = await admin.listChangeLog({ params: { merchantId }, query: { ord: 'at', ordType: 'ASC' } })
  expect(items.map(({ action }) => action)).toEqual(['machine.allowReassociation', 'machine.allowReassociation'])
  const elsewhere = await aMachine(api.database, merchantId, { groupId: otherGroupId })
  await expect(
    groupAdmin.allowReassociation({ params: { merchantId, posId: elsewhere.id }, body: { allowed: true } }),
  ).rejects.toMatchObject({ code: 'MachineNotFound' })
})

test('a one-time code lets in a machine that is expected or may associate again, and no other machine', async () => {
  const { merchantId, groupId, otherGroupId, admin, groupAdmin } = await aShop()
  const serial = aSerial()
  const params = { merchantId, serial }
  const create = (user: typeof admin, machine = serial) =>
    user.createAssociationCode({ params: { merchantId, serial: machine } }).then(
      ({ code }) => code,
      (error: { code: string }) => error.code,
    )
  expect(await create(admin)).toBe('MachineNotExpected')
  await admin.expectMachine({ params, body: { ...nowhere, groupId: otherGroupId } })
  expect(await create(groupAdmin)).toBe('MachineNotExpected')
  const code = await create(admin)
  expect(code).toMatch(/^\d{12}$/)
  const services = { doors: api.database, config: api.config, pins, mqttPort: 1883 }
  await associate(services, { serial, deviceType: 'AZVT', code }, '10.0.0.9')
  expect((await admin.listMachines({ params: { merchantId }, query: { serial } })).items).toMatchObject([
    { serial, groupId: otherGroupId },
  ])
  const expected = await aMachine(api.database, merchantId, { groupId })
  expect(await create(groupAdmin, expected.serial)).toBe('MachineNotExpected')
  await groupAdmin.allowReassociation({ params: { merchantId, posId: expected.id }, body: { allowed: true } })
  expect(await create(groupAdmin, expected.serial)).toMatch(/^\d{12}$/)
})
