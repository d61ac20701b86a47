import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand, anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let user: TestClient
let userId: string
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  const person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  userId = person.id
  user = api.as(person)
})
afterAll(() => api.close())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const paramsOf = ({ id: posId }: TestMachine, alarmId: string) => ({ merchantId, posId, alarmId })
const wire = (text: string | null) => new Date(`${text}Z`).getTime()

describe('an acknowledged alarm', () => {
  test('says by whom and until when, and is still open', async () => {
    const machine = await aMachine(api.database, merchantId)
    const params = paramsOf(machine, await anAlarm(api.database, machine))
    const before = Date.now()
    const alarm = await user.acknowledgeAlarm({ params, body: { minutes: 240 } })
    expect(alarm).toMatchObject({ status: 'active', acknowledgedBy: 'Test merchantUser' })
    expect(wire(alarm.acknowledgedUntil) - before).toBeGreaterThanOrEqual(239 * 60_000)
    expect(wire(alarm.acknowledgedUntil) - Date.now()).toBeLessThanOrEqual(240 * 60_000)
    const found = async (isAcknowledged: 'true' | 'false') =>
      (await user.listAlarms({ params: { merchantId }, query: { posIds: [machine.id], isAcknowledged } })).total
    expect([await found('true'), await found('false')]).toEqual([1, 0])
    expect(await user.acknowledgeAlarm({ params, body: { minutes: null } })).toMatchObject({
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgedUntil: null,
    })
    const log = await api.database.admin('select action from change_log where subject_id = $1 order by at', [
      params.alarmId,
    ])
    expect(log.map(({ action }) => action)).toEqual(['alarm.acknowledge', 'alarm.acknowledge'])
  })

  test.each([4, 43_201])('lasts from five minutes to 30 days, not %i minutes', async (minutes) => {
    const machine = await aMachine(api.database, merchantId)
    const params = paramsOf(machine, await anAlarm(api.database, machine))
    await expect(user.acknowledgeAlarm({ params, body: { minutes } })).rejects.toMatchObject({ status: 400 })
  })

  test('must be open', async () => {
    const machine = await aMachine(api.database, merchantId)
    const params = paramsOf(
      machine,
      await anAlarm(api.database, machine, { status: 'repaired', repaired_at: new Date() }),
    )
    await expect(user.acknowledgeAlarm({ params, body: { minutes: 60 } })).rejects.toMatchObject({
      code: 'AlarmAlreadyRepaired',
    })
    await expect(user.assignAlarm({ params, body: { userId } })).rejects.toMatchObject({ code: 'AlarmAlreadyRepaired' })
  })
})

describe('an alarm', () => {
  test('is assigned only to a user who sees its machine', async () => {
    const groupId = await aGroup(api.database, merchantId)
    const otherGroup = await aGroup(api.database, merchantId)
    const machine = await aMachine(api.database, merchantId, { groupId })
    const params = paramsOf(machine, await anAlarm(api.database, machine))
    const technician = await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }])
    const stranger = await aUser(api.database, 'merchantUser', [{ merchantId, groups: [otherGroup] }])
    const assignees = (await user.listAlarmAssignees({ params })).map(({ id }) => id)
    expect(assignees).toContain(technician.id)
    expect(assignees).not.toContain(stranger.id)
    expect(await user.assignAlarm({ params, body: { userId: technician.id } })).toMatchObject({
      assigneeId: technician.id,
      assigneeName: 'Test merchantUser',
    })
    const found = async (query: object) =>
      (await user.listAlarms({ params: { merchantId }, query: { posIds: [machine.id], ...query } })).total
    expect(await found({ assigneeIds: [technician.id] })).toBe(1)
    expect(await found({ assigneeIds: [stranger.id] })).toBe(0)
    await expect(user.assignAlarm({ params, body: { userId: stranger.id } })).rejects.toMatchObject({
      code: 'UserNotFound',
    })
    expect(await user.assignAlarm({ params, body: { userId: null } })).toMatchObject({
      assigneeId: null,
      assigneeName: null,
    })
    // The stranger does not see the alarm either.
    await expect(api.as(stranger).commentAlarm({ params, body: { text: 'Hi' } })).rejects.toMatchObject({ status: 404 })
  })

  test('has comments with author and time; a repeated call adds none', async () => {
    const machine = await aMachine(api.database, merchantId)
    const params = paramsOf(machine, await anAlarm(api.database, machine))
    const id = '01990000-0000-7000-8000-0000000000aa'
    await user.commentAlarm({ params, body: { text: 'On my way' } })
    await user.commentAlarm({ params, body: { id, text: 'Belt was loose' } })
    await user.commentAlarm({ params, body: { id, text: 'Belt was loose' } })
    await expect(user.commentAlarm({ params, body: { id, text: 'Other' } })).rejects.toMatchObject({
      code: 'NoteIdTaken',
    })
    const { comments } = await user.getAlarm({ params })
    expect(comments).toMatchObject([
      { text: 'On my way', by: 'Test merchantUser' },
      { id, text: 'Belt was loose', by: 'Test merchantUser' },
    ])
  })

  test('of a blocked machine that sold since says that it sells still', async () => {
    const sellsStill = async (lastSaleAt: Date | null, criticity = 4) => {
      const machine = await aMachine(api.database, merchantId, { columns: { last_sale_at: lastSaleAt } })
      const params = paramsOf(machine, await anAlarm(api.database, machine, { criticity }))
      return (await user.getAlarm({ params })).sellsStill
    }
    expect(await sellsStill(minutesAgo(30))).toBe(true)
    expect(await sellsStill(minutesAgo(90))).toBe(false)
    expect(await sellsStill(null)).toBe(false)
    expect(await sellsStill(minutesAgo(30), 2)).toBe(false)
  })
})

describe('what helped last time', () => {
  const ended = (machine: TestMachine, from: number, to: number, columns: object = {}) =>
    anAlarm(api.database, machine, {
      code: 'EJC_12',
      status: 'repaired',
      created_at: minutesAgo(from),
      last_at: minutesAgo(from),
      repaired_at: minutesAgo(to),
      ...columns,
    })
  const open = async (machine: TestMachine) =>
    paramsOf(machine, await anAlarm(api.database, machine, { code: 'EJC_12', created_at: minutesAgo(5) }))

  test('is the command and the comment before the last alarm of the code on the machine ended', async () => {
    const machine = await aMachine(api.database, merchantId)
    await ended(machine, 900, 800)
    const last = await ended(machine, 300, 200)
    const executed = (type: number, minutes: number) =>
      aCommand(api.database, machine, {
        type,
        status: 2,
        result: 0,
        started_at: minutesAgo(minutes),
        executed_at: minutesAgo(minutes),
      })
    await executed(4, 290)
    await executed(4, 210)
    // A command that only reads, and one after the end.
    await executed(1, 205)
    await executed(12, 100)
    await user.commentAlarm({ params: paramsOf(machine, last), body: { text: 'Too late' } })
    const params = await open(machine)
    const { remedy } = await user.getAlarm({ params })
    expect(remedy).toMatchObject({
      alarmId: last,
      isOfMachine: true,
      isByHand: false,
      command: { type: 4 },
      comment: null,
    })
    expect(Math.round((Date.now() - wire(remedy?.command?.executedAt ?? null)) / 60_000)).toBe(210)
    await api.database.admin('update alarm_comments set created_at = $2 where alarm_id = $1', [last, minutesAgo(250)])
    expect((await user.getAlarm({ params })).remedy).toMatchObject({ comment: { text: 'Too late' } })
  })

  test('comes from another machine of the model if this one had no such alarm', async () => {
    const { id } = await aMerchant(api.database)
    const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: id, groups: 'all' }]))
    const at = (deviceType: string) => aMachine(api.database, id, { columns: { device_type: deviceType } })
    const [machine, twin, other] = [await at('vp-1'), await at('vp-1'), await at('vp-2')]
    const alarm = await ended(twin, 300, 200, {
      status: 'repairedManually',
      repaired_by: 'Bruno',
      repair_note: 'Cleaned',
    })
    await ended(other, 100, 50)
    const { alarmId, posId } = await open(machine)
    const { remedy } = await reader.getAlarm({ params: { merchantId: id, posId, alarmId } })
    expect(remedy).toMatchObject({
      alarmId: alarm,
      posId: twin.id,
      isOfMachine: false,
      isByHand: true,
      repairedBy: 'Bruno',
      repairNote: 'Cleaned',
    })
  })

  test('is unknown before such an alarm has ended', async () => {
    const { id } = await aMerchant(api.database)
    const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: id, groups: 'all' }]))
    const machine = await aMachine(api.database, id)
    const alarmId = await anAlarm(api.database, machine)
    const { remedy } = await reader.getAlarm({ params: { merchantId: id, posId: machine.id, alarmId } })
    expect(remedy).toBeNull()
  })
})
