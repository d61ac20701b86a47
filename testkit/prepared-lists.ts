// Opens lists in a process of its own, whose prepared statements no test before it has used up: node testkit/prepared-lists.ts <database> <merchant>.
// Writes what its only connection has prepared, as JSON.
import { sql } from 'kysely'
import { openPools } from '#database/frame/pool.ts'
import { pageRows } from '#database/frame/prepared.ts'
import { openDoors, type TenantDb } from '#database/frame/tenant.ts'
import { listTransactions } from '#database/sales/transaction.ts'
import { rolePassword, wholeMerchant } from './database.ts'

export interface PreparedLists {
  /** Of 40 lists that were opened once. */
  once: number
  /** Of the same lists, opened three times more. */
  often: number
  /** How often the plan of a list was used that was opened twelve times; 0 without one. */
  plans: number
}

const [adminUrl = '', merchantId = ''] = process.argv.slice(2)
const pools = openPools(adminUrl, rolePassword, 1)
const doors = openDoors(pools)
const inTenant = <T>(work: (db: TenantDb) => Promise<T>) => doors.withTenant(wholeMerchant(merchantId), work, 'read')

const prepared = async (db: TenantDb, text: string) => {
  const { rows } = await sql<{ plans: number }>`select (generic_plans + custom_plans)::int as plans
    from pg_prepared_statements where strpos(statement, ${text}) > 0`.execute(db.query)
  return rows
}
const open = (number: number) =>
  inTenant((db) =>
    pageRows(
      db.query,
      sql`select ${sql.lit(number)}::int as opened_list, name from merchants where ${db.narrow('merchants')}`,
    ),
  )

for (let time = 0; time < 12; time++)
  await inTenant((db) =>
    listTransactions(db, { startDate: '2031-01-01', endDate: '2031-03-31' } as never, { page: 1, size: 20 }),
  )
const [list] = await inTenant((db) => prepared(db, 'cross join lateral'))
for (let number = 0; number < 40; number++) await open(number)
const once = await inTenant((db) => prepared(db, 'opened_list'))
for (let number = 0; number < 40; number++) for (let time = 0; time < 3; time++) await open(number)
const often = await inTenant((db) => prepared(db, 'opened_list'))
await pools.end()
console.log(JSON.stringify({ once: once.length, often: often.length, plans: list?.plans ?? 0 } satisfies PreparedLists))
