import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'

/* Records that something uses or used since they were imported: their import cannot be undone. */

async function idsOf(db: TenantDb, query: RawBuilder<{ id: string }>): Promise<string[]> {
  return (await query.execute(db.query)).rows.map(({ id }) => id)
}

/** Groups or clients that have or had machines, and groups or clients that update rules name. */
async function usedPlaces(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
  { column, key }: { column: 'group_id' | 'client_id'; key: 'groupIds' | 'clientIds' },
): Promise<string[]> {
  const place = (alias: string) => sql.ref(`${alias}.${column}`)
  const own = (alias: string) => sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const machines = await idsOf(
    db,
    sql`select distinct ${place('m')} as id from machines m where ${own('m')} and ${place('m')} = any(${ids}::uuid[])`,
  )
  const former = await idsOf(
    db,
    sql`select distinct ${place('f')} as id from former_machine_places f where ${own('f')} and ${place('f')} = any(${ids}::uuid[])`,
  )
  const rules = await idsOf(
    db,
    sql`select distinct named.id from rollouts r cross join lateral jsonb_array_elements_text(r.plan -> 'target' -> ${sql.lit(key)}) as named (id)
      where ${own('r')} and named.id = any(${ids}::text[])`,
  )
  return [...machines, ...former, ...rules]
}

export const usedGroups = (db: TenantDb, merchantId: string, ids: readonly string[]) =>
  usedPlaces(db, merchantId, ids, { column: 'group_id', key: 'groupIds' })

export const usedClients = (db: TenantDb, merchantId: string, ids: readonly string[]) =>
  usedPlaces(db, merchantId, ids, { column: 'client_id', key: 'clientIds' })

/** Products in planograms, in the book of pieces, and behind codes of machines. Foreign keys find other uses. */
export async function usedProducts(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<string[]> {
  const own = (alias: string) => sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const lines = await idsOf(
    db,
    sql`select distinct l.product_id as id from planogram_lines l where ${own('l')} and l.product_id = any(${ids}::uuid[])`,
  )
  const codes = await idsOf(
    db,
    sql`select distinct c.product_id as id from product_codes c where ${own('c')} and c.product_id = any(${ids}::uuid[])`,
  )
  const lots = await idsOf(
    db,
    sql`select distinct e.product_id as id from piece_entries e where ${own('e')} and e.product_id = any(${ids}::uuid[])`,
  )
  return [...lines, ...codes, ...lots]
}

/** Planograms that machines have, or get when they associate. */
export async function usedPlanograms(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<string[]> {
  const own = (alias: string) => sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const machines = await idsOf(
    db,
    sql`select distinct m.planogram_id as id from machines m where ${own('m')} and m.planogram_id = any(${ids}::uuid[])`,
  )
  const expected = await idsOf(
    db,
    sql`select distinct e.planogram_id as id from expected_associations e where ${own('e')} and e.planogram_id = any(${ids}::uuid[])`,
  )
  return [...machines, ...expected]
}

/** Customers with media, claims, an account or a payment card. */
export async function usedCustomers(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<string[]> {
  const own = (alias: string) => sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const medias = await idsOf(
    db,
    sql`select distinct me.customer_id as id from medias me where ${own('me')} and me.customer_id = any(${ids}::uuid[])`,
  )
  const claims = await idsOf(
    db,
    sql`select distinct c.customer_id as id from claims c where ${own('c')} and c.customer_id = any(${ids}::uuid[])`,
  )
  const accounts = await idsOf(
    db,
    sql`select distinct a.customer_id as id from customer_accounts a where ${own('a')} and a.customer_id = any(${ids}::uuid[])`,
  )
  const cards = await idsOf(
    db,
    sql`select distinct c.customer_id as id from customer_cards c where ${own('c')} and c.customer_id = any(${ids}::uuid[])`,
  )
  return [...medias, ...claims, ...accounts, ...cards]
}
