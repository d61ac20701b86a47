import { createHash, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCollection, type SourceReport } from '#database/cash/collection.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAudit, anInterval, aSale } from '#testkit/machines/machine-data.ts'

const hour = 3_600_000
const start = Math.floor(Date.now() / hour) * hour - 12 * 24 * hour
/** Hours after the start, twelve days ago. */
const at = (hours: number) => new Date(start + hours * hour)

let api: TestApi
let merchantId: string
let admin: TestClient
let counter: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  counter = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

/** An audit: coins of 1.00 in the box and notes of 5.00 since the machine's beginning. */
async function aRead(machine: TestMachine, hours: number, coins: number, notes: number): Promise<string> {
  const raw = writeAudit({
    serial: machine.serial,
    model: 'M',
    software: '1',
    decimals: 2,
    currency: 'EUR',
    time: '2026-01-01T00:00:00',
    selections: [{ selection: '11', price: 100, count: coins, value: coins * 100 }],
    cash: { count: coins, value: coins * 100, in: { toBox: coins * 100, toTubes: 0, bills: notes * 500 } },
    coins: [{ value: 100, toBox: coins, toTubes: 0, dispensed: 0 }],
    bills: [{ value: 500, count: notes }],
  })
  const content = JSON.stringify(readAudit(raw, { fallback: 'EUR' }))
  const sha256 = createHash('sha256').update(raw).update(String(hours)).digest()
  return anInterval(
    api.database,
    machine,
    await anAudit(api.database, machine, { read_at: at(hours), content, sha256 }),
  )
}

const note = (machine: TestMachine, report: Omit<SourceReport, 'merchantId' | 'machineId'>) =>
  api.database.withTenant([{ merchantId, groups: 'all' }], (db) =>
    openCollection(db, { merchantId, machineId: machine.id, ...report }),
  )
const collect = async (machine: TestMachine, hours: number, coins: number, notes: number, bagNumber?: string) => {
  const sourceId = await aRead(machine, hours, coins, notes)
  await note(machine, { source: 'audit', sourceId, at: at(hours) })
  if (bagNumber) await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(hours - 0.1), bagNumber })
}
const listed = (machine: TestMachine, query: object = {}) =>
  admin.listCashCollections({ params: { merchantId }, query: { posIds: [machine.id], ...query } })
const of = (collectionId: string) => ({ params: { merchantId, collectionId } })
const euros = (count: number) => [{ value: 100, count }]

/** A machine with a first collection, and a second one of 30 coins and 4 notes. */
async function aCollected(bagNumber = randomUUIDv7().slice(-12)) {
  const machine = await aMachine(api.database, merchantId)
  await collect(machine, 0, 100, 10)
  await collect(machine, 48, 130, 14, bagNumber)
  const [collection] = (await listed(machine)).items
  return { machine, bagNumber, id: collection?.id ?? '' }
}

test('the audited money of all collections is what the counters moved, whenever audits arrive', async () => {
  const machine = await aMachine(api.database, merchantId)
  await collect(machine, 0, 100, 10)
  await collect(machine, 96, 200, 20)
  await aRead(machine, 24, 120, 10)
  // A late collection between two known ones takes its part from the later one.
  await collect(machine, 48, 150, 15)
  await aRead(machine, 60, 160, 16)
  const { items } = await listed(machine)
  // Nothing is known of the time before the first collection.
  expect(items[2]).toMatchObject({ transmitted: null, transmittedBasis: null, expected: null, difference: null })
  expect(items.map(({ audited, isAuditExact }) => [audited, isAuditExact])).toEqual([
    [5000 + 2500, true],
    [5000 + 2500, true],
    [null, false],
  ])
  const detail = await admin.getCashCollection(of(items[0]?.id ?? ''))
  expect(detail.lines.filter(({ audited }) => audited)).toMatchObject([
    { value: 100, kind: 'coin', audited: 50 },
    { value: 500, kind: 'note', audited: 5 },
  ])
})

test('transmitted money is the machine’s own amount, else the last cash report and the sales after it', async () => {
  const machine = await aMachine(api.database, merchantId)
  const report = (hours: number, box: number, accepted: object[], tubes: object[] = []) =>
    api.database.admin(
      `insert into cash_readings (merchant_id, at, id, machine_id, saved_at, box, tubes, recyclers, accepted, rejected)
       values ($1, $2, $3, $4, now(), $5, $6, '[]', $7, '[]')`,
      [merchantId, at(hours), randomUUIDv7(), machine.id, box, JSON.stringify(tubes), JSON.stringify(accepted)],
    )
  await note(machine, { source: 'sale', sourceId: randomUUIDv7(), at: at(0), amount: 9900 })
  await report(
    24,
    4000,
    [
      { value: 200, count: 10 },
      { value: 50, count: 7 },
    ],
    [{ value: 50, count: 20 }],
  )
  await aSale(api.database, machine, { created_at: at(25), value: 150 })
  await aSale(api.database, machine, { created_at: at(25.5), value: 200, media_type: 5 })
  await aSale(api.database, machine, { created_at: at(26), value: 100, type: 6 })
  await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(27), bagNumber: 'T1' })
  await aSale(api.database, machine, { created_at: at(30), value: 700 })
  await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(60), bagNumber: 'T2' })
  const { items } = await listed(machine)
  expect(items.map(({ transmitted, transmittedBasis }) => [transmitted, transmittedBasis])).toEqual([
    [700, 'sales'],
    [4000 + 150 - 100, 'reading'],
    [9900, 'transaction'],
  ])
  const { lines } = await admin.getCashCollection(of(items[1]?.id ?? ''))
  // Coins that a tube also takes are not known.
  expect(lines.filter(({ transmitted }) => transmitted !== null)).toMatchObject([{ value: 200, transmitted: 10 }])
  // A machine that reports the pieces of its box says it itself.
  await api.database.admin(`update cash_readings set box_pieces = '[{"value":50,"count":80}]' where machine_id = $1`, [
    machine.id,
  ])
  const collection = await admin.getCashCollection(of(items[1]?.id ?? ''))
  expect(collection.lines.filter(({ transmitted }) => transmitted !== null)).toMatchObject([
    { value: 50, transmitted: 80 },
  ])
})

test('a bag is found by its number, counted, disputed, closed and reopened, and each step is logged', async () => {
  const { machine, id, bagNumber } = await aCollected()
  const page = await counter.listCashCollections({
    params: { merchantId },
    query: { bagNumber: ` ${bagNumber.toUpperCase()}` },
  })
  expect(page.items).toMatchObject([{ id, status: 'open', expected: 5000, difference: null, tolerance: 100 }])
  const counted = await counter.countCashCollection({
    ...of(id),
    body: { version: 1, pieces: [...euros(20), { value: 500, count: 4 }, { value: 50, count: 0 }] },
  })
  expect(counted).toMatchObject({ status: 'counted', counted: 4000, difference: -1000, version: 2 })
  const early = admin.closeCashCollection({ ...of(id), body: { version: 2 } })
  await expect(early).rejects.toMatchObject({ code: 'DifferenceTooLarge', status: 409 })
  await counter.disputeCashCollection({ ...of(id), body: { version: 2, reason: '10 EUR missing' } })
  const without = admin.closeCashCollection({ ...of(id), body: { version: 3 } })
  await expect(without).rejects.toMatchObject({ code: 'ValidationFailed' })
  const may = counter.closeCashCollection({ ...of(id), body: { version: 3, note: 'Found' } })
  await expect(may).rejects.toMatchObject({ status: 403 })
  const closed = await admin.closeCashCollection({ ...of(id), body: { version: 3, note: 'Coin jam' } })
  expect(closed).toMatchObject({ status: 'closed', note: 'Coin jam', disputeReason: '10 EUR missing', late: null })
  const again = counter.countCashCollection({ ...of(id), body: { version: 4, pieces: euros(1) } })
  await expect(again).rejects.toMatchObject({ code: 'CollectionClosed' })
  // A late audit parts the interval and changes nothing; late counters would.
  await aRead(machine, 24, 110, 12)
  expect(await admin.getCashCollection(of(id))).toMatchObject({ audited: 5000, late: null })
  await api.database.admin(`update audit_intervals set to_box = to_box + 300 where machine_id = $1 and ends_at = $2`, [
    machine.id,
    at(48),
  ])
  expect(await admin.getCashCollection(of(id))).toMatchObject({ audited: 5000, late: { audited: 5300 } })
  const reopened = await admin.reopenCashCollection({ ...of(id), body: { version: 4, reason: 'New audit' } })
  expect(reopened).toMatchObject({ status: 'counted', audited: 5300, closedAt: null, version: 5 })
  const { items } = await admin.listChangeLog({ params: { merchantId }, query: { subjectId: id } })
  expect(items.map(({ action }) => action)).toEqual(
    ['reopen', 'close', 'dispute', 'count'].map((step) => `collection.${step}`),
  )
})

test('of two users who count one bag, the second sees the count of the first', async () => {
  const { id } = await aCollected()
  const body = { version: 1, pieces: [...euros(30), { value: 500, count: 4 }] }
  await counter.countCashCollection({ ...of(id), body })
  const other = admin.countCashCollection({ ...of(id), body: { version: 1, pieces: euros(29) } })
  await expect(other).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { counted: 5000, version: 2 } },
  })
  // The same count again: its answer got lost.
  expect(await admin.countCashCollection({ ...of(id), body })).toMatchObject({ version: 2 })
  const closed = await counter.countCashCollection({ ...of(id), body: { ...body, version: 2, close: true } })
  expect(closed).toMatchObject({ status: 'closed', difference: 0, version: 3 })
})

test('a count of −1, of more than a million pieces, twice of one coin or in another currency is refused', async () => {
  const { id } = await aCollected()
  const wrong = [
    [{ value: 100, count: -1 }],
    [{ value: 100, count: 1_000_001 }],
    [...euros(1), ...euros(2)],
    [{ value: 25, count: 1 }],
    [{ value: 100, count: 1.5 }],
  ]
  for (const pieces of wrong) {
    const refused = counter.countCashCollection({ ...of(id), body: { version: 1, pieces } })
    await expect(refused, JSON.stringify(pieces)).rejects.toMatchObject({ code: 'ValidationFailed', status: 400 })
  }
  const most = await counter.countCashCollection({ ...of(id), body: { version: 1, pieces: euros(1_000_000) } })
  expect(most.counted).toBe(100_000_000)
})

test('a bag number can be typed, and stays whatever a visit says later', async () => {
  const machine = await aMachine(api.database, merchantId)
  await collect(machine, 0, 10, 0)
  const id = (await listed(machine)).items[0]?.id ?? ''
  await counter.setCashCollectionBag({ ...of(id), body: { version: 1, bagNumber: 'TYPED' } })
  await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(1), bagNumber: 'SCANNED' })
  expect((await listed(machine)).items).toMatchObject([{ id, bagNumber: 'TYPED' }])
  expect((await admin.getCashCollection(of(id))).sources.map(({ source }) => source)).toEqual(['audit', 'visit'])
})

test('collections of a deleted machine stay, with sums by currency and the cash still in boxes', async () => {
  const { machine, id } = await aCollected()
  await counter.countCashCollection({ ...of(id), body: { version: 1, pieces: euros(7) } })
  await api.database.admin(`update machines set deleted_at = now(), hidden = true where id = $1`, [machine.id])
  const full = await aMachine(api.database, merchantId, { columns: { cash_in_box: 4321 } })
  const { items, sums, inBoxes } = await listed(machine)
  expect(items).toHaveLength(2)
  expect(sums).toEqual([{ currency: 'EUR', open: 1, counted: 700 }])
  expect(inBoxes).toEqual([{ currency: 'EUR', machines: 1, value: 4321 }])
  await api.database.admin(`update machines set cash_in_box = null where id = $1`, [full.id])
})

test('a user of one group sees the collections of that group only', async () => {
  const groupId = await aGroup(api.database, merchantId)
  const inside = await aMachine(api.database, merchantId, { groupId })
  await collect(inside, 0, 10, 0)
  const { id } = await aCollected()
  const narrow = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }]))
  const { items } = await narrow.listCashCollections({ params: { merchantId } })
  expect(items.map(({ posId }) => posId)).toEqual([inside.id])
  await expect(narrow.getCashCollection(of(id))).rejects.toMatchObject({ code: 'CollectionNotFound' })
  await expect(narrow.countCashCollection({ ...of(id), body: { version: 1, pieces: [] } })).rejects.toMatchObject({
    code: 'CollectionNotFound',
  })
})

test('the receipt is a PDF named after the bag', async () => {
  const { id } = await aCollected('BAG-77')
  const answer = await api.send(
    'getCashCollectionReceipt',
    { ...of(id), query: { language: 'de' } },
    await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]),
  )
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.headers['content-disposition']).toContain('BAG-77.pdf')
  expect(answer.rawPayload.subarray(0, 4).toString()).toBe('%PDF')
})
