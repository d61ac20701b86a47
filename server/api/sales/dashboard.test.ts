import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const hour = 3_600_000

test('one line per machine that needs attention: blocked, offline, then warned, each with its most severe problem', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const well = { connection: 1, last_seen_at: new Date() }
  const named = (name: string, columns: Record<string, unknown>) =>
    aMachine(api.database, merchantId, { name, columns: { ...well, ...columns } })
  const blocked = await named('Blocked', { pos_status: 3 })
  const warned = await named('Warned', { pos_status: 2 })
  const offline = await named('Offline', { connection: 0, pos_status: 2 })
  await named('Unknown', { connection: 2 })
  await named('Well', { cash_in_box: 95, cash_box_capacity: 100 })
  const hidden = await named('Hidden', { hidden: true, pos_status: 3 })
  await anAlarm(api.database, blocked)
  await anAlarm(api.database, blocked, { criticity: 2, code: 'EGS' })
  await anAlarm(api.database, warned, { criticity: 0, status: 'notification', code: 'P:CLOCK' })
  await anAlarm(api.database, warned, { criticity: 4, status: 'repaired', code: 'EGS' })
  await anAlarm(api.database, offline, { criticity: 2, code: 'P:NODATA', category: 'fault' })
  await anAlarm(api.database, hidden)

  const { needsYou, machines } = await user.getDashboard({ params: { merchantId } })
  expect(needsYou.map(({ posName, posStatus, code }) => [posName, posStatus, code])).toEqual([
    ['Blocked', 3, 'ENE'],
    ['Offline', 3, null],
    ['Unknown', 2, null],
    ['Warned', 2, 'P:CLOCK'],
  ])
  expect(machines).toMatchObject({ total: 5, posStatuses: { correct: 1, warning: 2, critical: 2 } })
})

test('today’s sales are shown with the same weekday of previous weeks, per currency', async () => {
  const euro = await aMerchant(api.database)
  const peso = await aMerchant(api.database, { currency: 'MXN', time_zone: 'America/Mexico_City' })
  const scope = [euro, peso].map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
  const user = api.as(await aUser(api.database, 'merchantAdmin', scope))
  const one = await aMachine(api.database, euro.id)
  const two = await aMachine(api.database, peso.id)
  await aSale(api.database, one, { created_at: new Date(), value: 150 })
  await aSale(api.database, one, { created_at: new Date(), value: 0, error_sale: true })
  await aSale(api.database, one, { created_at: new Date(), type: 4, value: 1000, value_charge: 1000 })
  await aSale(api.database, one, { created_at: new Date(Date.now() - 7 * 24 * hour), value: 400 })
  await aSale(api.database, one, { created_at: new Date(Date.now() - 40 * 24 * hour) })
  await aSale(api.database, two, { created_at: new Date(), value: 2000 })

  const { sales } = await user.getDashboard({ params: { merchantId: allMerchants } })
  const of = (currency: string) => sales.find((row) => row.currency === currency)
  expect(sales).toHaveLength(2)
  expect(of('EUR')).toMatchObject({ value: 150, vends: 1, usualDays: 4 })
  // Its data begin today.
  expect(of('MXN')).toMatchObject({ value: 2000, vends: 1, usualDays: 0, usualValueByNow: 0 })
  expect(of('EUR')?.hours.reduce((sum, row) => sum + row.usualHigh, 0)).toBe(400)
  expect(of('EUR')?.valueByDay.at(-1)).toBe(150)
  expect(of('EUR')?.valueByDay.at(-8)).toBe(400)
})

test('a group admin’s dashboard counts only machines of the group', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  await api.database.admin(`insert into groups (merchant_id, id, name, created_at) values ($1, $2, 'North', now())`, [
    merchantId,
    '0190aaaa-0000-7000-8000-000000000001',
  ])
  const groupId = '0190aaaa-0000-7000-8000-000000000001'
  const user = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }]))
  await aSale(api.database, await aMachine(api.database, merchantId, { groupId }), { value: 100 })
  await aSale(api.database, await aMachine(api.database, merchantId), { value: 5000 })
  const dashboard = await user.getDashboard({ params: { merchantId } })
  expect(dashboard.machines.total).toBe(1)
  expect(dashboard.sales[0]?.valueByDay.reduce((sum, value) => sum + value, 0)).toBe(100)
})
