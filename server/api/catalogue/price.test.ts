import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { PriceEdit } from '#contract/catalogue/price.ts'
import { mostPrices } from '#contract/commands/command-parameters.ts'
import { mostPrice } from '#contract/vocabulary/catalogue/price.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDevice } from '#testkit/machines/device.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let gateway: TestGateway
let merchantId: string
let admin: TestClient
let other: TestClient
let machine: TestMachine
let device: ReturnType<typeof aDevice>
beforeAll(async () => {
  api = await openTestApi()
  gateway = await openGateway(api.database)
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  other = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await gateway?.stop()
  await api?.close()
})
beforeEach(async () => {
  machine = await aMachine(api.database, merchantId)
  device = aDevice(gateway, machine)
})

const here = () => ({ params: { merchantId, posId: machine.id } })
const listPrices = (query: object = {}) => admin.listPrices({ ...here(), query })
const priceOf = async (selection: string, priceTable = 1) => {
  const { items } = await listPrices({ size: 500 })
  return items.find((row) => row.selection === selection)?.prices.find((price) => price.priceTable === priceTable)
}
const edit = (selection: string, before: number | null, price: number | null, priceTable = 1): PriceEdit => ({
  selection,
  priceTable,
  before,
  price,
})
const save = (edits: PriceEdit[], by = admin) => by.updatePrices({ ...here(), body: { edits } })
const report = (selection: string, price: number, priceTable = 1) =>
  device.say('prices', { prices: [{ selection, priceTable, price }] })
/** The machine claims a command, applies it, and reports its result. */
async function execute(commandId: string, outcome = 'success') {
  expect(await device.claim(commandId)).toBe(true)
  await device.say('result', { commandId, outcome })
}

test('a machine without prices has an empty list', async () => {
  expect(await listPrices()).toEqual({
    items: [],
    total: 0,
    capped: false,
    priceTables: [],
    differing: 0,
    summary: { sync: 0, pending: 0, editedOnDevice: 0, chargedOtherwise: 0, unsent: 0, command: null },
  })
})

test('prices are listed by selection, different tables apart, with the names of the stock', async () => {
  await device.say('stock', {
    levels: [
      { selection: '2', level: 9, capacity: 10, product: 'Water' },
      { selection: '12', level: 0, capacity: 10, product: 'Cola' },
    ],
  })
  await device.say('prices', {
    prices: [
      { priceTable: 1, selection: '12', price: 130, product: 'Cola' },
      { priceTable: 2, selection: '12', price: 120 },
      { priceTable: 8, selection: '12', price: 130 },
      { priceTable: 1, selection: '2', price: 60 },
      { priceTable: 2, selection: '2', price: 60 },
      { priceTable: 3, selection: '7', price: 60, gone: true },
    ],
  })
  const answer = await listPrices()
  expect(answer).toMatchObject({ total: 2, priceTables: [1, 2, 8], differing: 1 })
  expect(answer.items).toMatchObject([
    { selection: '2', product: 'Water', currency: 'EUR', isDiffering: false, sync: 'none' },
    {
      selection: '12',
      product: 'Cola',
      isDiffering: true,
      prices: [
        { priceTable: 1, reported: { price: 130 }, wanted: null },
        { priceTable: 2, reported: { price: 120 } },
        { priceTable: 8, reported: { price: 130 } },
      ],
    },
  ])
  expect(await listPrices({ differing: 'true' })).toMatchObject({ total: 1, priceTables: [1, 2, 8] })
  expect((await listPrices({ search: 'wat' })).items).toMatchObject([{ selection: '2' }])
})

test('a selection shows the product that the reported name is mapped to', async () => {
  const productId = await aProduct(api.database, merchantId, { name: 'Espresso 100 % Arabica' })
  await aProductCode(api.database, machine, { code: 'ESPR 1', product_id: productId })
  await device.say('prices', { prices: [{ priceTable: 1, selection: '1', price: 60, product: 'ESPR 1' }] })
  expect((await listPrices()).items).toMatchObject([{ product: 'Espresso 100 % Arabica', productId }])
})

test('a price is edited, sent, applied and in sync only after the machine’s own report', async () => {
  await report('11', 100)
  expect(await save([edit('11', null, 120)])).toEqual({ saved: 1, conflicts: [] })
  expect(await priceOf('11')).toMatchObject({ wanted: 120, reported: { price: 100 }, sent: null, sync: 'pending' })
  expect(await listPrices()).toMatchObject({ summary: { pending: 1, unsent: 1, command: null } })

  const { commandId, sent, left } = await admin.sendPrices(here())
  expect([sent, left]).toEqual([1, 0])
  expect(await priceOf('11')).toMatchObject({ sent: { price: 120 }, sync: 'pending' })
  expect(await device.commands()).toMatchObject([
    { id: commandId, parameters: { prices: [{ selection: '11', priceTable: 1, price: 120 }] } },
  ])
  await expect(admin.sendPrices(here())).rejects.toMatchObject({ code: 'NothingToSend' })

  await execute(commandId)
  expect(await priceOf('11')).toMatchObject({ sync: 'pending' })
  expect(await listPrices()).toMatchObject({ summary: { unsent: 0, command: { id: commandId, status: 2, result: 0 } } })
  await report('11', 120)
  expect(await priceOf('11')).toMatchObject({ reported: { price: 120 }, sync: 'sync' })
  await expect(admin.sendPrices(here())).rejects.toMatchObject({ code: 'NothingToSend' })

  await report('11', 110)
  expect(await priceOf('11')).toMatchObject({ sync: 'editedOnDevice' })
  expect(await listPrices({ syncs: ['editedOnDevice'] })).toMatchObject({ total: 1, summary: { unsent: 1 } })
  expect(await admin.sendPrices(here())).toMatchObject({ sent: 1 })
})

test('at a merchant who waits for audits only an audit brings prices in sync', async () => {
  const confirmBy = (sync: string) =>
    api.database.admin('update merchant_settings set prices_sync = $2 where merchant_id = $1', [merchantId, sync])
  await confirmBy('afterAudit')
  onTestFinished(async () => void (await confirmBy('immediate')))
  await report('11', 100)
  await save([edit('11', null, 120)])
  const { commandId } = await admin.sendPrices(here())
  await execute(commandId)
  await report('11', 120)
  expect(await priceOf('11')).toMatchObject({ sync: 'pending' })
})

test('two users who edit one price: the second gets the first’s price and name, and the rest is saved', async () => {
  await save([edit('11', null, 120), edit('12', null, 80)])
  const [one, two] = await Promise.all([
    save([edit('11', 120, 130)]),
    save([edit('11', 120, 140), edit('12', 80, 90)], other),
  ])
  const conflicts = [...one.conflicts, ...two.conflicts]
  expect(conflicts).toHaveLength(1)
  const price = await priceOf('11')
  expect(conflicts[0]).toMatchObject({ selection: '11', priceTable: 1, current: price?.wanted })
  expect(conflicts[0]?.changedBy).toBeTypeOf('string')
  expect(await priceOf('12')).toMatchObject({ wanted: 90 })
  // Saving what is there already is no conflict: only the answer of the first call was lost.
  expect(await save([edit('12', 80, 90)])).toEqual({ saved: 1, conflicts: [] })
})

test('the history says who changed which price, and when the machine did', async () => {
  await report('11', 100)
  await save([edit('11', null, 120)])
  await save([edit('11', 120, null)])
  const { items } = await admin.listPriceChanges({ ...here(), query: {} })
  expect(items).toMatchObject([
    { selection: '11', source: 'edit', before: 120, after: null },
    { selection: '11', source: 'edit', before: null, after: 120, currency: 'EUR' },
  ])
  expect(items[0]?.changedBy).toBeTypeOf('string')
  expect(await admin.listPriceChanges({ ...here(), query: { sources: ['device'] } })).toMatchObject({ total: 0 })
  expect(await admin.listPriceChanges({ ...here(), query: { search: '11x' } })).toMatchObject({ total: 0 })
})

test('an edit and a send are in the change log', async () => {
  await save([edit('11', null, 120)])
  await admin.sendPrices(here())
  const rows = await api.database.admin(
    `select action, subject_type, after from change_log where merchant_id = $1
       and (subject_id = $2 or after ->> 'posId' = $2) order by at`,
    [merchantId, machine.id],
  )
  expect(rows).toMatchObject([
    {
      action: 'price.update',
      subject_type: 'price',
      after: { prices: [{ selection: '11', priceTable: 1, price: 120 }] },
    },
    { action: 'remoteCommand.send', subject_type: 'remoteCommand', after: { type: 10 } },
  ])
})

test('prices beyond those of one command stay for the next', async () => {
  await save(Array.from({ length: mostPrices + 20 }, (_, n) => edit(String(n + 1), null, 100)))
  const { commandId, sent, left } = await admin.sendPrices(here())
  expect([sent, left]).toEqual([mostPrices, 20])
  await expect(admin.sendPrices(here())).rejects.toMatchObject({ code: 'RemoteCommandPending' })
  await execute(commandId)
  expect(await admin.sendPrices(here())).toMatchObject({ sent: 20, left: 0 })
})

test('a command stays within 64 KB, whatever letters its selections have', async () => {
  const name = (n: number) => `${'漢'.repeat(17)}${String(n).padStart(3, '0')}`
  await save(Array.from({ length: mostPrices * 2 }, (_, n) => edit(name(n), null, 1_000_000)))
  const { commandId, sent } = await admin.sendPrices(here())
  expect(sent).toBeGreaterThan(100)
  const [command] = await device.commands()
  expect(command?.id).toBe(commandId)
  expect(Buffer.byteLength(JSON.stringify(command))).toBeLessThanOrEqual(65_536)
})

test('prices on their way are cancelled, and what was sent before counts again', async () => {
  await device.say('stock', { levels: ['11', '12', '13'].map((selection) => ({ selection, level: 5, capacity: 10 })) })
  await report('11', 100)
  await save([edit('11', null, 120), edit('12', null, 50)])
  const { commandId } = await admin.sendPrices(here())
  await execute(commandId)
  await report('11', 120)
  await save([edit('11', 120, 130), edit('13', null, 60)])
  await admin.sendPrices(here())
  expect(await priceOf('11')).toMatchObject({ sent: { price: 130 } })
  await admin.cancelPrices(here())
  expect(await priceOf('11')).toMatchObject({ wanted: 130, sent: { price: 120 }, sync: 'pending' })
  expect(await priceOf('13')).toMatchObject({ wanted: 60, sent: null, sync: 'pending' })
  expect(await listPrices()).toMatchObject({ summary: { unsent: 2 } })
  await expect(admin.cancelPrices(here())).rejects.toMatchObject({ code: 'NothingToSend' })
  expect(await admin.sendPrices(here())).toMatchObject({ sent: 2 })
})

test('a cancel and a claim at once have one winner, in 20 races', async () => {
  const wins = { cancelled: 0, claimed: 0 }
  for (let round = 0; round < 20; round++) {
    await save([edit('11', round === 0 ? null : 100 + round - 1, 100 + round)])
    const { commandId } = await admin.sendPrices(here())
    const [isCancelled, isClaimed] = await Promise.all([
      admin.cancelPrices(here()).then(
        () => true,
        (error: { code: string }) => {
          expect(error.code).toBe('RemoteCommandNotCancellable')
          return false
        },
      ),
      device.claim(commandId),
    ])
    expect(isClaimed).toBe(!isCancelled)
    const price = await priceOf('11')
    if (isCancelled) {
      wins.cancelled += 1
      expect(price?.sent?.price).not.toBe(100 + round)
    } else {
      wins.claimed += 1
      expect(price?.sent?.price).toBe(100 + round)
      await device.say('result', { commandId, outcome: 'success' })
    }
  }
  expect(wins.cancelled + wins.claimed).toBe(20)
})

test('a machine that moved to another merchant is not found, and its commands and prices are not the new merchant’s', async () => {
  await report('11', 100)
  await save([edit('11', null, 120)])
  await admin.sendPrices(here())
  await admin.deleteMachine(here())
  for (const call of [
    () => admin.sendPrices(here()),
    () => admin.cancelPrices(here()),
    () => save([edit('11', 120, 130)]),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'MachineNotFound' })
  // It was still on its way, so it was cancelled.
  const [command] = await api.database.admin('select result from remote_commands where machine_id = $1', [machine.id])
  expect(command).toEqual({ result: -3 })
  const buyer = (await aMerchant(api.database)).id
  await api.database.admin('delete from machine_directory where serial = $1', [machine.serial])
  const moved = await aMachine(api.database, buyer, { serial: machine.serial })
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: buyer, groups: 'all' }]))
  const there = { params: { merchantId: buyer, posId: moved.id } }
  expect(await reader.listPrices({ ...there, query: {} })).toMatchObject({ total: 0, summary: { command: null } })
  await expect(reader.sendPrices({ params: { merchantId: buyer, posId: machine.id } })).rejects.toMatchObject({
    code: 'MachineNotFound',
  })
})

test.each([
  ['−1', edit('11', null, -1)],
  ['2^53', edit('11', null, 2 ** 53)],
  ['three decimals in EUR, one in CLP', edit('11', null, 120.5)],
  ['beyond the largest price', edit('11', null, mostPrice + 1)],
  ['of price table 9', edit('11', null, 100, 9)],
  ['of a selection without a name', edit(' ', null, 100)],
  ['text', { ...edit('11', null, 100), price: '1.20' as unknown as number }],
])('a price %s is refused', async (_, bad) => {
  await expect(save([edit('12', null, 100), bad])).rejects.toMatchObject({ code: 'ValidationFailed' })
  expect(await listPrices()).toMatchObject({ total: 0 })
})

test('one price twice in one edit is refused, and so are 10,000 prices', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => edit(String(at), null, 100))
  await expect(save(many)).rejects.toMatchObject({ status: expect.toBeOneOf([400, 413]) })
  await expect(save([edit('11', null, 100), edit('11', null, 110)])).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('the wizard’s command notes its prices too, for all tables where it names none', async () => {
  await report('11', 100)
  await report('11', 90, 2)
  const ids = [machine.id]
  const order = { type: 10 as const, parameters: { prices: [{ selection: '11', price: 110 }] } }
  await admin.sendRemoteCommand({ params: { merchantId }, body: { machines: { ids }, order } })
  expect(await priceOf('11')).toMatchObject({ sent: { price: 110 }, sync: 'none' })
  expect(await priceOf('11', 2)).toMatchObject({ sent: { price: 110 } })
})

test('one selection is found exactly, in prices and in their history, and its command says when the machine claimed it', async () => {
  await save([edit('1', null, 100), edit('12', null, 110), edit('121', null, 120)])
  const selections = ['12']
  expect((await listPrices({ selections })).items.map(({ selection }) => selection)).toEqual(selections)
  const { items } = await admin.listPriceChanges({ ...here(), query: { selections } })
  expect(items.map(({ selection }) => selection)).toEqual(selections)
  const { commandId } = await admin.sendPrices(here())
  const startedAt = async () => (await listPrices()).summary.command?.startedAt
  expect(await startedAt()).toBeNull()
  expect(await device.claim(commandId)).toBe(true)
  expect(await startedAt()).not.toBeNull()
})

test('a target for a selection that the machine does not have is refused, also with another case', async () => {
  await device.say('prices', { prices: [{ selection: 'A1', priceTable: 1, price: 100 }] })
  for (const selection of ['a1', '99'])
    await expect(save([edit('A1', null, 110), edit(selection, null, 110)])).rejects.toMatchObject({
      code: selection === 'a1' ? 'ValidationFailed' : 'SelectionsNotFound',
    })
  await expect(save([edit('a1', null, 110)])).rejects.toMatchObject({
    code: 'SelectionsNotFound',
    facts: { selections: 'a1' },
  })
  expect(await save([edit('A1', null, 110)])).toMatchObject({ saved: 1 })
})
