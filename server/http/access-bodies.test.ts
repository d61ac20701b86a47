import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

/* Ids out of reach in places that the access matrix does not test: one of many in a body, and inside a selection's filter. */

interface Aim {
  merchantId: string
  groupId: string
  posId: string
  alarmId: string
}

let api: TestApi
let users: Record<'superAdmin' | 'groupAdmin', TestUser>
let ownAim: Aim
let otherGroup: Aim
let foreign: Aim

async function aimIn(merchantId: string): Promise<Aim> {
  const { database } = api
  const groupId = await aGroup(database, merchantId)
  const machine = await aMachine(database, merchantId, { groupId })
  return { merchantId, groupId, posId: machine.id, alarmId: await anAlarm(database, machine) }
}

beforeAll(async () => {
  api = await openTestApi()
  const ownMerchant = await aMerchant(api.database)
  const otherMerchant = await aMerchant(api.database)
  ownAim = await aimIn(ownMerchant.id)
  otherGroup = await aimIn(ownMerchant.id)
  foreign = await aimIn(otherMerchant.id)
  const user = (role: Role, groups: string[]) => aUser(api.database, role, [{ merchantId: ownMerchant.id, groups }])
  users = {
    superAdmin: await aUser(api.database, 'superAdmin', []),
    groupAdmin: await user('groupAdmin', [ownAim.groupId]),
  }
})
afterAll(() => api.close())

const anotherAlarm = () =>
  anAlarm(api.database, { id: ownAim.posId, merchantId: ownAim.merchantId }, { status: 'repaired' })

describe('ids in a body', () => {
  const hidden = () => [foreign, otherGroup]
  const by = () => api.as(users.groupAdmin)
  const params = () => ({ merchantId: ownAim.merchantId })
  const unknown = { status: 404 }

  test('one foreign alarm refuses the whole repair or undo', async () => {
    for (const { alarmId } of hidden()) {
      const ids = [await anotherAlarm(), alarmId]
      await expect(by().repairAlarms({ params: params(), body: { alarms: { ids } } })).rejects.toMatchObject(unknown)
      await expect(by().reopenAlarms({ params: params(), body: { ids } })).rejects.toMatchObject(unknown)
    }
  })

  test('a foreign group or machine in a selection’s filter is refused', async () => {
    for (const { groupId, posId } of hidden()) {
      for (const matching of [{ groupIds: [groupId] }, { posIds: [posId] }]) {
        const body = { alarms: { matching, count: 1 } }
        await expect(by().repairAlarms({ params: params(), body })).rejects.toMatchObject(unknown)
      }
      for (const matching of [{ groupIds: [groupId] }, { ids: [posId] }]) {
        const body = { machines: { matching, count: 1 }, order: { type: 3 as const } }
        await expect(by().sendRemoteCommand({ params: params(), body })).rejects.toMatchObject(unknown)
      }
    }
  })

  test('a selection by filter is limited to the caller’s scope', async () => {
    const body = { machines: { matching: {}, count: 2 }, order: { type: 3 as const } }
    const refused = by().sendRemoteCommand({ params: params(), body })
    await expect(refused).rejects.toMatchObject({ code: 'SelectionChanged', facts: { count: 1 } })
  })

  test('one foreign machine refuses the whole edit', async () => {
    for (const { posId } of hidden()) {
      const rows = [ownAim.posId, posId].map((id) => ({ id, version: 1, address: 'Elsewhere' }))
      await expect(by().updateMachines({ params: params(), body: { rows } })).rejects.toMatchObject(unknown)
    }
    const moved = await api.database.admin(`select 1 from machines where address = 'Elsewhere'`)
    expect(moved).toHaveLength(0)
  })

  test('a machine cannot join another merchant’s group, or leave the caller’s reach', async () => {
    for (const { groupId } of hidden()) {
      const call = { params: { ...params(), posId: ownAim.posId }, body: { version: 1, groupId } }
      await expect(by().updateMachine(call)).rejects.toMatchObject({ ...unknown, code: 'GroupNotFound' })
    }
    const out = { params: { ...params(), posId: ownAim.posId }, body: { version: 1, groupId: null } }
    await expect(by().updateMachine(out)).rejects.toMatchObject({ status: 409, code: 'GroupRequired' })
    // The super admin sees both merchants; the machine's group still belongs to its own merchant.
    const across = { params: { ...params(), posId: ownAim.posId }, body: { version: 1, groupId: foreign.groupId } }
    await expect(api.as(users.superAdmin).updateMachine(across)).rejects.toMatchObject(unknown)
  })
})
