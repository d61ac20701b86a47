import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDevice, romeClock } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aPrice } from '#testkit/machines/machine-data.ts'

let api: TestApi
let gateway: TestGateway
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})

const wrongOf = async (machine: TestMachine, query: object = {}) =>
  (await admin.listWrongPrices({ params: { merchantId }, query: { posIds: [machine.id], ...query } })).items
const sale = (value: number, more: object = {}) => ({
  type: 1,
  mediaType: 1,
  priceLine: 11,
  priceTable: 1,
  value,
  ...more,
})
/** A machine that reports 120 for selection 11, as its merchant wants. */
async function aSeller() {
  const machine = await aMachine(api.database, merchantId)
  const device = aDevice(gateway, machine)
  await device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 120, product: 'Cola' }] })
  const edits = [{ selection: '11', priceTable: 1, before: null, price: 120 }]
  await admin.updatePrices({ params: { merchantId, posId: machine.id }, body: { edits } })
  return { machine, device }
}

test('a machine that charges another price than it reports is listed, with what it cost', async () => {
  const { machine, device } = await aSeller()
  expect(await wrongOf(machine)).toEqual([])
  await device.say('sale', sale(120))
  expect(await wrongOf(machine)).toEqual([])
  await device.say('sale', sale(100), sale(100, { freeSale: true }), sale(90, { priceTable: 2 }), sale(0, { type: 3 }))
  await device.say('sale', sale(100))
  expect(await wrongOf(machine)).toMatchObject([
    {
      selection: '11',
      product: 'Cola',
      wanted: 120,
      actual: 100,
      fault: 'charged',
      sales: 2,
      lost: 40,
      currency: 'EUR',
    },
  ])
  expect(await wrongOf(machine, { faults: ['audited'] })).toEqual([])
  // Sold at the wanted price again: the price is right, its loss stays.
  await device.say('sale', sale(120))
  expect(await wrongOf(machine)).toMatchObject([{ status: 'ended', fault: 'charged', actual: 120, sales: 2, lost: 40 }])
})

const priceOf = async (machine: TestMachine) => {
  const { items, summary } = await admin.listPrices({ params: { merchantId, posId: machine.id }, query: {} })
  return { price: items[0]?.prices[0], summary }
}
const closeAll = async (machine: TestMachine, note: string | null = null) => {
  const prices = (await wrongOf(machine)).map(({ posId, selection, priceTable, sales, lost }) => ({
    posId,
    selection,
    priceTable,
    sales,
    lost,
  }))
  return admin.closeWrongPrices({ params: { merchantId }, body: { prices, note } })
}

test('the page of prices and the list agree: a price that is charged otherwise is not in sync, and is to be sent', async () => {
  const { machine, device } = await aSeller()
  expect(await priceOf(machine)).toMatchObject({ price: { sync: 'sync', loss: null }, summary: { sync: 1, unsent: 0 } })
  await device.say('sale', sale(100))
  await device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 120 }] })
  expect(await priceOf(machine)).toMatchObject({
    price: { sync: 'chargedOtherwise', loss: { sales: 1, lost: 20 } },
    summary: { sync: 0, chargedOtherwise: 1, unsent: 1 },
  })
  expect(await wrongOf(machine)).toMatchObject([{ status: 'wrong', fault: 'charged', actual: 100 }])
  const { commandId } = await admin.sendPrices({ params: { merchantId, posId: machine.id } })
  expect(await device.claim(commandId)).toBe(true)
  await device.say('result', { commandId, outcome: 'success' })
  await device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 120 }] })
  expect(await priceOf(machine)).toMatchObject({ price: { sync: 'sync', loss: { lost: 20 } }, summary: { unsent: 0 } })
  expect(await wrongOf(machine)).toMatchObject([{ status: 'ended', lost: 20 }])
})

test('a loss stays until a user closes it, with name, time and note, and a new wrong sale opens the price again', async () => {
  const { machine, device } = await aSeller()
  await device.say('sale', sale(100), sale(120))
  expect(await closeAll(machine, 'Refunded by hand')).toEqual({ closed: 1, changed: 0 })
  expect(await wrongOf(machine)).toEqual([])
  const closed = {
    status: 'closed',
    wanted: 120,
    sales: 1,
    lost: 20,
    note: 'Refunded by hand',
    closedBy: 'Test merchantAdmin',
  }
  expect(await wrongOf(machine, { statuses: ['closed'] })).toMatchObject([closed])
  await device.say('sale', sale(90))
  expect(await wrongOf(machine)).toMatchObject([{ status: 'wrong', sales: 1, lost: 30 }])
  expect(await wrongOf(machine, { statuses: ['wrong', 'ended', 'closed'] })).toHaveLength(2)
  const [entry] = await api.database.admin(
    `select action, before, after from change_log where subject_id = $1 and action = 'price.closeLoss'`,
    [machine.id],
  )
  expect(entry).toMatchObject({
    before: { losses: [{ selection: '11', priceTable: 1, sales: 1, lost: 20 }] },
    after: { note: 'Refunded by hand' },
  })
})

test('a price that is closed while it is wrong is not opened by the same report, but by a wrong sale or a new target', async () => {
  const { machine, device } = await aSeller()
  const report = () => device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 110 }] })
  await report()
  expect(await closeAll(machine)).toEqual({ closed: 1, changed: 0 })
  await report()
  expect(await wrongOf(machine)).toEqual([])
  await device.say('sale', sale(110))
  expect(await wrongOf(machine)).toMatchObject([{ sales: 1, lost: 10 }])
  await closeAll(machine)
  const edits = [{ selection: '11', priceTable: 1, before: 120, price: 130 }]
  await admin.updatePrices({ params: { merchantId, posId: machine.id }, body: { edits } })
  expect(await wrongOf(machine)).toMatchObject([{ status: 'wrong', sales: 0 }])
})

test('a loss that has grown since the user saw it stays open', async () => {
  const { machine, device } = await aSeller()
  await device.say('sale', sale(100))
  const [visible] = await wrongOf(machine)
  if (!visible) throw new Error('One price is wrong')
  await device.say('sale', sale(100))
  const { posId, selection, priceTable, sales, lost } = visible
  const body = { prices: [{ posId, selection, priceTable, sales, lost }] }
  expect(await admin.closeWrongPrices({ params: { merchantId }, body })).toEqual({ closed: 0, changed: 1 })
  expect(await wrongOf(machine)).toMatchObject([{ sales: 2, lost: 40 }])
})

test('a repeated sale counts once, and a sale before the edit never', async () => {
  const { machine, device } = await aSeller()
  const wrong = device.numbered([sale(100)])
  await device.sendItems('sale', wrong)
  await device.sendItems('sale', wrong)
  await device.say('sale', sale(50, { at: romeClock(new Date(Date.now() - 3_600_000)) }))
  expect(await wrongOf(machine)).toMatchObject([{ sales: 1, lost: 20 }])
})

test('an edit on the device and an unsent price have different faults', async () => {
  const { machine, device } = await aSeller()
  const params = { merchantId, posId: machine.id }
  await admin.updatePrices({ params, body: { edits: [{ selection: '11', priceTable: 1, before: 120, price: 130 }] } })
  expect(await wrongOf(machine)).toMatchObject([{ wanted: 130, actual: 120, fault: 'notSent', sales: 0, lost: 0 }])
  const { commandId } = await admin.sendPrices({ params })
  expect(await device.claim(commandId)).toBe(true)
  await device.say('result', { commandId, outcome: 'success' })
  await device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 130 }] })
  expect(await wrongOf(machine)).toEqual([])
  await device.say('prices', { prices: [{ selection: '11', priceTable: 1, price: 110 }] })
  expect(await wrongOf(machine)).toMatchObject([{ actual: 110, fault: 'reported' }])
})

test('an audit shows prices that the machine does not report, by its price lists', async () => {
  const { machine, device } = await aSeller()
  const edits = [
    { selection: '11', priceTable: 2, before: null, price: 90 },
    { selection: '11', priceTable: 6, before: null, price: 100 },
  ]
  await admin.updatePrices({ params: { merchantId, posId: machine.id }, body: { edits } })
  const rows = ['ST*001*0001', 'ID1*X*Y*1', 'ID4*2*978*EUR', 'VA1*120*1*120*1', 'PA1*11*115', 'PA2*1*120*1*120']
  const lists = ['PA7*11*DA*2*95*0*0*0*0', 'PA7*11*DA*6*100*0*0*0*0']
  await device.audit(['DXS*X*VA*V0/6*1', ...rows, ...lists, 'SE*9*0001', 'DXE*1*1', ''].join('\r\n'))
  const wrongPrices = await wrongOf(machine)
  expect(wrongPrices.map(({ priceTable, actual, fault }) => [priceTable, actual, fault])).toEqual(
    expect.arrayContaining([
      [1, 115, 'audited'],
      [2, 95, 'notSent'],
    ]),
  )
  expect(wrongPrices).toHaveLength(2)
  const { items } = await admin.listPrices({ params: { merchantId, posId: machine.id }, query: {} })
  expect(items[0]?.prices.map(({ audited }) => audited?.price)).toEqual([115, 95, 100])
})

test('the dashboard has the prices that are wrong for longer than a day, with their cost', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const group = await aGroup(api.database, ownMerchantId)
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const ofGroup = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId: ownMerchantId, groups: [group] }]))
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const wrong = (days: number, lost: number) => ({
    wanted: 200,
    wanted_at: daysAgo(days),
    wrong_since: daysAgo(days),
    wrong_sales: 3,
    lost,
  })
  const machine = await aMachine(api.database, ownMerchantId)
  await aPrice(api.database, machine, wrong(2, 150))
  await aPrice(api.database, machine, { selection: '12', ...wrong(0.5, 70) })
  await aPrice(api.database, await aMachine(api.database, ownMerchantId, { columns: { hidden: true } }), wrong(3, 90))
  await aPrice(api.database, await aMachine(api.database, ownMerchantId, { groupId: group }), wrong(4, -20))
  const call = { params: { merchantId: ownMerchantId } }
  expect(await reader.getDashboard(call)).toMatchObject({
    wrongPrices: 2,
    wrongPricesLost: [{ currency: 'EUR', lost: 130 }],
  })
  expect(await ofGroup.getDashboard(call)).toMatchObject({ wrongPrices: 1 })
  const all = await reader.listWrongPrices({ ...call, query: { ord: 'lost', ordType: 'DESC' } })
  expect(all).toMatchObject({ total: 3, old: 2 })
  expect(all.items.map(({ lost }) => lost)).toEqual([150, 70, -20])
  expect(await reader.listWrongPrices({ ...call, query: { isOld: 'true' } })).toMatchObject({ total: 2, old: 2 })
  expect(await ofGroup.listWrongPrices({ ...call, query: {} })).toMatchObject({ total: 1, old: 1 })
})
