import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { anAudit } from '#testkit/machines/machine-data.ts'
import { fillIntervals, writeIntervals } from './audit-interval.ts'

/** Readings of one machine by time: counters roll over, a reset, a new board and a corrupt file. */
const reads = [
  { sold: 100, board: 'B1' },
  { sold: 140, board: 'B1' },
  null,
  { sold: 150, board: 'B1' },
  { sold: 20, board: 'B1' },
  { sold: 55, board: 'B1' },
  { sold: 7000, board: 'B2' },
  { sold: 7010, board: 'B2' },
]
const torn = new TextEncoder().encode('DXS*X*VA*V0/6*1\r\nST*1*1\r\n')
const fileOf = (read: (typeof reads)[number]) =>
  read
    ? writeAudit({
        serial: 'S',
        model: 'M',
        software: '1',
        boardSerial: read.board,
        decimals: 2,
        currency: 'EUR',
        time: '2026-01-01T00:00:00',
        selections: [{ selection: '11', price: 150, count: read.sold, value: read.sold * 150 }],
      })
    : torn

const hour = 3_600_000
const stored = (database: TestDatabase, machine: TestMachine, index: number) =>
  anAudit(database, machine, {
    read_at: new Date(Math.floor(Date.now() / hour) * hour - (reads.length - index) * hour),
    content: JSON.stringify(readAudit(fileOf(reads[index] ?? null))),
    sha256: Buffer.alloc(32, index),
  })
const write = (database: TestDatabase, { merchantId }: TestMachine, ids: string[]) =>
  database.withTenant([{ merchantId, groups: 'all' }], (db) => writeIntervals(db, ids))

/** The intervals without the ids of the audits. */
const intervalsOf = async (database: TestDatabase, machine: TestMachine) => {
  const rows = await database.admin<{ kind: string; sold: string | null; hours: number | null }>(
    `select kind, sold_count as sold, (extract(epoch from ends_at - begins_at) / 3600)::int as hours from audit_intervals
     where machine_id = $1 order by ends_at`,
    [machine.id],
  )
  return rows.map(({ kind, sold, hours }) => [kind, sold === null ? null : Number(sold), hours])
}
const expected = [
  ['first', null, null],
  ['counted', 40, 1],
  ['notReported', null, null],
  ['counted', 10, 2],
  ['reset', null, 1],
  ['counted', 35, 1],
  ['boardSwapped', null, 1],
  ['counted', 10, 1],
]

test('the order in which audits arrive does not change their intervals', async () => {
  const database = await aDatabase()
  const { id } = await aMerchant(database)
  const inOrder = reads.map((_, index) => index)
  const orders = [inOrder, inOrder.toReversed(), [4, 1, 7, 2, 0, 6, 3, 5], [3, 6, 5, 0, 2, 7, 1, 4]]
  for (const order of orders) {
    const machine = await aMachine(database, id)
    for (const index of order) await write(database, machine, [await stored(database, machine, index)])
    expect(await intervalsOf(database, machine), order.join(' ')).toEqual(expected)
  }
})

test('audits stored before intervals existed get theirs, whatever the page size', async () => {
  const database = await aDatabase()
  const machines = []
  for (let one = 0; one < 3; one++) machines.push(await aMachine(database, (await aMerchant(database)).id))
  for (const machine of machines) for (const index of reads.keys()) await stored(database, machine, index)
  await Promise.all([fillIntervals(database), fillIntervals(database)])
  for (const machine of machines) expect(await intervalsOf(database, machine)).toEqual(expected)
})

test('counters since the last reset have the same intervals in any order of arrival', async () => {
  const database = await aDatabase()
  const { id } = await aMerchant(database)
  const vends = [73, 172, 3, 0, 41, 12]
  const read = (index: number) => {
    const rows = [`VA1***${(vends[index] ?? 0) * 50}*${vends[index]}`, `EA3*${215 + index}*2611${20 + index}*1508`]
    const text = ['DXS*GET0000071*VA*V0/6*1', 'ST*1', 'ID4*2*978*EUR', ...rows, 'DXE*1*1', ''].join('\r\n')
    return JSON.stringify(readAudit(new TextEncoder().encode(text)))
  }
  const first = Math.floor(Date.now() / hour) * hour - vends.length * hour
  const orders = fc.shuffledSubarray([...vends.keys()], { minLength: vends.length })
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const machine = await aMachine(database, id)
      for (const index of order) {
        const read_at = new Date(first + index * hour)
        const audit = await anAudit(database, machine, {
          read_at,
          content: read(index),
          sha256: Buffer.alloc(32, index),
        })
        await write(database, machine, [audit])
      }
      expect(await intervalsOf(database, machine)).toEqual([
        ['first', null, null],
        ...vends.slice(1).map((count) => ['sinceReset', count, 1]),
      ])
    }),
    { numRuns: 8 },
  )
})
