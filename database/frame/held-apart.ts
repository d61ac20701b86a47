import { among } from './conditions.ts'
import { isDistributed } from './distributed.ts'
import { type ScopedTable, type TenantDb, withinScope } from './tenant.ts'

/**
 * Locks rows of the scope by their ids. On one node `hold` locks all of them in one statement, in the order of their ids. A distributed
 * database locks rows of one merchant at a time, so there `hold` runs for each merchant that has some, in the order of the merchants.
 */
export async function heldApart<Row extends { id: string }>(
  db: TenantDb,
  table: ScopedTable,
  ids: readonly string[],
  hold: (of: TenantDb) => Promise<Row[]>,
): Promise<Row[]> {
  const merchants = new Set(db.scope.map(({ merchantId }) => merchantId))
  if (!isDistributed() || merchants.size < 2) return hold(db)
  const owners = await db
    // Kysely cannot resolve a table name in a type parameter; every such table has these columns.
    .from(table as 'clients')
    .where(among(`${table}.id`, ids, 'uuid'))
    .select('merchant_id')
    .distinct()
    .orderBy('merchant_id')
    .execute()
  const rows: Row[] = []
  for (const { merchant_id } of owners)
    rows.push(
      ...(await hold(
        withinScope(
          db,
          db.scope.filter(({ merchantId }) => merchantId === merchant_id),
        ),
      )),
    )
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
