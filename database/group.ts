import { sql } from 'kysely'
import type { TenantDb } from './tenant.ts'

/** Groups of the scope by name, with how many machines they have. */
export const listGroups = (db: TenantDb) =>
  db
    .from('groups')
    .select(['groups.id', 'groups.merchant_id', 'groups.name'])
    .select(
      sql<number>`(select count(*)::int from machines p where p.merchant_id = groups.merchant_id
      and p.group_id = groups.id and not p.hidden)`.as('machines'),
    )
    .orderBy(sql`lower(groups.name)`)
    .execute()

/** Those of the wanted groups that are in the scope, with whose they are. */
export const groupsAmong = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('groups')
    .where('groups.id', 'in', [...ids])
    .select(['groups.id', 'groups.merchant_id'])
    .execute()

/** Those of the wanted groups that are not in the scope. */
export async function foreignGroups(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  return without(ids, await groupsAmong(db, ids))
}

/** Those of the wanted machines that are not in the scope. */
export async function foreignMachines(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .from('machines')
    .where('machines.id', 'in', [...ids])
    .select('machines.id')
    .execute()
  return without(ids, rows)
}

const without = (wanted: readonly string[], found: { id: string }[]) => {
  const known = new Set(found.map((row) => row.id))
  return wanted.filter((id) => !known.has(id))
}
