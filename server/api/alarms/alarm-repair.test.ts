import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** A merchant of the test's own with some open alarms on two machines. */
async function someAlarms(count: number) {
  const merchantId = (await aMerchant(api.database)).id
  const people = [{ merchantId, groups: 'all' as const }]
  const user = api.as(await aUser(api.database, 'merchantUser', people))
  const other = api.as(await aUser(api.database, 'merchantUser', people))
  const columns = { pos_status: 3 }
  const machines = [
    await aMachine(api.database, merchantId, { columns }),
    await aMachine(api.database, merchantId, { columns }),
  ] as const
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await anAlarm(api.database, machineOf(machines, n), { code: `EN${n}` }))
  const repair = (alarms: Parameters<TestClient['repairAlarms']>[0]['body']['alarms'], note?: string) =>
    user.repairAlarms({ params: { merchantId }, body: { alarms, ...(note ? { note } : {}) } })
  const reopen = (by: TestClient, some: string[]) => by.reopenAlarms({ params: { merchantId }, body: { ids: some } })
  return { merchantId, user, other, machines, ids, repair, reopen }
}
const machineOf = (machines: readonly [TestMachine, TestMachine], n: number) => machines[n % 2 === 0 ? 0 : 1]

const statusesOf = async (merchantId: string) =>
  (
    await api.database.admin<{ pos_status: number }>(
      'select pos_status from machines where merchant_id = $1 order by id',
      [merchantId],
    )
  ).map((row) => row.pos_status)
const actionsOf = async (merchantId: string) =>
  (
    await api.database.admin<{ action: string; subject_id: string }>(
      'select action, subject_id from change_log where merchant_id = $1 order by at, action',
      [merchantId],
    )
  ).map((row) => row.action)

test('all alarms that match a filter are repaired at once, each with its entry in the change log', async () => {
  const { merchantId, user, repair } = await someAlarms(5)
  const outcome = await repair({ matching: { statuses: ['active'] }, count: 5 }, 'Cleaned')
  expect(outcome).toMatchObject({ repaired: 5, alreadyRepaired: 0 })
  const { items } = await user.listAlarms({ params: { merchantId }, query: {} })
  expect(items.map(({ status, repairNote }) => [status, repairNote])).toEqual(
    Array.from({ length: 5 }, () => ['repairedManually', 'Cleaned']),
  )
  expect(await actionsOf(merchantId)).toEqual(Array(5).fill('alarm.repair'))
  expect(await statusesOf(merchantId)).toEqual([1, 1])
})

test('single rows can be excluded from a filter', async () => {
  const { merchantId, repair, ids } = await someAlarms(4)
  const outcome = await repair({ matching: {}, count: 3, except: [ids[0] as string] })
  expect(outcome.repaired).toBe(3)
  expect(outcome.ids).not.toContain(ids[0])
  expect((await statusesOf(merchantId)).sort()).toEqual([1, 3])
})

test('closed alarms in a selection are counted and not changed', async () => {
  const { repair, ids } = await someAlarms(3)
  await repair({ ids: ids.slice(0, 1) }, 'First')
  expect(await repair({ ids: [...ids, ids[0] as string] })).toMatchObject({ repaired: 2, alreadyRepaired: 1 })
  const [first] = await api.database.admin('select repair_note from alarms where id = $1', [ids[0]])
  expect(first).toEqual({ repair_note: 'First' })
})

test('if the number of matches differs from the confirmed number, nothing is repaired and the new number is returned', async () => {
  const { merchantId, repair, machines } = await someAlarms(2)
  await anAlarm(api.database, machines[0], { code: 'LATE' })
  for (const count of [1, 2, 4])
    await expect(repair({ matching: { statuses: ['active'] }, count })).rejects.toMatchObject({
      status: 409,
      code: 'SelectionChanged',
      facts: { count: 3 },
    })
  expect(await actionsOf(merchantId)).toEqual([])
})

test('a selection is ids, or a filter with its number, and both are limited', async () => {
  const { repair, ids } = await someAlarms(1)
  const selections = [
    {},
    { ids: [] },
    { ids: ['all'] },
    { ids: Array(501).fill(ids[0]) },
    { matching: {} },
    { matching: {}, count: 0 },
    { matching: {}, count: 10_001 },
    { matching: { colour: 'red' }, count: 1 },
    { matching: {}, count: 1, ids },
    { matching: {}, count: 1, except: Array(501).fill(ids[0]) },
  ]
  for (const selection of selections)
    await expect(repair(selection as never), JSON.stringify(selection).slice(0, 80)).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
  await expect(
    repair({ matching: { startDate: '2026-02-01', endDate: '2026-01-01' }, count: 1 }),
  ).rejects.toMatchObject({ code: 'PeriodReversed' })
})

test('users can undo their own repair: the machine is blocked again and its history lists both', async () => {
  const { merchantId, user, machines, ids, repair, reopen } = await someAlarms(3)
  await repair({ ids })
  expect(await statusesOf(merchantId)).toEqual([1, 1])
  expect(await reopen(user, ids)).toEqual({ reopened: 3, openAgain: 0 })
  expect(await statusesOf(merchantId)).toEqual([3, 3])
  const params = { merchantId, posId: machines[1].id }
  const { items } = await user.listMachineAlarms({ params, query: {} })
  expect(items).toMatchObject([{ status: 'active', repairedAt: null, repairedBy: null, repairNote: null }])
  const story = await user.getTimeline({ params, query: {} })
  expect(story.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['alarm', 'repair', 'reopen']))
  expect(story.find(({ kind }) => kind === 'reopen')).toMatchObject({ by: 'Test merchantUser' })
  expect((await actionsOf(merchantId)).filter((action) => action === 'alarm.reopen')).toHaveLength(3)
})

test('a notification that is reopened stays a notification', async () => {
  const { merchantId, user, machines, repair, reopen } = await someAlarms(0)
  const id = await anAlarm(api.database, machines[0], { criticity: 0, status: 'notification' })
  await repair({ ids: [id] })
  await reopen(user, [id])
  expect((await user.listAlarms({ params: { merchantId }, query: {} })).items).toMatchObject([
    { status: 'notification' },
  ])
})

test('repairs by other users, old repairs and repairs by the machine cannot be undone', async () => {
  const { user, other, ids, machines, repair, reopen } = await someAlarms(2)
  await repair({ ids })
  const refused = { status: 409, code: 'UndoTooLate', facts: { minutes: 10 } }
  await expect(reopen(other, ids)).rejects.toMatchObject(refused)
  const itself = await anAlarm(api.database, machines[0], { status: 'repaired', repaired_at: new Date() })
  await expect(reopen(user, [...ids, itself])).rejects.toMatchObject(refused)
  await api.database.admin(`update alarms set repaired_at = now() - interval '11 minutes' where id = $1`, [ids[0]])
  await expect(reopen(user, ids)).rejects.toMatchObject(refused)
  expect(await reopen(user, ids.slice(1))).toEqual({ reopened: 1, openAgain: 0 })
})

test('an alarm that occurred again meanwhile is not reopened', async () => {
  const { user, machines, ids, repair, reopen } = await someAlarms(2)
  await repair({ ids })
  await anAlarm(api.database, machines[0], { code: 'EN0' })
  expect(await reopen(user, ids)).toEqual({ reopened: 1, openAgain: 1 })
  await expect(reopen(user, ids.slice(0, 1))).rejects.toMatchObject({ status: 409, code: 'AlarmOpenAgain' })
})
