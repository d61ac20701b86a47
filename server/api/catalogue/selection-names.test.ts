import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

/*
 * A machine may write line 4 as 04, where its sales have the number: prices, stock and audits of the same selection belong together.
 */

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
})

const params = () => ({ merchantId, posId: machine.id })
const prices = async () => {
  const { items } = await admin.listPrices({ params: params(), query: {} })
  return Object.fromEntries(
    items.map(({ selection, prices: [price] }) => [
      selection,
      [price?.reported?.price ?? null, price?.audited?.price ?? null, price?.charged?.price ?? null],
    ]),
  )
}
const report = (...selections: string[]) =>
  device.say('prices', { prices: selections.map((selection) => ({ selection, priceTable: 1, price: 100 })) })
const sell = (priceLine: number, value: number) =>
  device.say('sale', { type: 1, mediaType: 1, mediaSource: 1, priceLine, priceTable: 1, value })
const audit = (...selections: [string, number][]) => {
  const rows = [
    'ST*001*0001',
    'ID1*X*Y*1',
    'ID4*2*978*EUR',
    'VA1*120*1*120*1',
    ...selections.flatMap(([selection, price]) => [`PA1*${selection}*${price}`, 'PA2*1*120*1*120']),
  ]
  return device.audit([...rows, `SE*${rows.length + 1}*0001`].join('\r\n'))
}

test('a sale of line 4 is charged at the selection that the machine reports as 04', async () => {
  await report('04')
  await sell(4, 110)
  expect(await prices()).toEqual({ '04': [100, null, 110] })
})

test('a machine with 4 and 04 has two selections, and a sale of line 4 is of 4', async () => {
  await report('4', '04')
  await sell(4, 110)
  expect(await prices()).toEqual({ 4: [100, null, 110], '04': [100, null, null] })
})

test('an audit that writes 04 shows the price of the selection that the machine reports as 4', async () => {
  await report('4', 'A4')
  await audit(['04', 120], ['A4', 130], ['77', 140])
  expect(await prices()).toEqual({ 4: [100, 120, null], A4: [100, 130, null], 77: [null, 140, null] })
})

test('a sale of line 4 lowers the managed stock of 04', async () => {
  const level = async () =>
    (await admin.listStock({ params: params(), query: {} })).items.map((row) => [row.selection, row.level])
  await device.say('stock', { levels: [{ selection: '04', level: 6, capacity: 10, stockType: 2 }] })
  await admin.setManageStock({ params: params(), body: { manageStock: true, stockCountedBy: 'portal' } })
  await sell(4, 100)
  await sell(4, 100)
  expect(await level()).toEqual([['04', 4]])
  const { items } = await admin.listStockMovements({ params: params(), query: { kinds: ['sale'] } })
  expect(items.map(({ selection, amount }) => [selection, amount])).toEqual([
    ['04', -1],
    ['04', -1],
  ])
})
