import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let user: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const statusOf = async (id: string) =>
  (await api.database.admin<{ pos_status: number }>('select pos_status from machines where id = $1', [id]))[0]
    ?.pos_status

test('a repair by hand stores user, time and comment, and unblocks the machine if nothing else blocks it', async () => {
  const machine = await aMachine(api.database, merchantId, { columns: { pos_status: 3 } })
  const alarmId = await anAlarm(api.database, machine)
  const milder = await anAlarm(api.database, machine, { code: 'EFL', criticity: 2 })
  const params = { merchantId, posId: machine.id, alarmId }
  const repaired = await user.repairAlarm({ params, body: { note: 'Emptied the box' } })
  expect(repaired).toMatchObject({
    status: 'repairedManually',
    repairedBy: 'Test merchantUser',
    repairNote: 'Emptied the box',
  })
  expect(await statusOf(machine.id)).toBe(2)
  await user.deleteAlarm({ params: { ...params, alarmId: milder } })
  expect(await statusOf(machine.id)).toBe(1)
  const log = await api.database.admin('select action from change_log where merchant_id = $1 order by at, action', [
    merchantId,
  ])
  expect(log.map((row) => row.action)).toEqual(['alarm.repair', 'alarm.delete'])
})

test('a repaired alarm cannot be repaired again', async () => {
  const machine = await aMachine(api.database, merchantId)
  const alarmId = await anAlarm(api.database, machine, { status: 'repaired' })
  const call = user.repairAlarm({ params: { merchantId, posId: machine.id, alarmId }, body: {} })
  await expect(call).rejects.toMatchObject({ code: 'AlarmAlreadyRepaired', status: 409 })
})

test('a deleted alarm is gone', async () => {
  const machine = await aMachine(api.database, merchantId)
  const params = { merchantId, posId: machine.id, alarmId: await anAlarm(api.database, machine) }
  await user.deleteAlarm({ params })
  await expect(user.deleteAlarm({ params })).rejects.toMatchObject({ code: 'AlarmNotFound' })
})

test('lists filter by status, criticity, code, machine and day, and sort', async () => {
  const merchant = await aMerchant(api.database)
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }]))
  const machine = await aMachine(api.database, merchant.id, { name: 'Atrium' })
  await anAlarm(api.database, machine, { code: 'AAA', criticity: 0, status: 'notification' })
  await anAlarm(api.database, machine, { code: 'BBB', created_at: new Date(Date.now() - 5 * 86_400_000) })
  const list = async (query: object) =>
    (await reader.listAlarms({ params: { merchantId: merchant.id }, query })).items.map((alarm) => alarm.code)
  expect(await list({})).toEqual(['AAA', 'BBB'])
  expect(await list({ ord: 'code', ordType: 'DESC' })).toEqual(['BBB', 'AAA'])
  expect(await list({ statuses: ['active'] })).toEqual(['BBB'])
  expect(await list({ criticities: [0, 2] })).toEqual(['AAA'])
  expect(await list({ search: 'bbb' })).toEqual(['BBB'])
  const other = await aMachine(api.database, merchant.id, { columns: { device_type: 'LITHOS' } })
  await anAlarm(api.database, other, { code: 'CCC', status: 'repaired' })
  expect(await list({ deviceTypes: ['LITHOS'] })).toEqual(['CCC'])
  expect(await list({ deviceTypes: ['CUNI', 'LITHOS'], statuses: ['active'] })).toEqual([])
  expect(await list({ search: 'trium' })).toHaveLength(2)
  const today = new Date().toISOString().slice(0, 10)
  expect(await list({ startDate: today })).not.toContain('BBB')
})
