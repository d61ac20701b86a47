import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roleMay } from '#contract/access.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { changesOf } from '#testkit/changes.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aFleet, of } from '#testkit/machines/fleet.ts'
import { aCommand, aNote, anAlarm, aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  ;({ id: merchantId, by: admin } = await aFleet(api))
})
afterAll(() => api.close())

const params = () => ({ merchantId })
const machineOf = (columns: Record<string, unknown> = {}) => aMachine(api.database, merchantId, { columns })

describe('a hidden machine', () => {
  test('is missing in lists, counts, dashboard, map and alarms until it is shown again', async () => {
    const { id, by } = await aFleet(api)
    const place = { params: { merchantId: id } }
    const machine = await aMachine(api.database, id, { columns: { latitude: 45, longitude: 9, pos_status: 3 } })
    await anAlarm(api.database, machine, { code: 'ELB_1' })
    const visibleCounts = async () => ({
      list: (await by.listMachines({ ...place, query: {} })).total,
      counts: (await by.countMachines(place)).total,
      map: (await by.mapMachines({ ...place, query: {} })).length,
      alarms: (await by.listAlarms({ ...place, query: {} })).total,
      soldOut: (await by.getDashboard(place)).soldOut,
      needsYou: (await by.getDashboard(place)).needsYou.length,
    })
    const whenShown = await visibleCounts()
    expect(whenShown).toMatchObject({ list: 1, counts: 1, map: 1, alarms: 1, soldOut: 1 })
    expect(await by.hideMachine({ params: of(machine), body: { hidden: true } })).toMatchObject({
      hidden: true,
      version: 2,
    })
    expect(await visibleCounts()).toEqual({ list: 0, counts: 0, map: 0, alarms: 0, soldOut: 0, needsYou: 0 })
    expect((await by.listMachineAlarms({ params: of(machine), query: {} })).total).toBe(1)
    expect(await by.hideMachine({ params: of(machine), body: { hidden: false } })).toMatchObject({ hidden: false })
    expect(await visibleCounts()).toEqual(whenShown)
    expect((await changesOf(api.database, machine.id)).map(({ action, after }) => [action, after])).toEqual([
      ['machine.hide', { hidden: true }],
      ['machine.unhide', { hidden: false }],
    ])
  })

  test('can be listed on request, alone or with the others', async () => {
    const { id, by } = await aFleet(api)
    const visible = await aMachine(api.database, id)
    const hidden = await aMachine(api.database, id, { columns: { hidden: true } })
    const ids = async (query: object) =>
      (await by.listMachines({ params: { merchantId: id }, query })).items.map((one) => one.id).sort()
    expect(await ids({})).toEqual([visible.id])
    expect(await ids({ hidden: 'only' })).toEqual([hidden.id])
    expect(await ids({ hidden: 'all' })).toEqual([visible.id, hidden.id].sort())
  })

  test('keeps its sales in its merchant’s sums', async () => {
    const { id, by } = await aFleet(api)
    const machine = await aMachine(api.database, id)
    const soldAt = new Date()
    await aSale(api.database, machine, { value: 150, created_at: soldAt })
    const day = localDayOf(soldAt.getTime(), 'Europe/Rome')
    const before = await by.listTransactions({ params: { merchantId: id }, query: { startDate: day, endDate: day } })
    await by.hideMachine({ params: of(machine), body: { hidden: true } })
    const after = await by.listTransactions({ params: { merchantId: id }, query: { startDate: day, endDate: day } })
    expect(after.items).toEqual(before.items)
    expect(after.items).toHaveLength(1)
  })

  test('is logged once when hidden twice; a bulk action returns an outcome per machine', async () => {
    const { id, by } = await aFleet(api)
    const one = await aMachine(api.database, id)
    const two = await aMachine(api.database, id)
    const three = await aMachine(api.database, id, { columns: { hidden: true } })
    const ids = [one.id, two.id, three.id]
    const call = { params: { merchantId: id }, body: { machines: { ids }, hidden: true } }
    const outcome = await by.hideMachines(call)
    expect(outcome.changed.map((each) => each.id).sort()).toEqual([one.id, two.id].sort())
    expect(outcome).toMatchObject({ unchanged: 1, refused: [] })
    expect(await by.hideMachines(call)).toMatchObject({ changed: [], unchanged: 3 })
    expect(await changesOf(api.database, one.id)).toHaveLength(1)
    expect(await changesOf(api.database, three.id)).toHaveLength(0)
    const all = { machines: { matching: { hidden: 'only' as const }, count: 3 }, hidden: false }
    expect((await by.hideMachines({ params: { merchantId: id }, body: all })).changed).toHaveLength(3)
  })
})

describe('group and client', () => {
  test('a machine can join and leave a group', async () => {
    const machine = await machineOf()
    const groupId = await aGroup(api.database, merchantId, 'West')
    await expect(admin.getMachineGroup({ params: of(machine) })).rejects.toMatchObject({ code: 'GroupNotFound' })
    expect(await admin.setMachineGroup({ params: of(machine), body: { groupId } })).toMatchObject({
      groupName: 'West',
      version: 2,
    })
    expect(await admin.getMachineGroup({ params: of(machine) })).toMatchObject({
      id: groupId,
      name: 'West',
      machines: 1,
    })
    await admin.leaveMachineGroup({ params: of(machine) })
    expect(await admin.getMachine({ params: of(machine) })).toMatchObject({ groupId: null })
  })

  test('many machines are added to a group, each with its result and its previous group for undo', async () => {
    const other = (await aMerchant(api.database)).id
    const superAdmin = api.as(await aUser(api.database, 'superAdmin', []))
    const from = await aGroup(api.database, merchantId)
    const to = await aGroup(api.database, merchantId)
    const moved = await aMachine(api.database, merchantId, { groupId: from })
    const there = await aMachine(api.database, merchantId, { groupId: to })
    const foreign = await aMachine(api.database, other)
    const machines = { ids: [moved.id, there.id, foreign.id] }
    const body = { machines, groupId: to }
    expect(await superAdmin.setMachineGroups({ params: { merchantId: allMerchants }, body })).toEqual({
      changed: [{ id: moved.id, before: from }],
      unchanged: 1,
      refused: [{ id: foreign.id, code: 'GroupNotFound' }],
    })
    const client = await aClient(api.database, merchantId)
    expect(
      await superAdmin.setMachineClients({
        params: { merchantId: allMerchants },
        body: { machines, clientId: client },
      }),
    ).toMatchObject({ unchanged: 0, refused: [{ id: foreign.id, code: 'ClientNotFound' }] })
    expect(await admin.getMachine({ params: of(moved) })).toMatchObject({ clientId: client, groupId: to })
  })

  test('users limited to some groups cannot move machines out of their sight', async () => {
    const groupId = await aGroup(api.database, merchantId)
    const machine = await aMachine(api.database, merchantId, { groupId })
    const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }]))
    await expect(groupAdmin.leaveMachineGroup({ params: of(machine) })).rejects.toMatchObject({ code: 'GroupRequired' })
    const body = { machines: { ids: [machine.id] }, groupId: null }
    expect(await groupAdmin.setMachineGroups({ params: params(), body })).toMatchObject({
      changed: [],
      refused: [{ id: machine.id, code: 'GroupRequired' }],
    })
  })

  test('a group, client or machine of another merchant is refused', async () => {
    const stranger = (await aMerchant(api.database)).id
    const machine = await machineOf()
    const foreign = await aMachine(api.database, stranger)
    const groupId = await aGroup(api.database, stranger)
    const clientId = await aClient(api.database, stranger)
    const gone = (code: string) => ({ status: 404, code })
    await expect(admin.setMachineGroup({ params: of(machine), body: { groupId } })).rejects.toMatchObject(
      gone('GroupNotFound'),
    )
    await expect(admin.setMachineClient({ params: of(machine), body: { clientId } })).rejects.toMatchObject(
      gone('ClientNotFound'),
    )
    const edit = { version: 1, clientId }
    await expect(admin.updateMachine({ params: of(machine), body: edit })).rejects.toMatchObject(gone('ClientNotFound'))
    for (const ids of [[machine.id, foreign.id], [foreign.id]]) {
      const machines = { ids }
      await expect(admin.hideMachines({ params: params(), body: { machines, hidden: true } })).rejects.toMatchObject(
        gone('MachineNotFound'),
      )
      await expect(
        admin.setMachineGroups({ params: params(), body: { machines, groupId: null } }),
      ).rejects.toMatchObject(gone('MachineNotFound'))
    }
    expect(await admin.getMachine({ params: of(machine) })).toMatchObject({ hidden: false, version: 1, clientId: null })
  })
})

test('warranty and client are edited like a name, and an invalid date is refused', async () => {
  const machine = await machineOf()
  const clientId = await aClient(api.database, merchantId)
  const body = { version: 1, warrantyUntil: '2031-01-31', clientId }
  expect(await admin.updateMachine({ params: of(machine), body })).toMatchObject({
    warrantyUntil: '2031-01-31',
    clientId,
    warranty: 'valid',
  })
  for (const warrantyUntil of ['2031-02-30', 'soon', ''])
    await expect(
      admin.updateMachine({ params: of(machine), body: { version: 2, warrantyUntil } }),
    ).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('stock management can be switched', async () => {
  const machine = await machineOf()
  expect(await admin.setManageStock({ params: of(machine), body: { manageStock: true } })).toMatchObject({
    manageStock: true,
    version: 2,
  })
  expect(await admin.setManageStock({ params: of(machine), body: { manageStock: true } })).toMatchObject({ version: 2 })
})

test('a status contains the machine’s state and nothing else', async () => {
  const machine = await machineOf({ connection: 1, pos_status: 2 })
  await anAlarm(api.database, machine, { criticity: 2 })
  expect(await admin.getMachineStatus({ params: of(machine) })).toMatchObject({
    id: machine.id,
    state: 'warning',
    openAlarms: 1,
    hidden: false,
  })
})

describe('a reset', () => {
  test('clears what the machine reported, closes open alarms and commands and requests the data again; history stays', async () => {
    const machine = await machineOf({
      firmware_version: '1.2.3',
      imei: '123',
      signal_percent: 80,
      cash_in_box: 500,
      connection: 1,
    })
    const alarm = await anAlarm(api.database, machine)
    const command = await aCommand(api.database, machine)
    const person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
    await aNote(api.database, machine, person.subject)
    await aSale(api.database, machine, { value: 150 })
    await api.database.admin(
      `insert into machine_stock (merchant_id, machine_id, selection, level, gone, at, epoch, seq)
       values ($1, $2, '12', 3, false, now(), 1, 1)`,
      [machine.merchantId, machine.id],
    )
    const after = await admin.resetMachine({ params: of(machine) })
    expect(await api.database.admin('select 1 from machine_stock where machine_id = $1', [machine.id])).toEqual([])
    expect(after).toMatchObject({
      firmwareVersion: null,
      imei: null,
      signalPercent: null,
      cashInBox: null,
      openAlarms: 0,
      connection: 1,
      posStatus: 1,
    })
    const rows = await api.database.admin('select status, repaired_by from alarms where id = $1', [alarm])
    expect(rows).toEqual([{ status: 'repairedManually', repaired_by: 'Test merchantAdmin' }])
    const commands = await api.database.admin<{ id: string; type: number; status: number; result: number | null }>(
      'select id, type, status, result from remote_commands where machine_id = $1 order by created_at, id',
      [machine.id],
    )
    expect(commands.find(({ id }) => id === command)).toMatchObject({ status: 3, result: -3 })
    expect(commands.filter(({ status }) => status === 0)).toMatchObject([{ type: 8 }])
    expect((await admin.listNotes({ params: of(machine), query: {} })).total).toBe(1)
    expect(await api.database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toHaveLength(1)
    expect(await api.database.admin('select 1 from machine_secrets where machine_id = $1', [machine.id])).toHaveLength(
      1,
    )
    expect(await changesOf(api.database, machine.id)).toMatchObject([
      { action: 'machine.reset', before: { firmwareVersion: '1.2.3', imei: '123' }, after: { alarms: 1, commands: 1 } },
    ])
  })
})

describe('permissions', () => {
  test('group admins may hide and assign, but not reset or delete', async () => {
    for (const role of ['merchantUser', 'groupAdmin'] as const) {
      const groupId = await aGroup(api.database, merchantId)
      const machine = await aMachine(api.database, merchantId, { groupId })
      const client = api.as(await aUser(api.database, role, [{ merchantId, groups: [groupId] }]))
      const refused = { status: 403, code: 'Forbidden' }
      await expect(client.resetMachine({ params: of(machine) })).rejects.toMatchObject(refused)
      await expect(client.deleteMachine({ params: of(machine) })).rejects.toMatchObject(refused)
      const hiding = client.hideMachine({ params: of(machine), body: { hidden: true } })
      if (roleMay(role, 'machine.write')) expect(await hiding).toMatchObject({ hidden: true })
      else await expect(hiding).rejects.toMatchObject(refused)
    }
  })

  test.each([
    ['hidden in an edit', 'updateMachine', { version: 1, hidden: true }],
    ['a serial in an edit', 'updateMachine', { version: 1, serial: 'OTHER' }],
    ['a merchant in an edit', 'updateMachine', { version: 1, merchantId: '00000000-0000-4000-8000-000000000000' }],
    ['a merchant when hiding', 'hideMachine', { hidden: true, merchantId: '00000000-0000-4000-8000-000000000000' }],
    ['a group when stock is managed', 'setManageStock', { manageStock: true, groupId: null }],
    ['hidden as a word', 'hideMachine', { hidden: 'true' }],
    ['a group that is no id', 'setMachineGroup', { groupId: '1 or 1=1' }],
    ['nothing', 'setMachineGroup', {}],
  ] as const)('%s is refused', async (_, name, body) => {
    const machine = await machineOf()
    const person = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    const answer = await api.send(name, { params: of(machine), body }, person)
    expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
    expect(await admin.getMachine({ params: of(machine) })).toMatchObject({
      version: 1,
      hidden: false,
      serial: machine.serial,
    })
  })

  test.each([
    ['10,000 ids', { ids: new Array(10_000).fill('00000000-0000-4000-8000-000000000000') }],
    ['no ids', { ids: [] }],
    ['ids that are none', { ids: ['x'] }],
    ['a filter that does not exist', { matching: { merchantId: 'x' }, count: 1 }],
  ])('a selection of %s is refused', async (_, machines) => {
    const person = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    for (const [name, body] of [
      ['hideMachines', { hidden: true }],
      ['setMachineGroups', { groupId: null }],
      ['setMachineClients', { clientId: null }],
    ] as const) {
      const answer = await api.send(name, { params: params(), body: { machines, ...body } }, person)
      expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
    }
  })

  test('a selection is refused if its size has changed since the confirmation', async () => {
    const { id, by } = await aFleet(api)
    await aMachine(api.database, id)
    const body = { machines: { matching: {}, count: 2 }, hidden: true }
    await expect(by.hideMachines({ params: { merchantId: id }, body })).rejects.toMatchObject({
      code: 'SelectionChanged',
      facts: { count: 1 },
    })
    expect((await by.countMachines({ params: { merchantId: id } })).total).toBe(1)
  })
})

describe('the QR code of a machine', () => {
  test('contains this deployment’s address and the machine’s code, as text, image and file', async () => {
    const machine = await machineOf()
    const person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
    const code = await api.as(person).getQrCode({ params: of(machine) })
    expect(code).toEqual({
      serial: machine.serial,
      name: machine.name,
      url: expect.stringMatching(new RegExp(`^${api.config.publicUrl}/m/[0-9a-f]{12}$`)),
    })
    const image = await api.send('getQrImage', { params: of(machine) }, person)
    expect(image.headers['content-type']).toContain('image/svg+xml')
    expect(image.payload).toMatch(/^<svg[^>]*viewBox/)
    const png = await api.send('downloadQrCode', { params: of(machine) }, person)
    expect(png.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${machine.serial}.png"`,
    })
    expect(png.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    const svg = await api.send('downloadQrCode', { params: of(machine), query: { format: 'svg' } }, person)
    expect(svg.headers['content-disposition']).toContain(`${machine.serial}.svg`)
    const other = await aMachine(api.database, merchantId)
    const lone = await aMachine(api.database, merchantId)
    const posIds = [lone.id, machine.id, other.id]
    const labels = await api.as(person).getMachineLabels({ params: { merchantId }, body: { posIds } })
    expect(labels.map(({ id, serial }) => [id, serial])).toEqual(
      [lone, machine, other].map(({ id, serial }) => [id, serial]),
    )
    expect(labels[1]?.url).toBe(code.url)
    expect(new Set(labels.map(({ url }) => url)).size).toBe(3)
    const wrong = await api.send('downloadQrCode', { params: of(machine), query: { format: 'exe' } }, person)
    expect(wrong.statusCode).toBe(400)
  })
})
