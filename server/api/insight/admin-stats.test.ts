import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { anExport } from '#testkit/exports.ts'
import { aMachine, aMerchant, aUser, type TestMerchant } from '#testkit/fixtures.ts'
import { aDeadLetter, anAlarm, aSale } from '#testkit/machines/machine-data.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

let api: TestApi
let provider: TestClient
let rome: TestMerchant
beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  provider = api.as(await aUser(database, 'superAdmin', []))
  rome = await aMerchant(database, { name: 'Rome' })
  const mexico = await aMerchant(database, { name: 'Mexico', currency: 'MXN', time_zone: 'America/Mexico_City' })
  for (const [name, ends] of [
    ['Demo without end', null],
    ['Demo that ends soon', dayOf(daysAgo(-5))],
    ['Demo that goes on', dayOf(daysAgo(-60))],
    ['Demo that has ended', dayOf(daysAgo(5))],
  ]) {
    const demo = await aMerchant(database, { name })
    await database.admin('update merchants set is_demo = true, demo_expires_on = $2 where id = $1', [demo.id, ends])
  }
  const well = { connection: 1, last_seen_at: new Date() }
  const one = await aMachine(database, rome.id, { columns: well })
  const two = await aMachine(database, mexico.id, { columns: { ...well, created_at: daysAgo(70) } })
  const away = await aMachine(database, rome.id, { columns: { connection: 0, last_seen_at: daysAgo(8) } })
  await aMachine(database, mexico.id, { columns: { connection: 2, last_seen_at: null } })
  const hidden = await aMachine(database, rome.id, { columns: { ...well, hidden: true } })
  await anAlarm(database, one, { criticity: 4 })
  await anAlarm(database, two, { criticity: 2, code: 'ELB_1' })
  await anAlarm(database, two, { criticity: 2, code: 'ELB_2', status: 'repaired' })
  await anAlarm(database, hidden)
  await aSale(database, one, { created_at: new Date(), value: 150 })
  await aSale(database, away, { created_at: daysAgo(40), value: 700 })
  await aSale(database, two, { created_at: new Date(), value: 2000 })
  await aSale(database, two, { created_at: new Date(), value: 0, error_sale: true })
})
afterAll(() => api.close())

test('merchants are counted, and demos by their progress', async () => {
  const stats = await provider.getMerchantStats({ query: {} })
  expect(stats).toMatchObject({ total: 6, demo: 4, demoEnding: 1, demoEnded: 1 })
  expect(stats.growth).toHaveLength(12)
  expect(stats.growth.at(-1)).toMatchObject({ added: 6, total: 6 })
  expect(stats.growth.at(0)).toMatchObject({ added: 0, total: 0 })
})

test('machines are counted by state and connection, hidden machines and machines without data separately', async () => {
  const stats = await provider.getMachineStats({ query: { months: 6 } })
  expect(stats.states).toMatchObject({ total: 4, silent: 2 })
  expect(stats.connections).toEqual([
    { connection: 1, count: 2 },
    { connection: 0, count: 1 },
    { connection: 2, count: 1 },
  ])
  expect([stats.hidden, stats.withoutData]).toEqual([1, 2])
  expect((await provider.getMachineStats({ query: { withoutDataDays: 9 } })).withoutData).toBe(1)
  // One was created more than two months ago, the others this month.
  expect(stats.growth).toHaveLength(6)
  expect(stats.growth.at(-1)).toMatchObject({ added: 4, total: 5 })
  expect(stats.growth.at(-2)).toMatchObject({ total: 1 })
})

test('users are counted by role and status, including zero counts', async () => {
  const invited = await aUser(api.database, 'groupAdmin', [])
  await api.database.admin(`update users set status = 'invited', issuer = null, subject = null where id = $1`, [
    invited.id,
  ])
  const people = await provider.getUserStats({})
  expect(people).toHaveLength(12)
  expect(people).toContainEqual({ role: 'superAdmin', status: 'active', count: 1 })
  expect(people).toContainEqual({ role: 'groupAdmin', status: 'invited', count: 1 })
  expect(people).toContainEqual({ role: 'merchantUser', status: 'suspended', count: 0 })
})

test('sales are summed by currency: today, this month, or a chosen period', async () => {
  const stats = await provider.getSalesStats({ query: {} })
  expect(stats).toEqual([
    { currency: 'EUR', today: { value: 150, vends: 1 }, period: { value: 150, vends: 1 } },
    { currency: 'MXN', today: { value: 2000, vends: 1 }, period: { value: 2000, vends: 1 } },
  ])
  const period = { startDate: dayOf(daysAgo(45)), endDate: dayOf(daysAgo(35)) }
  const before = await provider.getSalesStats({ query: period })
  expect(before.map((one) => one.period.value)).toEqual([700, 0])
  expect(before.map((one) => one.today.value)).toEqual([150, 2000])
})

test('a period that is reversed, or longer than a year, is refused', async () => {
  const from = dayOf(daysAgo(400))
  const to = dayOf(daysAgo(1))
  await expect(provider.getSalesStats({ query: { startDate: to, endDate: from } })).rejects.toMatchObject({
    code: 'PeriodReversed',
  })
  for (const query of [{ startDate: from, endDate: to }, { startDate: from }])
    await expect(provider.getSalesStats({ query })).rejects.toMatchObject({ status: 400, code: 'PeriodTooLong' })
})

test('open alarms are counted by severity, without those of hidden machines', async () => {
  expect(await provider.getAlarmStats({})).toEqual([
    { criticity: 4, count: 1 },
    { criticity: 2, count: 1 },
    { criticity: 0, count: 0 },
  ])
})

test('dead letters and pending exports are counted', async () => {
  expect(await provider.getOperationStats({})).toEqual({
    deadLetters: 0,
    deadLettersToday: 0,
    exportsWaiting: 0,
    exportsRunning: 0,
    exportsFailed: 0,
  })
  const machine = await aMachine(api.database, rome.id)
  const letters = [await aDeadLetter(api.database, machine), await aDeadLetter(api.database, machine)]
  await api.database.admin(`update dead_letters set replayed_at = now() where id = $1`, [letters[0]])
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: rome.id, groups: 'all' }])
  const { id } = await anExport(api, person, rome.id)
  await api.database.admin(`update exports set status = 'failed', ended_at = now() where id = $1`, [id])
  expect(await provider.getOperationStats({})).toMatchObject({ deadLetters: 1, deadLettersToday: 1, exportsFailed: 1 })
})
