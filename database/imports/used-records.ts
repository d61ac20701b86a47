import { type RawBuilder, sql } from 'kysely'
import type { TableName } from '../frame/registry.ts'
import type { TenantDb } from '../frame/tenant.ts'

/* Records that something uses or used since they were imported: their import cannot be undone. */

const ofMerchant = (db: TenantDb, merchantId: string): RawBuilder<boolean> =>
  sql<boolean>`${db.own('r')} and r.merchant_id = ${merchantId}`

/** Those of some ids that rows of these tables name, each in a column. */
async function namedIn(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
  columns: readonly (readonly [table: TableName, column: string])[],
): Promise<string[]> {
  const named: string[] = []
  for (const [table, column] of columns) {
    const id = sql.ref(`r.${column}`)
    const { rows } = await sql<{ id: string }>`select distinct ${id} as id from ${sql.table(table)} r
      where ${ofMerchant(db, merchantId)} and ${id} = any(${ids}::uuid[])`.execute(db.query)
    named.push(...rows.map((row) => row.id))
  }
  return named
}

/** Groups or clients that rollouts name. */
async function namedByRollouts(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
  key: 'groupIds' | 'clientIds',
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct named.id
    from rollouts r cross join lateral jsonb_array_elements_text(r.plan -> 'target' -> ${sql.lit(key)}) as named (id)
    where ${ofMerchant(db, merchantId)} and named.id = any(${ids}::text[])`.execute(db.query)
  return rows.map(({ id }) => id)
}

type Used = (db: TenantDb, merchantId: string, ids: readonly string[]) => Promise<string[]>

/** Groups that have or had machines, and those of rollouts. */
export const usedGroups: Used = async (db, merchantId, ids) => [
  ...(await namedIn(db, merchantId, ids, [
    ['machines', 'group_id'],
    ['former_machine_places', 'group_id'],
  ])),
  ...(await namedByRollouts(db, merchantId, ids, 'groupIds')),
]

/** Clients that have or had machines, and those of rollouts. */
export const usedClients: Used = async (db, merchantId, ids) => [
  ...(await namedIn(db, merchantId, ids, [
    ['machines', 'client_id'],
    ['former_machine_places', 'client_id'],
  ])),
  ...(await namedByRollouts(db, merchantId, ids, 'clientIds')),
]

/** Products in planograms, in the book of pieces, and behind codes of machines. Foreign keys find other uses. */
export const usedProducts: Used = (db, merchantId, ids) =>
  namedIn(db, merchantId, ids, [
    ['planogram_lines', 'product_id'],
    ['product_codes', 'product_id'],
    ['piece_entries', 'product_id'],
  ])

/** Planograms that machines have, or get when they associate. */
export const usedPlanograms: Used = (db, merchantId, ids) =>
  namedIn(db, merchantId, ids, [
    ['machines', 'planogram_id'],
    ['expected_associations', 'planogram_id'],
  ])

/** Customers with media, claims, an account or a payment card. */
export const usedCustomers: Used = (db, merchantId, ids) =>
  namedIn(db, merchantId, ids, [
    ['medias', 'customer_id'],
    ['claims', 'customer_id'],
    ['customer_accounts', 'customer_id'],
    ['customer_cards', 'customer_id'],
  ])
