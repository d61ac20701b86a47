import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

let api: TestApi
let gateway: TestGateway
let reader: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
  reader = api.as(await aUser(api.database, 'superAdmin', []))
  machine = await aMachine(api.database, (await aMerchant(api.database)).id)
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})

const list = (query: object = {}) =>
  reader.listSensors({ params: { merchantId: machine.merchantId, posId: machine.id }, query })

async function say(sensors: unknown): Promise<number> {
  const { status } = await fetch(`${gateway.httpUrl}/device/v1/${machine.serial}/state`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: randomUUID(), online: true, sensors }),
  })
  return status
}
const entry = (value: number) => ({ submodule: 'coinValidator', name: 'entry', value })
const optics = (value: number) => ({ submodule: 'billValidator', name: 'opticalUpper', value })
const humidity = { submodule: 'cabinet', name: 'humidity', value: 48.5 }
const values = async (query: object = {}) => (await list(query)).items.map(({ name, value }) => [name, value])

test('a machine that reported no sensors has none', async () => {
  expect(await list()).toEqual({ items: [], total: 0, capped: false })
})

test('reported sensors are listed by dirt level, and can be filtered', async () => {
  expect(await say([entry(61), optics(49), humidity, entry(62)])).toBe(200)
  await expect.poll(() => values(), { timeout: 15_000 }).toHaveLength(3)
  const { items } = await list()
  expect(items).toMatchObject([
    { name: 'opticalUpper', dirtiness: 'critical', warning: 70, critical: 50, valuesIncrease: false },
    { name: 'entry', value: 62, dirtiness: 'warning', warning: 60, critical: 85, valuesIncrease: true },
    { name: 'humidity', value: 48.5, dirtiness: 'unknown', warning: null, critical: null, valuesIncrease: null },
  ])
  expect(await values({ dirtinesses: ['unknown', 'warning'] })).toEqual([
    ['entry', 62],
    ['humidity', 48.5],
  ])
  expect(await values({ search: 'OPTICAL' })).toEqual([['opticalUpper', 49]])
  expect(await values({ search: 'cabin' })).toEqual([['humidity', 48.5]])
  expect(await values({ ord: 'name', ordType: 'ASC', size: 1, page: 2 })).toEqual([['humidity', 48.5]])
})

test('a cleaned sensor is reset; sensors not listed keep their value', async () => {
  await say([entry(3)])
  await expect.poll(() => values({ dirtinesses: ['ok'] }), { timeout: 15_000 }).toEqual([['entry', 3]])
  expect(await values({ dirtinesses: ['critical'] })).toEqual([['opticalUpper', 49]])
})

test('the history of a sensor has hourly values and its thresholds', async () => {
  const from = new Date(Date.now() - 86_400_000).toISOString()
  const to = new Date(Date.now() + 3_600_000).toISOString()
  const of = (name: string, submodule = 'coinValidator') =>
    reader.getSensorHistory({
      params: { merchantId: machine.merchantId, posId: machine.id },
      query: { from, to, submodule, name },
    })
  const series = await of('entry')
  expect(series).toMatchObject({ stepSeconds: 3600, warning: 60, critical: 85, valuesIncrease: true })
  // Cleaned from 62 to 3 just now. A test that crosses the hour has two points.
  expect(Math.min(...series.points.map(({ min }) => min))).toBe(3)
  expect(Math.max(...series.points.map(({ max }) => max))).toBe(62)
  expect(series.points.at(-1)?.avg).toBe(3)
  expect(await of('humidity', 'cabinet')).toMatchObject({ warning: null, points: [{ avg: 48.5 }] })
  expect((await of('path', 'billRecycler')).points).toEqual([])
})

test('history is stored in a month without a partition too', async () => {
  const month = new Date().toISOString().slice(0, 7).replace('-', '_')
  await api.database.admin(`drop table sensor_readings_${month}`)
  expect(await say([entry(7)])).toBe(200)
  const readings = () => api.database.admin('select value from sensor_readings where machine_id = $1', [machine.id])
  await expect.poll(readings, { timeout: 15_000 }).toEqual([{ value: 7 }])
})

test.each([
  [[{ submodule: '', name: 'entry', value: 1 }]],
  [[{ submodule: 'coin', name: 'x'.repeat(41), value: 1 }]],
  [[{ submodule: 'coin', name: 'entry', value: '1' }]],
  [[{ submodule: 'coin', name: 'entry', value: 1e9 }]],
  [Array.from({ length: 65 }, (_, index) => ({ submodule: 'coin', name: `n${index}`, value: 1 }))],
])('implausible sensors in a report are ignored', async (sensors) => {
  const before = await values()
  expect(await say(sensors)).toBe(200)
  expect(await values()).toEqual(before)
})

test('only super admins see sensors', async () => {
  const { merchantId, id } = machine
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  await expect(admin.listSensors({ params: { merchantId, posId: id }, query: {} })).rejects.toMatchObject({
    code: 'Forbidden',
  })
})
