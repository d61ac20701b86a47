import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { manyMachines } from '../../../bench/many-machines.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** A merchant with a machine in Palermo, and two at one place in Milan: one critical, one online. */
async function threeMachines() {
  const { id: merchantId } = await aMerchant(api.database)
  const group = await aGroup(api.database, merchantId)
  const at = (name: string, latitude: number, longitude: number, columns = {}) =>
    aMachine(api.database, merchantId, {
      name,
      groupId: group,
      columns: { latitude, longitude, connection: 1, ...columns },
    })
  const palermo = await at('Porto', 38.12, 13.36)
  await at('Centrale', 45.485, 9.204, { pos_status: 3 })
  await at('Centrale above', 45.486, 9.205)
  // Without a place it is on no map.
  await aMachine(api.database, merchantId, { groupId: group })
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { params: { merchantId }, by: api.as(admin), palermo, group }
}

test('without an area the map has every machine, as before', async () => {
  const { params, by } = await threeMachines()
  const points = await by.mapMachines({ params, query: {} })
  expect(points.map((point) => 'name' in point && point.name).sort()).toEqual(['Centrale', 'Centrale above', 'Porto'])
})

test('machines that would cover each other are a cluster with its box and its machines in trouble', async () => {
  const { params, by, palermo } = await threeMachines()
  const spots = await by.mapMachines({ params, query: { width: 520, height: 380 } })
  expect(spots).toHaveLength(2)
  expect(spots.find((spot) => 'id' in spot)).toMatchObject({ id: palermo.id, name: 'Porto', posStatus: 1 })
  expect(spots.find((spot) => 'count' in spot)).toEqual({
    count: 2,
    critical: 1,
    warning: 0,
    posStatus: 3,
    latitude: expect.closeTo(45.4855),
    longitude: expect.closeTo(9.2045),
    west: 9.204,
    south: 45.485,
    east: 9.205,
    north: 45.486,
  })
})

test('close enough they are single machines; outside of the box there is none', async () => {
  const { params, by } = await threeMachines()
  const box = { west: 9.2, south: 45.48, east: 9.21, north: 45.49 }
  const close = await by.mapMachines({ params, query: { ...box, zoom: 17 } })
  expect(close.map((spot) => 'name' in spot && spot.name).sort()).toEqual(['Centrale', 'Centrale above'])
  expect(await by.mapMachines({ params, query: { ...box, zoom: 5 } })).toMatchObject([{ count: 2 }])
  expect(await by.mapMachines({ params, query: { west: 0, south: 50, east: 5, north: 55, zoom: 5 } })).toEqual([])
  // Without a zoom, the machines of the box; the worst first.
  expect(await by.mapMachines({ params, query: { ...box, size: 1 } })).toMatchObject([{ name: 'Centrale' }])
})

test('a box across the 180th meridian has the machines on both sides', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  for (const longitude of [179.5, -179.5])
    await aMachine(api.database, merchantId, { columns: { latitude: -18, longitude } })
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  for (const east of [182, -178]) {
    const query = { west: 178, south: -20, east, north: -16, zoom: 6 }
    expect(await admin.mapMachines({ params: { merchantId }, query })).toHaveLength(2)
  }
})

test('clusters count only machines within the reader’s groups and filters', async () => {
  const { params, by } = await threeMachines()
  const other = await aGroup(api.database, params.merchantId)
  const confined = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId: params.merchantId, groups: [other] }]))
  expect(await confined.mapMachines({ params, query: { width: 500, height: 400 } })).toEqual([])
  const critical = await by.mapMachines({ params, query: { width: 500, height: 400, posStatus: [3] } })
  expect(critical).toMatchObject([{ name: 'Centrale', posStatus: 3 }])
})

test('ten thousand machines are a small answer at every zoom', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  await manyMachines((text, values) => api.database.admin(text, values), merchantId, 10_000)
  await api.database.admin(
    `update machines set latitude = 36.5 + abs(hashtext(id::text)) % 1000 / 100.0, longitude = 7 + abs(hashtext(serial)) % 1100 / 100.0 where merchant_id = $1`,
    [merchantId],
  )
  await api.database.admin('analyze machines')
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const box = { west: -10, south: 30, east: 30, north: 55 }
  for (const query of [
    { width: 520, height: 380 },
    { width: 1200, height: 400 },
    { ...box, zoom: 5 },
    { ...box, zoom: 18 },
  ]) {
    const answer = await api.send('mapMachines', { params: { merchantId }, query }, user)
    expect(answer.rawPayload.length).toBeLessThanOrEqual(30_000)
    const total = answer.json().reduce((sum: number, spot: { count?: number }) => sum + (spot.count ?? 1), 0)
    expect(total).toBeGreaterThan(9_000)
  }
})
