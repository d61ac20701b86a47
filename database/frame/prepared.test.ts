import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase, rolePassword, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import type { Pools } from './pool.ts'
import type { Doors, TenantDb } from './tenant.ts'

/** A process has few prepared lists, and tests before this one may have opened as many: these modules are as at the start of a process. */
async function freshModules() {
  vi.resetModules()
  const [{ listTransactions }, { openPools }, { pageRows }, { openDoors }] = await Promise.all([
    import('../sales/transaction.ts'),
    import('./pool.ts'),
    import('./prepared.ts'),
    import('./tenant.ts'),
  ])
  return { listTransactions, openPools, pageRows, openDoors }
}

let fresh: Awaited<ReturnType<typeof freshModules>>
let database: TestDatabase
let machine: TestMachine
let pools: Pools
let doors: Doors
beforeAll(async () => {
  fresh = await freshModules()
  database = await openTestDatabase()
  machine = await aMachine(database, (await aMerchant(database)).id)
  // One connection, whose prepared statements are seen.
  pools = fresh.openPools(database.adminUrl, rolePassword, 1)
  doors = fresh.openDoors(pools)
})
afterAll(async () => {
  await pools?.end()
  await database?.close()
})

const inTenant = <T>(work: (db: TenantDb) => Promise<T>) =>
  doors.withTenant(wholeMerchant(machine.merchantId), work, 'read')

/** Pages in the connection of a call that are prepared. */
const preparedOf = async (db: TenantDb, text: string) => {
  const { rows } = await sql<{ generic: number; custom: number }>`
    select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
    where strpos(statement, ${text}) > 0`.execute(db.query)
  return rows
}

test('a list that is opened often is prepared once, and shows what was sold since, in new months too', async () => {
  const list = (db: TenantDb, size: number) =>
    fresh.listTransactions(db, { startDate: '2031-01-01', endDate: '2031-03-31' } as never, { page: 1, size })
  await database.admin(`select ensure_partitions('2031-01-01', '2031-01-01')`)
  for (let sold = 1; sold <= 12; sold++) {
    // The month is younger than the prepared statement.
    if (sold === 10) await database.admin(`select ensure_partitions('2031-02-01', '2031-03-01')`)
    const created_at = new Date(Date.UTC(2031, sold < 10 ? 0 : 1, sold, 12))
    const id = await aSale(database, machine, { created_at })
    const { rows, total } = await inTenant((db) => list(db, 20))
    expect({ total, shown: rows.length, newest: rows[0]?.id }).toEqual({ total: sold, shown: sold, newest: id })
  }
  const plans = await inTenant((db) => preparedOf(db, 'cross join lateral'))
  expect(plans).toHaveLength(1)
  expect((plans[0]?.generic ?? 0) + (plans[0]?.custom ?? 0)).toBeGreaterThan(5)
  // The next user of the connection sees their own rows.
  const other = await aMerchant(database)
  const theirs = await doors.withTenant(wholeMerchant(other.id), (db) => list(db, 20), 'read')
  expect(theirs).toMatchObject({ rows: [], total: 0 })
})

test('few texts of lists are prepared, and none that is opened once', async () => {
  const open = (number: number) =>
    inTenant((db) =>
      fresh.pageRows(
        db.query,
        sql`select ${sql.lit(number)}::int as opened_list, name from merchants where ${db.narrow('merchants')}`,
      ),
    )
  for (let number = 0; number < 40; number++) await open(number)
  expect(await inTenant((db) => preparedOf(db, 'opened_list'))).toEqual([])
  for (let number = 0; number < 40; number++) for (let time = 0; time < 3; time++) await open(number)
  const prepared = await inTenant((db) => preparedOf(db, 'opened_list'))
  expect(prepared.length).toBeGreaterThan(10)
  expect(prepared.length).toBeLessThanOrEqual(32)
})
