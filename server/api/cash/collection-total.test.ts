import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CollectionDetail, Pieces } from '#contract/cash/collection.ts'
import { openCollection, type SourceReport } from '#database/cash/collection.ts'
import { comparedWith } from '#domain/cash/collection-total.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { textsOfPdf } from '#testkit/pdf-text.ts'

const hour = 3_600_000
const start = Math.floor(Date.now() / hour) * hour - 6 * 24 * hour
const at = (hours: number) => new Date(start + hours * hour)

let api: TestApi
let merchantId: string
let user: TestUser
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_settings set collection_tolerance = 100000000 where merchant_id = $1', [
    merchantId,
  ])
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(user)
})
afterAll(() => api.close())

const note = (machine: TestMachine, report: Omit<SourceReport, 'merchantId' | 'machineId'>) =>
  api.database.withTenant([{ merchantId, groups: 'all' }], (db) =>
    openCollection(db, { merchantId, machineId: machine.id, ...report }),
  )

interface Report {
  box: number
  pieces: Pieces[]
  accepted: Pieces[]
}

async function aReport(machine: TestMachine, hours: number, { box, pieces, accepted }: Report): Promise<string> {
  const id = randomUUIDv7()
  await api.database.admin(
    `insert into cash_readings (merchant_id, at, id, machine_id, saved_at, box, box_pieces, tubes, recyclers, accepted, rejected)
     values ($1, $2, $3, $4, now(), $5, $6, '[]', '[]', $7, '[]')`,
    [merchantId, at(hours), id, machine.id, box, JSON.stringify(pieces), JSON.stringify(accepted)],
  )
  return id
}

const listed = async (machine: TestMachine) => {
  const { items } = await admin.listCashCollections({ params: { merchantId }, query: { posIds: [machine.id] } })
  return items[0] as (typeof items)[number]
}
const detail = (collectionId: string) => admin.getCashCollection({ params: { merchantId, collectionId } })

/** Lines and rest of both sides are their totals, and the list has the same figures. */
async function agrees(machine: TestMachine): Promise<CollectionDetail> {
  const row = await listed(machine)
  const collection = await detail(row.id)
  for (const side of ['audited', 'transmitted'] as const) {
    const total = collection.lines.reduce((sum, line) => sum + line.value * (line[side] ?? 0), 0)
    if (collection[side] === null) expect([side, total, collection.rest[side]]).toEqual([side, 0, null])
    else expect([side, total + (collection.rest[side] ?? Number.NaN)]).toEqual([side, collection[side]])
    expect(row[side]).toBe(collection[side])
  }
  expect(collection.comparedWith).toBe(comparedWith(collection))
  expect(collection.expected).toBe(collection.comparedWith && collection[collection.comparedWith])
  expect(row).toMatchObject({ expected: collection.expected, difference: collection.difference })
  return collection
}

const pieces = fc.uniqueArray(
  fc.record({ value: fc.constantFrom(10, 50, 100, 500), count: fc.integer({ min: 1, max: 20 }) }),
  { selector: ({ value }) => value },
)
const report = fc.record({ box: fc.integer({ min: 0, max: 12_000 }), pieces, accepted: pieces })
const course = fc.record({
  hasPrevious: fc.boolean(),
  before: fc.option(report),
  sold: fc.option(fc.integer({ min: 1, max: 900 })),
  amount: fc.option(fc.integer({ min: 0, max: 12_000 })),
  after: fc.option(report),
  counted: pieces,
})

test('for every source and at each state, lines and rest of a collection are its total', async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ hasPrevious, before, sold, amount, after, counted }) => {
      const machine = await aMachine(api.database, merchantId)
      if (hasPrevious) await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(0) })
      if (before) await aReport(machine, 20, before)
      if (sold !== null) await aSale(api.database, machine, { created_at: at(21), value: sold })
      if (amount !== null) await note(machine, { source: 'sale', sourceId: randomUUIDv7(), at: at(24), amount })
      else await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(24) })
      if (before && after) {
        const sourceId = await aReport(machine, 24.01, after)
        await note(machine, { source: 'reading', sourceId, at: at(24.01), since: at(20) })
      }
      const open = await agrees(machine)
      const params = { merchantId, collectionId: open.id }
      await admin.countCashCollection({ params, body: { version: open.version, pieces: counted } })
      const isCounted = await agrees(machine)
      expect(isCounted.lines.map(({ transmitted }) => transmitted)).toEqual(
        open.lines.map(({ transmitted }) => transmitted),
      )
      await admin.closeCashCollection({ params, body: { version: isCounted.version, note: 'ok' } })
      const closed = await agrees(machine)
      expect(closed).toMatchObject({
        transmitted: open.transmitted,
        rest: open.rest,
        transmittedPieces: open.transmittedPieces,
      })
      // A late report changes nothing of what is closed.
      await aReport(machine, 22, { box: 99_999, pieces: [{ value: 500, count: 7 }], accepted: [] })
      expect(await agrees(machine)).toMatchObject({ transmitted: closed.transmitted, lines: closed.lines })
    }),
    { numRuns: isFullRun ? 60 : 4 },
  )
})

/** A collection of 60.00: 40.00 of them in the last report, by denomination. */
async function aPartlyKnown() {
  const machine = await aMachine(api.database, merchantId)
  await note(machine, { source: 'visit', sourceId: randomUUIDv7(), at: at(0) })
  await aReport(machine, 20, { box: 4000, pieces: [{ value: 500, count: 8 }], accepted: [] })
  await note(machine, { source: 'sale', sourceId: randomUUIDv7(), at: at(24), amount: 6000 })
  return machine
}

test('the part of the total after the last report is shown as not by denomination, and no line claims a difference', async () => {
  const machine = await aPartlyKnown()
  const collection = await agrees(machine)
  expect(collection).toMatchObject({
    transmitted: 6000,
    transmittedBasis: 'transaction',
    rest: { transmitted: 2000 },
    transmittedPieces: { from: 'box', at: at(20).toISOString().slice(0, -1) },
    comparedWith: 'transmitted',
  })
  expect(collection.lines.filter(({ transmitted }) => transmitted)).toMatchObject([{ value: 500, transmitted: 8 }])
})

test('of two reports in one second, the pieces are those of the later one by the machine’s numbers', async () => {
  for (const order of [
    [5, 6],
    [6, 5],
  ]) {
    const machine = await aMachine(api.database, merchantId)
    for (const seq of order) {
      const count = seq === 6 ? 11 : 10
      const id = await aReport(machine, 20, { box: count * 200, pieces: [{ value: 200, count }], accepted: [] })
      await api.database.admin('update cash_readings set epoch = 1, seq = $2 where id = $1', [id, seq])
    }
    await note(machine, { source: 'sale', sourceId: randomUUIDv7(), at: at(20), amount: 2200 })
    expect(await agrees(machine)).toMatchObject({ transmitted: 2200, rest: { transmitted: 0 } })
  }
})

test('receipt, list and file have the total of the page, and the receipt its part without denominations', async () => {
  const machine = await aPartlyKnown()
  const { id, version } = await detail((await listed(machine)).id)
  await admin.countCashCollection({
    params: { merchantId, collectionId: id },
    body: { version, pieces: [{ value: 500, count: 12 }] },
  })
  const receipt = await api.send(
    'getCashCollectionReceipt',
    { params: { merchantId, collectionId: id }, query: { language: 'en' } },
    user,
  )
  const text = textsOfPdf(receipt.rawPayload)
    .map((word) => word.trim())
    .join(' ')
  // Twelve notes were counted and eight reported. That is no difference: four may have come after the report.
  expect(text).toContain('5,00 – 8 12 – 60,00')
  expect(text).toContain('Not by denomination – 20,00 – – Total – 60,00 60,00 0,00')
  expect(text).toContain('The count is compared with the transmitted amount.')
  const file = await api.send(
    'exportShown',
    {
      params: { merchantId },
      body: {
        list: 'cashCollections',
        format: 'csv',
        columns: ['transmitted', 'counted', 'difference'],
        filter: { posIds: [machine.id] },
        language: 'en',
      },
    },
    user,
  )
  expect(file.body).toContain('60.00,60.00,0.00')
})
