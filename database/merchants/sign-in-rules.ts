import type { Role } from '#contract/vocabulary/roles.ts'
import type { TenantDb } from '../frame/tenant.ts'

const roleRow = (db: TenantDb, merchantId: string) =>
  db.from('merchants').where('merchants.id', '=', merchantId).select('merchants.second_factor_roles as roles')

/** The roles that need a second factor at a merchant; undefined for a merchant out of scope. */
export async function secondFactorRolesOf(db: TenantDb, merchantId: string): Promise<Role[] | undefined> {
  const row = await roleRow(db, merchantId).executeTakeFirst()
  return row?.roles as Role[] | undefined
}

/** The same, locked until the transaction ends. */
export async function secondFactorRolesToEdit(db: TenantDb, merchantId: string): Promise<Role[] | undefined> {
  const row = await roleRow(db, merchantId).forNoKeyUpdate('merchants').executeTakeFirst()
  return row?.roles as Role[] | undefined
}

/** Writes the roles. `since`: sign-ins from then on need it. */
export const writeSecondFactorRoles = (
  db: TenantDb,
  merchantId: string,
  { roles, since }: { roles: readonly Role[]; since: Date },
) =>
  db.query
    .updateTable('merchants')
    .set({ second_factor_roles: [...roles], second_factor_since: since })
    .where('id', '=', merchantId)
    .execute()
