import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aReading } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let user: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (machine: TestMachine) => ({ merchantId, posId: machine.id })
const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
const at = (time: string) => `${day}T${time}Z`
const wholeDay = { from: `${day}T00:00:00`, to: `${day}T23:59:59` }

test('a spike among many readings stays visible with any number of points', async () => {
  const machine = await aMachine(api.database, merchantId)
  for (let minute = 0; minute < 60; minute += 5)
    await aReading(api.database, machine, at(`10:${String(minute).padStart(2, '0')}:00`), {
      celsius: minute === 30 ? 14.5 : 4,
    })
  const { points, stepSeconds } = await user.getTemperatureHistory({
    params: of(machine),
    query: { ...wholeDay, points: 24 },
  })
  expect(stepSeconds).toBe(3600)
  expect(points).toEqual([{ at: `${day}T10:00:00.000`, min: 4, max: 14.5, avg: 4.88, count: 12 }])
})

test('a shorter period has finer steps', async () => {
  const machine = await aMachine(api.database, merchantId)
  for (const minute of ['00', '01', '02']) await aReading(api.database, machine, at(`10:${minute}:30`), { signal: 60 })
  const query = { from: `${day}T10:00:00`, to: `${day}T10:30:00`, points: 100 }
  const { points, stepSeconds } = await user.getSignalHistory({ params: of(machine), query })
  expect(stepSeconds).toBe(60)
  expect(points.map(({ at: step }) => step.slice(11, 16))).toEqual(['10:00', '10:01', '10:02'])
})

test('steps without a reading are omitted, and missing values count nowhere', async () => {
  const machine = await aMachine(api.database, merchantId)
  await aReading(api.database, machine, at('08:00:00'), { signal: 60, celsius: 4 })
  await aReading(api.database, machine, at('11:00:00'), { celsius: 5 })
  const { points } = await user.getSignalHistory({ params: of(machine), query: { ...wholeDay, points: 24 } })
  expect(points).toHaveLength(1)
})

test('the end of the period is excluded', async () => {
  const machine = await aMachine(api.database, merchantId)
  await aReading(api.database, machine, at('10:00:00'), { signal: 60 })
  const query = { from: `${day}T09:00:00`, to: `${day}T10:00:00` }
  expect((await user.getSignalHistory({ params: of(machine), query })).points).toEqual([])
})

test('steps of a day start at the merchant’s midnight', async () => {
  const machine = await aMachine(api.database, merchantId)
  await aReading(api.database, machine, '2026-11-10T23:30:00Z', { signal: 50 })
  await aReading(api.database, machine, '2026-11-11T22:30:00Z', { signal: 70 })
  const query = { from: '2026-08-01T00:00:00', to: '2026-11-20T00:00:00', points: 120 }
  const { points, stepSeconds } = await user.getSignalHistory({ params: of(machine), query })
  expect(stepSeconds).toBe(86_400)
  // Both are on the eleventh in Rome, after a clock change.
  expect(points).toEqual([{ at: '2026-11-10T23:00:00.000', min: 50, max: 70, avg: 60, count: 2 }])
})

test('the merchant’s limits are returned with the curve', async () => {
  const other = await aMerchant(api.database)
  await api.database.admin(
    'update merchant_settings set minimum_signal_percent = 40, temperature_maximum = 8 where merchant_id = $1',
    [other.id],
  )
  const machine = await aMachine(api.database, other.id)
  const admin = api.as(await aUser(api.database, 'superAdmin', []))
  const params = { merchantId: other.id, posId: machine.id }
  expect(await admin.getSignalHistory({ params, query: wholeDay })).toMatchObject({ minimum: 40, maximum: null })
  expect(await admin.getTemperatureHistory({ params, query: wholeDay })).toMatchObject({ minimum: null, maximum: 8 })
})

test('a period that is reversed, too long or invalid is refused', async () => {
  const machine = await aMachine(api.database, merchantId)
  const ask = (query: object) => user.getSignalHistory({ params: of(machine), query: { ...wholeDay, ...query } })
  await expect(ask({ to: `${day}T00:00:00` })).rejects.toMatchObject({ code: 'PeriodReversed' })
  const dayBefore = (days: number) => new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString()
  // 365 calendar days are accepted, 366 are not.
  await expect(ask({ from: dayBefore(364) })).resolves.toBeDefined()
  await expect(ask({ from: dayBefore(365) })).rejects.toMatchObject({ errors: [{ path: 'to', rule: 'rule.interval' }] })
  await expect(ask({ from: 'yesterday' })).rejects.toMatchObject({ code: 'ValidationFailed' })
  await expect(ask({ points: 100_000 })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('signal belongs to the network feature', async () => {
  const plain = await aMerchant(api.database, { features: [] })
  const machine = await aMachine(api.database, plain.id)
  const ownUser = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: plain.id, groups: 'all' }]))
  const params = { merchantId: plain.id, posId: machine.id }
  await expect(ownUser.getSignalHistory({ params, query: wholeDay })).rejects.toMatchObject({
    code: 'FeatureNotEnabled',
  })
  expect(await ownUser.getTemperatureHistory({ params, query: wholeDay })).toMatchObject({ points: [] })
})
