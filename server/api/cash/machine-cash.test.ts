import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { storeItem } from '#testkit/machines/seller.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const hour = 3_600_000
const at = (hours: number) => Math.floor(Date.now() / hour) * hour + hours * hour

test('a machine shows its cash by device, its movements since the collection, and accepted and refused pieces', async () => {
  const machine = await aMachine(api.database, merchantId)
  const params = { merchantId, posId: machine.id }
  expect(await admin.getMachineCash({ params })).toMatchObject({
    readAt: null,
    slots: [],
    box: null,
    boxPieces: null,
    since: null,
  })
  const store = (kind: 'sale' | 'cash', seq: number, hours: number, more: object) =>
    storeItem(api.database, machine, { kind, seq, at: at(hours), more })
  await store('sale', 1, -49.7, { value: 1000 })
  await store('sale', 2, -49.5, { type: 12, value: 5000 })
  // In the same hour as the collection, and later.
  await store('sale', 3, -49.2, { value: 150 })
  await store('sale', 4, -3, { value: 200 })
  await store('sale', 5, -2, { type: 6, value: 50 })
  await store('cash', 6, -1, {
    box: 300,
    boxCapacity: 10_000,
    tubes: [{ value: 10, count: 4 }],
    recyclers: [{ value: 500, count: 2 }],
    boxPieces: [
      { value: 200, count: 1 },
      { value: 50, count: 2 },
      { value: 500, count: 0 },
    ],
  })
  // Of ended days.
  await store('cash', 8, -30, { accepted: [{ value: 10, count: 17 }], rejected: [{ value: 10, count: 3 }] })
  await store('cash', 7, -24 * 40, { accepted: [{ value: 10, count: 90 }], rejected: [{ value: 10, count: 10 }] })
  const cash = await admin.getMachineCash({ params })
  expect(cash).toMatchObject({
    box: 300,
    boxCapacity: 10_000,
    floatVersion: 0,
    since: { in: 350, out: 50, left: null, tubes: null, unreported: 0 },
    boxPieces: [
      { value: 50, kind: 'coin', count: 2 },
      { value: 200, kind: 'coin', count: 1 },
    ],
    lastCollection: { status: 'open' },
    slots: [
      { device: 'tube', value: 10, kind: 'coin', count: 4, capacity: null, wanted: null },
      { device: 'recycler', value: 500, kind: 'note', count: 2 },
    ],
  })
  expect(cash.acceptance).toMatchObject({
    denominations: [{ denomination: 10, accepted: 17, rejected: 3 }],
    previous: { accepted: 90, rejected: 10 },
  })
})

test('floats are saved once, and a second user’s older edit is a conflict', async () => {
  const machine = await aMachine(api.database, merchantId)
  const params = { merchantId, posId: machine.id }
  const floats = [{ device: 'tube' as const, value: 20, capacity: 80, wanted: 40 }]
  expect(await admin.updateCashFloats({ params, body: { version: 0, floats } })).toEqual({ floatVersion: 1 })
  expect(await admin.updateCashFloats({ params, body: { version: 0, floats } })).toEqual({ floatVersion: 1 })
  const older = admin.updateCashFloats({ params, body: { version: 0, floats: [] } })
  await expect(older).rejects.toMatchObject({ code: 'EditConflict', facts: { current: { version: 1, floats } } })
  expect((await admin.getMachineCash({ params })).slots).toMatchObject([
    { device: 'tube', value: 20, count: null, capacity: 80, wanted: 40 },
  ])
  for (const wrong of [{ value: 25 }, { wanted: 81 }, { wanted: -1 }, { capacity: 0 }]) {
    const body = { version: 1, floats: [{ device: 'tube' as const, value: 20, capacity: 80, wanted: 40, ...wrong }] }
    await expect(admin.updateCashFloats({ params, body })).rejects.toMatchObject({ code: 'ValidationFailed' })
  }
})

test('cash in less cash out is what the box and the tubes gained, with keys loaded in cash and charged failed vends', async () => {
  const machine = await aMachine(api.database, merchantId)
  const params = { merchantId, posId: machine.id }
  let seq = 0
  const store = (kind: 'sale' | 'cash', hours: number, more: object) =>
    storeItem(api.database, machine, { kind, seq: ++seq, at: at(hours), more })
  const tubes = (count: number) => [{ value: 10, count }]
  await store('sale', -9, { type: 12, value: 7000 })
  await store('cash', -9, { box: 200, tubes: tubes(40) })
  await store('sale', -8, { value: 120 })
  await store('sale', -8, { type: 4, mediaType: 2, mediaSource: 3, paidWith: 1, value: 1000, valueCharge: 1000 })
  await store('sale', -7, { type: 4, mediaType: 2, mediaSource: 3, value: 500, valueCharge: 500 })
  await store('sale', -7, { type: 4, mediaType: 5, mediaSource: 4, value: 2000, valueCharge: 2000 })
  await store('sale', -6, { value: 80, errorSale: true })
  await store('sale', -6, { mediaType: 2, mediaSource: 3, value: 110 })
  await store('sale', -5, { type: 6, value: -70 })
  await store('sale', -5, { type: 9, mediaType: 0, mediaSource: 0, value: 30 })
  // Two tens of the sale went into the tube.
  await store('cash', -4, { box: 200 + 1640, tubes: tubes(42) })
  await store('sale', -3, { value: 90 })
  const { box, since } = await admin.getMachineCash({ params })
  expect(since).toEqual({ in: 1820, out: 70, left: 200, tubes: 20, unreported: 90 })
  expect((since?.in ?? 0) - (since?.out ?? 0)).toBe((box ?? 0) - 200 + 20 + 90)
})
