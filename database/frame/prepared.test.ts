import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, rolePassword, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import type { PreparedLists } from '#testkit/prepared-lists.ts'
import { listTransactions } from '../sales/transaction.ts'
import { openPools, type Pools } from './pool.ts'
import { type Doors, openDoors, type TenantDb } from './tenant.ts'

let database: TestDatabase
let machine: TestMachine
let pools: Pools
let doors: Doors
beforeAll(async () => {
  database = await openTestDatabase()
  machine = await aMachine(database, (await aMerchant(database)).id)
  // One connection, on which prepared statements outlive calls.
  pools = openPools(database.adminUrl, rolePassword, 1)
  doors = openDoors(pools)
})
afterAll(async () => {
  await pools?.end()
  await database?.close()
})

const inTenant = <T>(work: (db: TenantDb) => Promise<T>) =>
  doors.withTenant(wholeMerchant(machine.merchantId), work, 'read')

test('a list that is opened often shows what was sold since, in new months too', async () => {
  const list = (db: TenantDb, size: number) =>
    listTransactions(db, { startDate: '2031-01-01', endDate: '2031-03-31' } as never, { page: 1, size })
  await database.admin(`select ensure_partitions('2031-01-01', '2031-01-01')`)
  for (let sold = 1; sold <= 12; sold++) {
    // The month is younger than the prepared statement.
    if (sold === 10) await database.admin(`select ensure_partitions('2031-02-01', '2031-03-01')`)
    const created_at = new Date(Date.UTC(2031, sold < 10 ? 0 : 1, sold, 12))
    const id = await aSale(database, machine, { created_at })
    const { rows, total } = await inTenant((db) => list(db, 20))
    expect({ total, shown: rows.length, newest: rows[0]?.id }).toEqual({ total: sold, shown: sold, newest: id })
  }
  // The next user of the connection sees their own rows.
  const other = await aMerchant(database)
  const theirs = await doors.withTenant(wholeMerchant(other.id), (db) => list(db, 20), 'read')
  expect(theirs).toMatchObject({ rows: [], total: 0 })
})

test('a list that is opened often is prepared, few are, and none that is opened once', async () => {
  const script = join(import.meta.dirname, '../../testkit/prepared-lists.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, database.adminUrl, machine.merchantId])
  const { once, often, plans } = JSON.parse(stdout) as PreparedLists
  expect(once).toBe(0)
  expect(often).toBeGreaterThan(10)
  expect(often).toBeLessThanOrEqual(32)
  expect(plans).toBeGreaterThan(5)
})
