import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
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
const start = Math.floor(Date.now() / hour) * hour - 60 * hour
const at = (hours: number) => start + hours * hour
const wire = (hours: number) => new Date(at(hours)).toISOString().slice(0, -1)

/** A machine that reports its sales and cash; a collection at hour 0 left 2.00 in the box and 4.00 in a tube. */
async function aCollected() {
  const machine = await aMachine(api.database, merchantId)
  let seq = 0
  const store = (kind: 'sale' | 'cash', hours: number, more: object) =>
    storeItem(api.database, machine, { kind, seq: ++seq, at: at(hours), more })
  const sale = (hours: number, value: number, more: object = {}) => store('sale', hours, { value, ...more })
  const report = (hours: number, box: number, tube: number) =>
    store('cash', hours, { box, tubes: [{ value: 10, count: tube / 10 }] })
  await sale(-1, 9999)
  await sale(0, 7000, { type: 12 })
  await report(0, 200, 400)
  return { machine, sale, report, store }
}

const trailOf = ({ id }: TestMachine) => admin.getCashTrail({ params: { merchantId, posId: id } })

test('the trail since the last collection has what moved by type, and its sum is the cash in and out of the machine', async () => {
  const { machine, sale, report } = await aCollected()
  await sale(1, 150)
  await sale(2, 100)
  await sale(2, 500, { mediaType: 5, mediaSource: 4 })
  await sale(3, 1000, { type: 4, mediaType: 2, mediaSource: 3, paidWith: 1, valueCharge: 1000 })
  await sale(4, 50, { type: 8 })
  await sale(5, 300, { type: 11 })
  // 3.00 went into the tube.
  await report(6, 200 + 1200, 400 + 300)
  await sale(7, 80)
  const trail = await trailOf(machine)
  expect(trail).toMatchObject({
    isCut: false,
    until: null,
    base: { at: wire(0), box: 200, tubes: 400 },
    parted: null,
    collection: null,
    steps: [
      { at: wire(6), readings: 1, moved: 1500, expected: 2100, reported: 2100, box: 1400, tubes: 700, difference: 0 },
      { at: null, readings: 0, moved: 1580, expected: 2180, reported: null, difference: null },
    ],
  })
  expect(trail.steps[0]?.movements).toEqual([
    { type: 4, count: 1, cash: 1000 },
    { type: 11, count: 1, cash: 300 },
    { type: 1, count: 2, cash: 250 },
    { type: 8, count: 1, cash: -50 },
  ])
  const { since } = await admin.getMachineCash({ params: { merchantId, posId: machine.id } })
  expect(trail.steps.at(-1)?.moved).toBe((since?.in ?? 0) - (since?.out ?? 0))
})

test('the trail names the reports between which expected and reported cash parted, for good', async () => {
  const { machine, sale, report } = await aCollected()
  await sale(1, 150)
  await report(2, 350, 400)
  // A report that the next one corrects is no difference.
  await report(3, 300, 400)
  await report(4, 350, 400)
  await sale(5, 100)
  // 2.00 are missing from here on.
  await report(6, 250, 400)
  await sale(30, 100)
  await report(31, 350, 400)
  expect(await trailOf(machine)).toMatchObject({ parted: { after: wire(4), at: wire(6), difference: -200 } })
})

test('a collection has the trail since the one before, up to its last report, and its own count', async () => {
  const { machine, sale, report } = await aCollected()
  await sale(1, 5000)
  await report(20, 5200, 400)
  await sale(21, 1000)
  await sale(24, 6100, { type: 12 })
  await report(24.1, 0, 400)
  await sale(30, 700)
  const params = { merchantId }
  const { items } = await admin.listCashCollections({ params, query: { posIds: [machine.id] } })
  const [last, first] = items
  const of = (id = '') => ({ params: { ...params, collectionId: id } })
  await admin.countCashCollection({
    ...of(last?.id),
    body: { version: last?.version ?? 0, pieces: [{ value: 500, count: 12 }] },
  })
  const trail = await admin.getCollectionTrail(of(last?.id))
  const { expected, difference } = await admin.getCashCollection(of(last?.id))
  expect(trail).toMatchObject({
    posId: machine.id,
    from: { collectionId: first?.id },
    parted: null,
    steps: [
      { at: wire(20), moved: 5000, difference: 0 },
      { at: null, moved: 6000 },
    ],
    collection: { id: last?.id, status: 'counted', counted: 6000, expected, difference },
  })
  expect(difference).toBe(-100)
  // The first collection of a machine has nothing before.
  expect(await admin.getCollectionTrail(of(first?.id))).toMatchObject({ from: null, steps: [] })
  // What follows is the next trail.
  expect((await trailOf(machine)).steps.at(-1)).toMatchObject({ moved: 700 })
})

test('collections sort by any column, the largest differences first', async () => {
  const own = await aMerchant(api.database)
  const counter = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: own.id, groups: 'all' }]))
  const params = { merchantId: own.id }
  const posIds: string[] = []
  for (const counted of [60, 71, 45]) {
    const machine = await aMachine(api.database, own.id)
    posIds.push(machine.id)
    await storeItem(api.database, machine, { kind: 'sale', seq: 1, at: at(5), more: { type: 12, value: 6000 } })
    const { items } = await counter.listCashCollections({ params, query: { posIds: [machine.id] } })
    const [{ id, version } = { id: '', version: 0 }] = items
    await counter.countCashCollection({
      params: { ...params, collectionId: id },
      body: { version, pieces: [{ value: 100, count: counted }] },
    })
  }
  const [none, over, short] = posIds
  const idsBy = async (ord: string, more: object = {}) =>
    (await counter.listCashCollections({ params, query: { ord, ...more } as never })).items.map(({ posId }) => posId)
  expect(await idsBy('difference')).toEqual([short, over, none])
  expect(await idsBy('difference', { ordType: 'ASC', size: 1 })).toEqual([none])
  expect(await idsBy('counted', { ordType: 'DESC' })).toEqual([over, none, short])
  const { totals } = await counter.listCashCollections({ params, query: { size: 1 } })
  expect(totals).toEqual([{ currency: 'EUR', values: { counted: 17_600 } }])
})

test('a user of other groups sees no trail', async () => {
  const { machine } = await aCollected()
  const groupId = await aGroup(api.database, merchantId)
  const other = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  await expect(other.getCashTrail({ params: { merchantId, posId: machine.id } })).rejects.toMatchObject({
    code: 'MachineNotFound',
  })
})
