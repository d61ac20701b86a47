import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { lockJournals } from '../ingest/journal.ts'
import { openCollection, type SourceReport } from './collection.ts'

type Report = Omit<SourceReport, 'merchantId' | 'machineId'>
const at = (time: string) => new Date(`2026-03-${time}:00Z`)
const reports: readonly Report[] = [
  { source: 'visit', sourceId: randomUUIDv7(), at: at('02T08:00'), bagNumber: 'A' },
  { source: 'sale', sourceId: randomUUIDv7(), at: at('02T08:03'), amount: 4200 },
  { source: 'sale', sourceId: randomUUIDv7(), at: at('02T08:04'), amount: 1000 },
  { source: 'audit', sourceId: randomUUIDv7(), at: at('02T08:05') },
  { source: 'visit', sourceId: randomUUIDv7(), at: at('02T15:00'), bagNumber: 'B' },
  { source: 'reading', sourceId: randomUUIDv7(), at: at('03T03:00'), since: at('02T09:00') },
  { source: 'audit', sourceId: randomUUIDv7(), at: at('09T10:00') },
]

const open = (database: TestDatabase, { merchantId, id: machineId }: TestMachine, report: Report) =>
  database.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await lockJournals(db, [{ merchantId, id: machineId }])
    return openCollection(db, { merchantId, machineId, ...report })
  })

const stored = (database: TestDatabase, machine: TestMachine) =>
  database.admin(
    `select c.at, c.until, c.bag_number, c.reported_total::int, array_agg(s.source order by s.at) as sources
     from collections c left join collection_sources s on s.merchant_id = c.merchant_id and s.collection_id = c.id
     where c.machine_id = $1 group by c.id, c.at, c.until, c.bag_number, c.reported_total order by c.at`,
    [machine.id],
  )

test('the same reports in any order and repeated make the same collections', async () => {
  const database = await aDatabase()
  const { id } = await aMerchant(database)
  const expected = [
    {
      at: at('02T08:03'),
      until: at('02T08:05'),
      bag_number: 'A',
      reported_total: 5200,
      sources: ['visit', 'sale', 'sale', 'audit'],
    },
    {
      at: at('02T15:00'),
      until: at('02T15:00'),
      bag_number: 'B',
      reported_total: null,
      sources: ['visit', 'reading'],
    },
    { at: at('09T10:00'), until: at('09T10:00'), bag_number: null, reported_total: null, sources: ['audit'] },
  ]
  const orders = [
    [0, 1, 2, 3, 4, 5, 6],
    [6, 5, 4, 3, 2, 1, 0],
    [3, 5, 1, 6, 0, 4, 2],
    [5, 0, 3, 4, 2, 6, 1],
  ]
  for (const order of orders) {
    // The source's ids are unique in a merchant.
    const { id: merchantId } = await aMerchant(database)
    const machine = await aMachine(database, merchantId)
    for (const index of order) {
      const report = reports[index] as Report
      const first = await open(database, machine, report)
      expect(await open(database, machine, report)).toBe(first)
    }
    expect(await stored(database, machine), order.join(' ')).toEqual(expected)
  }
  const machine = await aMachine(database, id)
  await Promise.all(reports.flatMap((report) => [open(database, machine, report), open(database, machine, report)]))
  expect(await stored(database, machine)).toEqual(expected)
})

test('a counted collection keeps its bag, and a late report of the same event joins it', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const visit = await open(database, machine, reports[0] as Report)
  await database.admin(`update collections set status = 'counted', counted = '[]' where id = $1`, [visit])
  expect(await open(database, machine, reports[3] as Report)).toBe(visit)
  const other = { source: 'visit', sourceId: randomUUIDv7(), at: at('02T08:06'), bagNumber: 'C' } as const
  const second = await open(database, machine, other)
  expect(second).not.toBe(visit)
  expect((await stored(database, machine)).map(({ bag_number }) => bag_number)).toEqual(['A', 'C'])
})
