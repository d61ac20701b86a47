import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

let api: TestApi
let gateway: TestGateway
let merchantId: string
let admin: TestClient
let machine: TestMachine
let device: ReturnType<typeof aDevice>
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  machine = await aMachine(api.database, merchantId)
  device = aDevice(gateway, machine)
  await report(['11', 6], ['12', 8])
})

const params = () => ({ merchantId, posId: machine.id })
const report = (...levels: [string, number][]) =>
  device.say('stock', {
    levels: levels.map(([selection, level]) => ({ selection, level, capacity: 10, stockType: 2 })),
  })
const manage = (stockCountedBy: 'portal' | 'machine') =>
  admin.setManageStock({ params: params(), body: { manageStock: true, stockCountedBy } })
const stock = () => admin.listStock({ params: params(), query: { ord: 'selection' } })
const settle = (keep: 'portal' | 'machine', ...selections: string[]) =>
  admin.settleStockDifferences({ params: params(), body: { selections, keep } })
const logged = (action: string) =>
  api.database.admin('select action, before, after from change_log where subject_id = $1 and action = $2 order by at', [
    machine.id,
    action,
  ])

/** The portal counts, and the machine says two pieces less in selection 11, in two reports. */
async function aDifference() {
  await manage('portal')
  await report(['11', 4])
  await report(['11', 4])
  expect(await stock()).toMatchObject({ differing: 1, items: [{ level: 6, reported: 4, difference: -2 }, {}] })
}

test('a user takes the machine’s number: it is a count of the user, and the difference ends', async () => {
  await aDifference()
  expect(await settle('machine', '11')).toEqual({ settled: ['11'] })
  expect(await stock()).toMatchObject({
    differing: 0,
    items: [{ level: 4, balance: 4, difference: null }, { level: 8 }],
  })
  const { items } = await admin.listStockMovements({ params: params(), query: { selections: ['11'] } })
  expect(items[0]).toMatchObject({ kind: 'correction', amount: -2, changedBy: 'Test merchantAdmin' })
  expect(await logged('machine.bookStock')).toMatchObject([
    {
      before: { stock: [{ selection: '11', level: 6 }] },
      after: { stock: [{ selection: '11', level: 4 }] },
    },
  ])
})

test('a user keeps the books: nothing is booked, and the same difference is no finding again', async () => {
  await aDifference()
  expect(await settle('portal', '11')).toEqual({ settled: ['11'] })
  expect(await stock()).toMatchObject({ differing: 0, items: [{ level: 6, difference: null }, {}] })
  await report(['11', 4])
  expect(await stock()).toMatchObject({ differing: 0 })
  expect(await logged('machine.keepStock')).toHaveLength(1)
  // Another difference is a finding.
  await report(['11', 1])
  await report(['11', 1])
  expect(await stock()).toMatchObject({ differing: 1, items: [{ difference: -5 }, {}] })
})

test('only selections of the machine with a number of its own are settled', async () => {
  await aDifference()
  expect(await settle('machine', '11', '99')).toEqual({ settled: ['11'] })
  expect(await settle('machine', '99')).toEqual({ settled: [] })
  expect(await logged('machine.bookStock')).toHaveLength(1)
})

test('without stock management, in another group, or as a user who may not write stock, nothing is settled', async () => {
  await expect(settle('machine', '11')).rejects.toMatchObject({ code: 'StockNotManaged' })
  await aDifference()
  const group = await aGroup(api.database, merchantId)
  const body = { selections: ['11'], keep: 'machine' as const }
  const other = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  await expect(other.settleStockDifferences({ params: params(), body })).rejects.toMatchObject({
    code: 'MachineNotFound',
  })
  const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  await expect(reader.settleStockDifferences({ params: params(), body })).rejects.toMatchObject({ code: 'Forbidden' })
  expect(await stock()).toMatchObject({ differing: 1 })
})

/** The machine counts, and a user has loaded three pieces into selection 11. */
async function aWaitingRefill() {
  await manage('machine')
  await report(['11', 6], ['12', 8])
  const edits = [{ selection: '11', before: 6, refill: 3 }]
  expect(await admin.bookStock({ params: params(), body: { edits } })).toMatchObject({ booked: 0, waiting: ['11'] })
  const { waiting, items } = await stock()
  expect(waiting).toMatchObject([{ selection: '11', loaded: 3, by: 'Test merchantAdmin' }])
  expect(items[0]).toMatchObject({ level: 6, waiting: 3 })
  return waiting.map(({ id, selection }) => ({ id, selection }))
}
const close = (refills: { id: string; selection: string }[], as: 'count' | 'dropped') =>
  admin.settleStockRefills({ params: params(), body: { refills, as } })

test('a waiting refill that is booked as a count raises the level, and waits for nothing', async () => {
  const refills = await aWaitingRefill()
  expect(await close(refills, 'count')).toEqual({ settled: 1 })
  expect(await stock()).toMatchObject({ waiting: [], items: [{ level: 9, waiting: 0 }, { level: 8 }] })
  const { items } = await admin.listStockMovements({ params: params(), query: { selections: ['11'] } })
  expect(items[0]).toMatchObject({ kind: 'correction', amount: 3, changedBy: 'Test merchantAdmin' })
  expect(await logged('machine.bookStock')).toMatchObject([
    { after: { stock: [{ selection: '11', refill: 3 }] } },
    { after: { stock: [{ selection: '11', count: 9 }] } },
  ])
  // The same call again, as after a lost answer, books nothing.
  expect(await close(refills, 'count')).toEqual({ settled: 0 })
  expect(await stock()).toMatchObject({ items: [{ level: 9 }, {}] })
})

test('a waiting refill that is dropped changes no level', async () => {
  const refills = await aWaitingRefill()
  expect(await close(refills, 'dropped')).toEqual({ settled: 1 })
  expect(await stock()).toMatchObject({ waiting: [], items: [{ level: 6, waiting: 0 }, {}] })
  expect(await logged('machine.dropRefill')).toMatchObject([{ after: { stock: [{ selection: '11', refill: 3 }] } }])
})

test('a refill of another machine and an unknown refill are not closed', async () => {
  const refills = await aWaitingRefill()
  const other = await aMachine(api.database, merchantId)
  await admin.setManageStock({
    params: { merchantId, posId: other.id },
    body: { manageStock: true, stockCountedBy: 'machine' },
  })
  const elsewhere = admin.settleStockRefills({
    params: { merchantId, posId: other.id },
    body: { refills, as: 'count' },
  })
  expect(await elsewhere).toEqual({ settled: 0 })
  expect(await close([{ id: randomUUIDv7(), selection: '11' }], 'count')).toEqual({ settled: 0 })
  expect((await stock()).waiting).toHaveLength(1)
})

test('a machine’s pieces count once: the total of its hot drinks adds nothing, in stock management and in rounds alike', async () => {
  await device.say('stock', {
    levels: [
      { selection: '1', level: 40, capacity: 100 },
      { selection: '2', level: 0, capacity: 50 },
      { selection: 'HOT', level: 40, capacity: 150, stockType: 1 },
    ],
  })
  await manage('portal')
  const { items } = await admin.listSupplies({ params: { merchantId }, query: {} })
  // Beside the hot drinks: selections 11 and 12 with 6 and 8 of 10.
  expect(items).toMatchObject([{ level: 54, capacity: 170 }])
  const { items: candidates } = await admin.listVisitCandidates({
    params: { merchantId },
    query: { day: '2026-12-01' },
  })
  expect(candidates.filter(({ posId }) => posId === machine.id)).toMatchObject([
    { fillPercent: Math.floor((54 / 170) * 100) },
  ])
})
