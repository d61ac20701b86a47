import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { takeRefused, withoutGuard } from '#testkit/statement-guard.ts'
import { readingFunctions } from '../../checks/statement.ts'
import { tables } from './registry.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database?.close())

const wrong = sql`select 1 from machines where id = ${'00000000-0000-0000-0000-000000000000'}`
const fault = /database\/frame\/statement-guard\.test\.ts sends .* machines has no condition on merchant_id of its own/

test('a wrong statement through the tenant door is refused before the database gets it', async () => {
  const run = () => database.withTenant(wholeMerchant(merchantId), (db) => wrong.execute(db.query))
  await expect(run()).rejects.toThrow(fault)
  expect(takeRefused()).toEqual([expect.stringMatching(fault)])
  expect((await withoutGuard(run)).rows).toEqual([])
})

test('a wrong statement through the system door is refused, in batches, as CSV and if its error is caught', async () => {
  await database.withSystem('health', (db) => wrong.execute(db)).catch(() => {})
  await database
    .withTenant(wholeMerchant(merchantId), async (db) => {
      for await (const _ of db.batches(wrong, 10));
    })
    .catch(() => {})
  await database
    .withTenant(wholeMerchant(merchantId), async (db) => {
      for await (const _ of db.csv(wrong, { separator: ';' }));
    })
    .catch(() => {})
  expect(takeRefused()).toEqual([1, 2, 3].map(() => expect.stringMatching(fault)))
})

test('a correct statement with another merchant’s id is refused', async () => {
  const other = await aMerchant(database)
  const run = database.withTenant(wholeMerchant(merchantId), (db) =>
    sql`select 1 from machines where merchant_id = ${other.id}`.execute(db.query),
  )
  await expect(run).rejects.toThrow('machines is narrowed to another merchant')
  expect(takeRefused()).toHaveLength(1)
})

test('the guard knows each of our functions that reads a tenant or a local table', async () => {
  const rows = await database.admin<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace and prolang in
       (select oid from pg_language where lanname in ('sql', 'plpgsql')) and prokind = 'f'`,
  )
  const names = Object.entries(tables).flatMap(([name, kind]) => (kind === 'reference' ? [] : [name]))
  const reads = new RegExp(`\\b(from|join|update|into) (${names.join('|')})\\b`)
  // Functions that create and drop partitions return no rows of tenants.
  const unguarded = rows
    .filter(({ name, body }) => reads.test(body) && !/^(ensure_partitions|drop_(partition|month))$/.test(name))
    .map(({ name }) => name)
  // It adds a job, whose table is the queue's.
  expect([...unguarded, 'queue_data_retrieval'].sort()).toEqual([...readingFunctions].sort())
})
