import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeConditions } from '#database/machines/machine-condition.ts'
import { markLate } from '#database/sums/changed-days.ts'
import { lastEndedDay } from '#domain/time/period.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let admin: TestClient
let merchantId: string
let machine: TestMachine

const dayMs = 86_400_000
/** A date before today in Rome, at an hour that is on the same day in UTC. */
const ago = (days: number, time = '10:00') => {
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'UTC' })
  return new Date(Date.parse(`${today}T${time}:00Z`) - days * dayMs)
}
const kpisOf = (days?: number) =>
  admin.getMachineKpis({ params: { merchantId, posId: machine.id }, query: days === undefined ? {} : { days } })

beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  machine = await aMachine(api.database, merchantId)
  await api.database.admin('update machines set created_at = $2 where id = $1', [machine.id, ago(60)])
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  for (const days of [3, 3, 4, 40]) await aSale(api.database, machine, { created_at: ago(days) })
  await aSale(api.database, machine, { created_at: ago(3), error_sale: true })
  const lasting = { category: 'fault', status: 'repaired' }
  await anAlarm(api.database, machine, {
    ...lasting,
    created_at: ago(3),
    last_at: ago(3),
    repaired_at: ago(3, '11:30'),
  })
  await anAlarm(api.database, machine, {
    ...lasting,
    code: 'EB',
    created_at: ago(3, '11:00'),
    last_at: ago(3),
    repaired_at: ago(3, '12:00'),
  })
  await anAlarm(api.database, machine, {
    ...lasting,
    code: 'EAD',
    category: 'jam',
    created_at: ago(3, '11:15'),
    last_at: ago(3),
    repaired_at: ago(3, '11:45'),
  })
  await anAlarm(api.database, machine, {
    ...lasting,
    code: 'EC',
    criticity: 2,
    created_at: ago(3),
    last_at: ago(3),
    repaired_at: ago(3, '20:00'),
  })
  await api.database.admin(
    `insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected)
     values ($1, $3, $2, 1000, 80, 20), ($1, $3, $2, 500, 10, 0), ($1, $4, $2, 500, 7, 7)`,
    [merchantId, machine.id, ago(3), ago(45)],
  )
  await api.database.admin(
    `insert into absences (merchant_id, machine_id, began_at, ended_at) values ($1, $2, $3, $4)`,
    [merchantId, machine.id, ago(4, '10:00'), ago(4, '10:10')],
  )
})
afterAll(() => api.close())

test('KPIs cover thirty days by default: rejection rate, downtime, MCBF', async () => {
  const before = await kpisOf()
  await sumUpDays(api.database, new Date())
  const after = await kpisOf()
  // The result is the same with and without daily sums.
  expect({ ...after, to: before.to, downtime: { ...after.downtime, seconds: before.downtime.seconds } }).toEqual(before)
  expect(after).toMatchObject({
    days: 30,
    cashAcceptance: {
      accepted: 90,
      rejected: 20,
      denominations: [
        { denomination: 500, accepted: 10, rejected: 0 },
        { denomination: 1000, accepted: 80, rejected: 20 },
      ],
    },
    downtime: { blockedSeconds: 7200, absentSeconds: 600 },
    // A jam blocks the machine but does not count as a failure.
    mcbf: { cycles: 3, faults: 2, blockingAlarms: 3, mean: 2, isMore: false },
  })
  expect(after.series).toHaveLength(30)
  expect(after.series.filter((day) => day.cycles + day.faults + day.absentSeconds > 0)).toEqual([
    expect.objectContaining({ cycles: 1, absentSeconds: 600, blockedSeconds: 0 }),
    expect.objectContaining({
      cycles: 2,
      faults: 2,
      blockingAlarms: 3,
      blockedSeconds: 7200,
      accepted: 90,
      rejected: 20,
    }),
  ])
  expect(await kpisOf(60)).toMatchObject({
    cashAcceptance: { accepted: 97, rejected: 27 },
    mcbf: { cycles: 4, faults: 2, mean: 2 },
  })
  expect(await kpisOf(2)).toMatchObject({ mcbf: { cycles: 0, faults: 0, isMore: true } })
})

test('open alarms and offline times count until the end of the last ended day', async () => {
  const { downtime } = await kpisOf(2)
  const began = ago(1, '12:00')
  await anAlarm(api.database, machine, { code: 'ED', created_at: began, last_at: began })
  await api.database.withTenant(wholeMerchant(merchantId), (db) =>
    markLate(db, [{ merchantId, timeZone: 'Europe/Rome', at: began.getTime() }], new Date()),
  )
  const later = await kpisOf(2)
  const end = Date.parse(`${later.to}Z`)
  expect(later.downtime.blockedSeconds - downtime.blockedSeconds).toBe(Math.max(0, (end - began.getTime()) / 1000))
})

test('a chosen period of 2 to 365 days counts only its own days', async () => {
  const dayAgo = (days: number) => ago(days).toISOString().slice(0, 10)
  const lastEnded = lastEndedDay(new Date(), 'Europe/Rome')
  const of = (from: number, to: number) =>
    admin.getMachineKpis({
      params: { merchantId, posId: machine.id },
      query: { startDate: dayAgo(from), endDate: dayAgo(to) },
    })
  const kpis = await of(4, 2)
  expect(kpis).toMatchObject({ days: 3, cashAcceptance: { accepted: 90, rejected: 20 }, mcbf: { cycles: 3 } })
  expect(kpis.series.map(({ day }) => day)).toEqual([dayAgo(4), dayAgo(3), dayAgo(2)])
  expect(kpis.downtime.seconds).toBe(3 * 86_400)
  // Today has not ended.
  expect((await of(364, 0)).days).toBe(lastEnded === dayAgo(1) ? 364 : 363)
  const refused = { code: 'ValidationFailed', errors: [{ path: 'endDate', rule: 'rule.interval' }] }
  await expect(of(3, 3)).rejects.toMatchObject(refused)
  await expect(of(365, 0)).rejects.toMatchObject(refused)
})

test.each([
  [1, 'rule.minimum'],
  [366, 'rule.maximum'],
  [1.5, 'rule.whole'],
  ['x', 'rule.number'],
])('an interval of %s days is refused by %s', async (days, rule) => {
  await expect(kpisOf(days as number)).rejects.toMatchObject({ code: 'ValidationFailed', errors: [{ rule }] })
})

test('a machine is offline from its last message until the next', async () => {
  const other = await aMachine(api.database, merchantId)
  const say = (connection: 0 | 1, at: Date) =>
    api.database.withTenant(wholeMerchant(merchantId), (db) =>
      writeConditions(db, [{ merchantId, machineId: other.id, lastSeenAt: at, connection }]),
    )
  const absences = () =>
    api.database.admin('select began_at, ended_at from absences where machine_id = $1 order by 1', [other.id])
  const minutes = (count: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + count * 60_000)
  await say(1, minutes(0))
  expect(await absences()).toEqual([])
  await say(0, minutes(10))
  await say(0, minutes(11))
  expect(await absences()).toEqual([{ began_at: minutes(10), ended_at: null }])
  await say(1, minutes(25))
  await say(1, minutes(26))
  expect(await absences()).toEqual([{ began_at: minutes(10), ended_at: minutes(25) }])
})
