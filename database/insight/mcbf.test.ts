import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcbfOf } from '#domain/insight/cycles.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { mcbf } from '../alarms/mcbf.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

async function rowsOf<Row>(from: ReturnType<typeof sql>): Promise<Row[]> {
  return database.withTenant([], async (db) => (await sql<Row>`${from}`.execute(db.query)).rows, 'read')
}

test('mean cycles between failures are those of the domain', async () => {
  const counts = [0, 1, 2, 3, 7, 1000].flatMap((cycles) => [0, 1, 2, 3].map((faults) => ({ cycles, faults })))
  const values = sql.join(counts.map(({ cycles, faults }) => sql`(${cycles}::bigint, ${faults}::int)`))
  const rows = await rowsOf<{ cycles: number; faults: number; mean: number | null }>(
    sql`select cycles::int, faults, ${mcbf(sql`cycles`, sql`faults`)}::int as mean from (values ${values}) as x (cycles, faults)`,
  )
  const expected = rows.map(({ cycles, faults }) => (faults === 0 ? null : mcbfOf(cycles, faults).cycles))
  expect(rows.map(({ mean }) => mean)).toEqual(expected)
})
