import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aConfiguration } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (machine: TestMachine) => ({ merchantId, posId: machine.id })
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

describe('reported configurations', () => {
  test('are listed newest first, each with its changes since the previous one, even across pages', async () => {
    const machine = await aMachine(api.database, merchantId)
    await aConfiguration(api.database, machine, { a: '1' }, daysAgo(3))
    await aConfiguration(api.database, machine, { a: '1', b: '2' }, daysAgo(2))
    await aConfiguration(api.database, machine, { a: '9', c: '3' }, daysAgo(1))
    const changes = [{ added: 1, removed: 1, changed: 1 }, { added: 1, removed: 0, changed: 0 }, null]
    const list = (query: object) => admin.listConfigs({ params: of(machine), query })
    const all = await list({})
    expect(all.total).toBe(3)
    expect(all.items.map((item) => item.changes)).toEqual(changes)
    const pages = [await list({ size: 1 }), await list({ size: 1, page: 2 }), await list({ size: 1, page: 3 })]
    expect(pages.flatMap(({ items }) => items.map((item) => item.changes))).toEqual(changes)
    const rising = [await list({ size: 2, ordType: 'ASC' }), await list({ size: 2, page: 2, ordType: 'ASC' })]
    expect(rising.flatMap(({ items }) => items.map((item) => item.changes))).toEqual(changes.toReversed())
  })

  test('can be read in full', async () => {
    const machine = await aMachine(api.database, merchantId)
    const configId = await aConfiguration(api.database, machine, { a: '1', b: '2' })
    expect(await admin.getConfig({ params: { ...of(machine), configId } })).toMatchObject({
      id: configId,
      origin: 2,
      port: 'mqtt',
      parameters: 2,
      content: { a: '1', b: '2' },
    })
  })

  test('have the previous configuration by name, however many are newer', async () => {
    const machine = await aMachine(api.database, merchantId)
    const ids: string[] = []
    for (const days of [4, 3, 2, 1])
      ids.push(await aConfiguration(api.database, machine, { days: `${days}` }, daysAgo(days)))
    const configurations = await Promise.all(
      ids.map((configId) => admin.getConfig({ params: { ...of(machine), configId } })),
    )
    expect(configurations.map(({ beforeId }) => beforeId)).toEqual([null, ...ids.slice(0, -1)])
  })

  test('are not found after their retention, or under another machine', async () => {
    const machine = await aMachine(api.database, merchantId)
    const other = await aMachine(api.database, merchantId)
    const configId = await aConfiguration(api.database, other)
    const gone = { code: 'ConfigurationNotFound', status: 404 }
    await expect(admin.getConfig({ params: { ...of(machine), configId: randomUUID() } })).rejects.toMatchObject(gone)
    await expect(admin.getConfig({ params: { ...of(machine), configId } })).rejects.toMatchObject(gone)
  })

  test('belong to a feature', async () => {
    const plain = await aMerchant(api.database, { features: [] })
    const machine = await aMachine(api.database, plain.id)
    const ownAdmin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: plain.id, groups: 'all' }]))
    const params = { merchantId: plain.id, posId: machine.id }
    await expect(ownAdmin.listConfigs({ params })).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
    await expect(ownAdmin.getCustomConfig({ params })).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
  })
})

describe('a custom configuration', () => {
  const credit30 = [{ name: 'sale.maximumCredit', value: '30' }]
  const save = (machine: TestMachine, version: number, parameters = credit30) =>
    admin.updateCustomConfig({ params: of(machine), body: { version, parameters } })
  const send = (machine: TestMachine, version: number) =>
    admin.sendCustomConfig({ params: of(machine), body: { version } })
  const commandsOf = (machine: TestMachine) =>
    api.database.admin('select type, status, parameters from remote_commands where machine_id = $1', [machine.id])

  test('is empty until a first save, then pending, and sent as one command', async () => {
    const machine = await aMachine(api.database, merchantId)
    expect(await admin.getCustomConfig({ params: of(machine) })).toMatchObject({
      version: 0,
      parameters: [],
      sync: 'none',
    })
    expect(await save(machine, 0)).toMatchObject({
      version: 1,
      parameters: credit30,
      sync: 'pending',
      editedOn: 'portal',
      editedBy: 'Test merchantAdmin',
      command: null,
    })
    expect(await commandsOf(machine)).toEqual([])
    expect(await send(machine, 1)).toMatchObject({ sync: 'pending', command: { version: 1, status: 0, result: null } })
    expect(await commandsOf(machine)).toEqual([
      { type: 6, status: 0, parameters: { settings: { 'sale.maximumCredit': '30' } } },
    ])
  })

  test('is in sync only when the machine reports it, and edited on the device when the report differs', async () => {
    const machine = await aMachine(api.database, merchantId)
    await save(machine, 0)
    const { command } = await send(machine, 1)
    const ended = (minutes: number) => new Date(Date.now() + minutes * 60_000)
    await api.database.admin(
      'update remote_commands set status = 2, result = 0, started_at = $2, executed_at = $2 where id = $1',
      [command?.id, ended(1)],
    )
    const state = () => admin.getCustomConfig({ params: of(machine) })
    expect(await state()).toMatchObject({ sync: 'pending', editedOn: 'portal', command: { status: 2 } })
    await aConfiguration(api.database, machine, { 'sale.maximumCredit': '30', other: 'x' }, ended(2))
    expect(await state()).toMatchObject({ sync: 'sync', editedOn: null, differing: [] })
    await aConfiguration(api.database, machine, { 'sale.maximumCredit': '50', other: 'x' }, ended(3))
    expect(await state()).toMatchObject({
      sync: 'pending',
      editedOn: 'device',
      differing: ['sale.maximumCredit'],
      reported: { content: { 'sale.maximumCredit': '50' } },
    })
    // The next edit is from the portal again.
    expect(await save(machine, 1, [{ name: 'sale.maximumCredit', value: '40' }])).toMatchObject({ editedOn: 'portal' })
  })

  test('returns the current state to the later of two saves; repeating a save is no conflict', async () => {
    const machine = await aMachine(api.database, merchantId)
    await save(machine, 0)
    expect(await save(machine, 0)).toMatchObject({ version: 1 })
    await expect(save(machine, 0, [{ name: 'a', value: '1' }])).rejects.toMatchObject({
      status: 409,
      code: 'EditConflict',
      facts: { current: { version: 1, parameters: credit30 }, changedBy: 'Test merchantAdmin' },
    })
    await expect(send(machine, 7)).rejects.toMatchObject({ code: 'EditConflict' })
  })

  test('is saved by one of two simultaneous saves', async () => {
    const machine = await aMachine(api.database, merchantId)
    const both = await Promise.allSettled(['1', '2'].map((value) => save(machine, 0, [{ name: 'a', value }])))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('cannot be sent while a command is pending, or when it is empty', async () => {
    const machine = await aMachine(api.database, merchantId)
    await save(machine, 0)
    await send(machine, 1)
    await expect(send(machine, 1)).rejects.toMatchObject({ code: 'RemoteCommandPending' })
    await save(machine, 1, [])
    await expect(send(machine, 2)).rejects.toMatchObject({ code: 'NothingToSend' })
  })

  test('above the size of one message to a machine is refused', async () => {
    const machine = await aMachine(api.database, merchantId)
    const large = Array.from({ length: 200 }, (_, index) => ({ name: `p${index}`, value: 'è'.repeat(500) }))
    await save(machine, 0, large)
    await expect(send(machine, 1)).rejects.toMatchObject({ code: 'PayloadTooLarge' })
    expect(await commandsOf(machine)).toEqual([])
  })

  test.each([
    ['a name twice', [...credit30, ...credit30]],
    ['a name with a blank', [{ name: 'a b', value: '1' }]],
    ['a name that begins with an underscore', [{ name: '__proto__', value: '1' }]],
    ['no name', [{ name: '', value: '1' }]],
    ['a value too long', [{ name: 'a', value: 'x'.repeat(501) }]],
    ['a NUL', [{ name: 'a', value: '\0' }]],
    ['too many', Array.from({ length: 201 }, (_, index) => ({ name: `p${index}`, value: '1' }))],
  ])('with %s is refused', async (_, parameters) => {
    const machine = await aMachine(api.database, merchantId)
    await expect(save(machine, 0, parameters)).rejects.toMatchObject({ code: 'ValidationFailed' })
  })

  test('is written by users who may send commands, and read by all', async () => {
    const machine = await aMachine(api.database, merchantId)
    const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
    expect(await reader.getCustomConfig({ params: of(machine) })).toMatchObject({ version: 0 })
    const body = { version: 0, parameters: credit30 }
    await expect(reader.updateCustomConfig({ params: of(machine), body })).rejects.toMatchObject({ status: 403 })
  })

  test('logs each change with its user', async () => {
    const machine = await aMachine(api.database, merchantId)
    await save(machine, 0)
    await send(machine, 1)
    const entries = await api.database.admin(
      'select action, before, after from change_log where subject_id = $1 order by at, id',
      [machine.id],
    )
    expect(entries).toEqual([
      { action: 'customConfiguration.update', before: {}, after: { 'sale.maximumCredit': '30' } },
      {
        action: 'customConfiguration.send',
        before: null,
        after: { commandId: expect.any(String), parameters: { 'sale.maximumCredit': '30' } },
      },
    ])
  })
})
