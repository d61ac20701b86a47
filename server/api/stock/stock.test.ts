import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
let gateway: TestGateway
let merchantId: string
let reader: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
  merchantId = (await aMerchant(api.database)).id
  reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})
beforeEach(async () => {
  machine = await aMachine(api.database, merchantId)
})

const listStock = (query: object = {}) => reader.listStock({ params: { merchantId, posId: machine.id }, query })
const selectionsIn = ({ items }: { items: readonly { selection: string }[] }) => items.map(({ selection }) => selection)

const at = () => new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')
let seq = 0
async function say(kind: 'stock', content: object): Promise<void> {
  const answer = await fetch(`${gateway.httpUrl}/device/v1/${machine.serial}/${kind}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: randomUUID(), at: at(), epoch: 1, items: [{ seq: ++seq, at: at(), ...content }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const levels = [
  { selection: '2', level: 9, capacity: 10, product: 'Water' },
  { selection: '12', level: 0, capacity: 10, product: 'Cola' },
  { selection: '101', level: 2, capacity: 10, product: 'Juice' },
  { selection: 'A3', level: 4, warningLevel: 4 },
  { selection: '7', level: 1, gone: true },
]

test('a machine without reports has no stock', async () => {
  expect(await listStock()).toEqual({
    items: [],
    total: 0,
    capped: false,
    totals: [],
    isManaged: false,
    countedBy: 'portal',
    differing: 0,
    waiting: [],
    summary: { out: 0, low: 0, inStock: 0 },
  })
})

test('empty selections come first, then low ones, in the machine’s order', async () => {
  await say('stock', { levels })
  const answer = await listStock()
  expect(answer.summary).toEqual({ out: 1, low: 2, inStock: 1 })
  expect(answer.items).toMatchObject([
    { selection: '12', status: 1, product: 'Cola', warningLevel: 2 },
    { selection: '101', status: 4, warningLevel: 2 },
    { selection: 'A3', status: 4, capacity: null, warningLevel: 4, product: null, refilledAt: null },
    { selection: '2', status: 9 },
  ])
  expect(selectionsIn(await listStock({ ord: 'selection' }))).toEqual(['2', '12', '101', 'A3'])
  expect(selectionsIn(await listStock({ ord: 'selection', ordType: 'DESC', size: 2 }))).toEqual(['A3', '101'])
  expect(selectionsIn(await listStock({ ord: 'product' }))).toEqual(['12', '101', '2', 'A3'])
  expect(selectionsIn(await listStock({ ord: 'product', ordType: 'DESC' }))).toEqual(['2', '101', '12', 'A3'])
})

test('stock can be filtered by level and searched by name', async () => {
  await say('stock', { levels })
  expect(selectionsIn(await listStock({ statuses: [1, 4] }))).toEqual(['12', '101', 'A3'])
  expect(selectionsIn(await listStock({ search: 'COLA' }))).toEqual(['12'])
  expect(await listStock({ search: 'cola', statuses: 9 })).toMatchObject({ items: [], total: 0, summary: { out: 1 } })
  await expect(listStock({ statuses: 5 })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a level has a unit, hot drinks in total or one price line, and can be filtered by it', async () => {
  await say('stock', {
    levels: [
      { ...levels[0], stockType: 2 },
      ...levels.slice(1),
      { selection: 'HOT', level: 300, capacity: 900, stockType: 1 },
    ],
  })
  const typesOf = async (query: object) =>
    (await listStock({ ord: 'selection', ...query })).items.map(({ selection, stockType }) => [selection, stockType])
  expect(await typesOf({})).toEqual([
    ['2', 2],
    ['12', null],
    ['101', null],
    ['A3', null],
    ['HOT', 1],
  ])
  expect(await typesOf({ stockTypes: 1 })).toEqual([['HOT', 1]])
  await expect(listStock({ stockTypes: 3 })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a merchant with vending and without product stock sees prices and no stock', async () => {
  const other = await aMerchant(api.database)
  await api.database.admin(
    `insert into merchant_features (merchant_id, features, product_families) values ($1, '{vending}', '{}')
     on conflict (merchant_id) do update set features = '{vending}'`,
    [other.id],
  )
  const posId = (await aMachine(api.database, other.id)).id
  const person = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: other.id, groups: 'all' }]))
  const call = { params: { merchantId: other.id, posId }, query: {} }
  await expect(person.listStock(call)).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
  expect(await person.listPrices(call)).toMatchObject({ total: 0 })
})

test('machines with a sold-out selection can be counted and found, by levels or by an alarm', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const person = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const aSeller = async (name: string, levels: object[], columns: object = {}) => {
    machine = await aMachine(api.database, ownMerchantId, { name, columns: { connection: 1, ...columns } })
    if (levels.length > 0) await say('stock', { levels })
    return machine
  }
  await aSeller('By level', [{ selection: '1', level: 0 }])
  await aSeller('Low', [{ selection: '1', level: 1, capacity: 10 }])
  await aSeller('Gone', [{ selection: '1', level: 0, gone: true }])
  await aSeller('Hidden', [{ selection: '1', level: 0 }], { hidden: true })
  await anAlarm(api.database, await aSeller('By alarm', []), { code: 'ELB_7', criticity: 2 })
  await anAlarm(api.database, await aSeller('Repaired', []), { code: 'ELB_7', status: 'repaired' })
  const call = (soldOut: 'true' | 'false') => ({
    params: { merchantId: ownMerchantId },
    query: { soldOut, ord: 'name' } as const,
  })
  const namesOf = async (soldOut: 'true' | 'false') =>
    (await person.listMachines(call(soldOut))).items.map(({ name }) => name)
  expect(await namesOf('true')).toEqual(['By alarm', 'By level'])
  expect(await namesOf('false')).toEqual(['Gone', 'Low', 'Repaired'])
  expect(await person.getDashboard({ params: { merchantId: ownMerchantId } })).toMatchObject({ soldOut: 2 })
})
