import { sql } from 'kysely'
import { mostNoVendBlockers, type NoVendProfileBlockers } from '#contract/catalogue/no-vend-profile.ts'
import { when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isNoVendInSync } from './no-vend-sync.ts'

/** Machines of the scope with a profile, including hidden ones. */
const machinesWith = (db: TenantDb) => sql`machines m where m.merchant_id = no_vend_profiles.merchant_id
  and m.no_vend_profile_id = no_vend_profiles.id and ${db.narrow('machines', 'm')}`

export const noVendProfileList = recordList({
  list: 'noVendProfiles',
  table: 'no_vend_profiles',
  sums: { of: ['machines', 'machinesInSync'] },
  where: (db, { hasMachines }) => [
    when(hasMachines, (expected) => sql<boolean>`exists (select 1 from ${machinesWith(db)}) = ${expected}`),
  ],
  beside: {
    machines: (db: TenantDb) => sql<number>`(select count(*)::int from ${machinesWith(db)})`,
    machines_in_sync: (db: TenantDb) =>
      sql<number>`(select count(*)::int from ${machinesWith(db)} and ${isNoVendInSync(db, 'm')})`,
  },
})

/** Machines that block the deletion of a profile, if any. Machines outside the scope are reported as existing only. */
export async function machinesWithProfile(
  db: TenantDb,
  profile: RecordKey,
): Promise<NoVendProfileBlockers | undefined> {
  const rows = await db
    .from('machines')
    .where('machines.merchant_id', '=', profile.merchant_id)
    .where('machines.no_vend_profile_id', '=', profile.id)
    .select(['machines.id', 'machines.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy(sql`machines.name_order, machines.id`)
    .limit(mostNoVendBlockers)
    .execute()
  const { all } = await db.query
    .selectFrom('machines')
    .where('machines.merchant_id', '=', profile.merchant_id)
    .where('machines.no_vend_profile_id', '=', profile.id)
    .where('machines.deleted_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow()
  if (all === 0) return undefined
  const machines = rows[0]?.n ?? 0
  return { machines, firstMachines: rows.map(({ id, name }) => ({ id, name })), hasOthers: all > machines }
}

/** Locks products against deletion; false if one is not the merchant's. */
export async function holdProducts(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const held = await db
    .from('products')
    .where('products.merchant_id', '=', merchantId)
    .where(sql<boolean>`products.id = any(${ids}::uuid[])`)
    .select('products.id')
    .orderBy('products.id')
    .forKeyShare('products')
    .execute()
  return held.length === new Set(ids).size
}

/** The ids of all machines with a profile, in any group. */
export async function machineIdsWithProfile(db: TenantDb, { merchant_id, id }: RecordKey): Promise<string[]> {
  const rows = await db.query
    .selectFrom('machines')
    .where('machines.merchant_id', '=', merchant_id)
    .where('machines.no_vend_profile_id', '=', id)
    .where('machines.deleted_at', 'is', null)
    .select('machines.id')
    .execute()
  return rows.map((row) => row.id)
}
