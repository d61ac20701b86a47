import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localDayOf } from '#domain/time/local-hour.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { changesOf } from '#testkit/changes.ts'
import { aClient, aGroup, aMachine, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aFleet, of } from '#testkit/machines/fleet.ts'
import { aCommand, anAlarm, aSale } from '#testkit/machines/machine-data.ts'

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

describe('a deleted machine', () => {
  async function aDeleted(): Promise<TestMachine> {
    const machine = await aMachine(api.database, merchantId, { groupId: await aGroup(api.database, merchantId) })
    await admin.deleteMachine({ params: of(machine) })
    return machine
  }

  test('is missing in every call for every role, and cannot be deleted twice', async () => {
    const machine = await aDeleted()
    const gone = { status: 404, code: 'MachineNotFound' }
    await expect(admin.getMachine({ params: of(machine) })).rejects.toMatchObject(gone)
    await expect(admin.getTimeline({ params: of(machine), query: {} })).rejects.toMatchObject(gone)
    await expect(admin.deleteMachine({ params: of(machine) })).rejects.toMatchObject(gone)
    await expect(admin.hideMachine({ params: of(machine), body: { hidden: false } })).rejects.toMatchObject(gone)
    await expect(
      admin.updateMachine({ params: of(machine), body: { version: 2, name: 'Back' } }),
    ).rejects.toMatchObject(gone)
    const order = { machines: { ids: [machine.id] }, order: { type: 4 as const } }
    await expect(admin.sendRemoteCommand({ params: params(), body: order })).rejects.toMatchObject(gone)
    for (const hidden of ['only', 'all'] as const)
      expect((await admin.listMachines({ params: params(), query: { hidden, serial: machine.serial } })).total).toBe(0)
  })

  test('leaves its sales to its merchant and group, under its name', async () => {
    const { id, by } = await aFleet(api)
    const groupId = await aGroup(api.database, id)
    const machine = await aMachine(api.database, id, { groupId, name: 'Atrium' })
    const soldAt = new Date()
    await aSale(api.database, machine, { value: 150, created_at: soldAt })
    const groupAdmin = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId: id, groups: [groupId] }]))
    const day = localDayOf(soldAt.getTime(), 'Europe/Rome')
    const ask = { params: { merchantId: id }, query: { startDate: day, endDate: day } }
    const salesOf = async (client: TestClient, more: object = {}) => {
      const query = { ...ask.query, ...more }
      return {
        list: (await client.listTransactions({ ...ask, query })).items.map(({ posName, value }) => [posName, value]),
        stats: (await client.statsOfPeriod({ ...ask, query })).totals.map(({ value }) => value),
        byPos: (await client.statsByPos({ ...ask, query })).items.map(({ posName, value }) => [posName, value]),
      }
    }
    const before = await salesOf(by)
    expect(before).toMatchObject({ list: [['Atrium', 150]], byPos: [['Atrium', 150]] })
    await by.deleteMachine({ params: of(machine) })
    expect(await salesOf(by)).toEqual(before)
    expect(await salesOf(groupAdmin)).toEqual(before)
    expect(await salesOf(by, { posIds: [machine.id] })).toEqual(before)
    expect(await salesOf(by, { groupIds: [groupId] })).toEqual(before)
    await api.database.admin('delete from user_groups where group_id = $1', [groupId])
    // A deleted machine does not prevent the deletion of its group.
    await by.deleteGroup({ params: { merchantId: id, groupId } })
    expect(await salesOf(by)).toEqual(before)
  })

  test('ends its pending work, and frees its name and its client', async () => {
    const machine = await machineOf()
    const clientId = await aClient(api.database, merchantId)
    await admin.setMachineClient({ params: of(machine), body: { clientId } })
    await anAlarm(api.database, machine)
    const command = await aCommand(api.database, machine)
    await admin.deleteMachine({ params: of(machine) })
    expect(await api.database.admin('select status, result from remote_commands where id = $1', [command])).toEqual([
      { status: 3, result: -3 },
    ])
    expect(
      await api.database.admin(`select 1 from alarms where machine_id = $1 and status in ('active', 'notification')`, [
        machine.id,
      ]),
    ).toEqual([])
    await admin.deleteClient({ params: { merchantId, clientId } })
    const other = await machineOf()
    const renamed = await admin.updateMachine({ params: of(other), body: { version: 1, name: machine.name } })
    expect(renamed).toMatchObject({ name: machine.name })
    expect((await changesOf(api.database, machine.id)).at(-1)).toMatchObject({
      action: 'machine.delete',
      before: { serial: machine.serial, name: machine.name, clientId },
      after: { alarms: 1, commands: 1 },
    })
  })

  test('is deleted once by two simultaneous calls', async () => {
    const machine = await machineOf()
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => admin.deleteMachine({ params: of(machine) })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await changesOf(api.database, machine.id)).toHaveLength(1)
  })
})
