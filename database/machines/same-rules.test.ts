import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { isBoxFull } from '#domain/cash/cash-box.ts'
import { mcbfOf } from '#domain/insight/cycles.ts'
import { machineStateOf } from '#domain/machines/machine-state.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { mcbf } from '../insight/mcbf.ts'
import { isCashBoxFull, stateOf } from './machine.ts'

/* Rules that SQL repeats, because lists filter and sort by them, are those of the domain. */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

async function rowsOf<Row>(from: ReturnType<typeof sql>): Promise<Row[]> {
  return database.withTenant([], async (db) => (await sql<Row>`${from}`.execute(db.query)).rows, 'read')
}

test('a machine’s state', async () => {
  const pairs = Object.values(posStatuses).flatMap((byAlarms) =>
    Object.values(connections).map((connection) => ({ byAlarms, connection })),
  )
  const machines = sql.join(pairs.map((pair) => sql`(${sql.lit(pair.byAlarms)}, ${sql.lit(pair.connection)})`))
  const rows = await rowsOf<{ byAlarms: PosStatus; connection: Connection; state: string }>(
    sql`select pos_status as "byAlarms", connection, ${stateOf} as state from (values ${machines}) as machines (pos_status, connection)`,
  )
  expect(rows).toHaveLength(9)
  expect(rows).toEqual(rows.map((row) => ({ ...row, state: machineStateOf(row) })))
})

test('a full cash box', async () => {
  const boxes = [null, 0, 89, 90, 100, 1000].flatMap((inBox) =>
    [null, 0, 100, 1111].map((capacity) => ({ inBox, capacity })),
  )
  const machines = sql.join(boxes.map((box) => sql`(${box.inBox}::int, ${box.capacity}::int)`))
  const rows = await rowsOf<{ inBox: number | null; capacity: number | null; full: boolean | null }>(
    sql`select cash_in_box as "inBox", cash_box_capacity as capacity, ${isCashBoxFull('machines')} as full
      from (values ${machines}) as machines (cash_in_box, cash_box_capacity)`,
  )
  expect(rows.some(({ full }) => full)).toBe(true)
  expect(rows.map(({ full }) => full ?? false)).toEqual(rows.map(isBoxFull))
})

test('mean cycles between failures', async () => {
  const counts = [0, 1, 2, 3, 7, 1000].flatMap((cycles) => [0, 1, 2, 3].map((faults) => ({ cycles, faults })))
  const values = sql.join(counts.map(({ cycles, faults }) => sql`(${cycles}::bigint, ${faults}::int)`))
  const rows = await rowsOf<{ cycles: number; faults: number; mean: number | null }>(
    sql`select cycles::int, faults, ${mcbf(sql`cycles`, sql`faults`)}::int as mean from (values ${values}) as x (cycles, faults)`,
  )
  const expected = rows.map(({ cycles, faults }) => (faults === 0 ? null : mcbfOf(cycles, faults).cycles))
  expect(rows.map(({ mean }) => mean)).toEqual(expected)
})
