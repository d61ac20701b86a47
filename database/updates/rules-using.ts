import { mostNamedRules } from '#contract/updates/update-rule.ts'
import type { SystemDb, TenantDb } from '../frame/tenant.ts'

/** Rules of all merchants that bring a firmware, some of them by name. Merchants do not see each other's. */
export async function firmwareRulesUsing(db: SystemDb, firmwareId: string): Promise<string[]> {
  const rules = await db
    .selectFrom('firmware_rules')
    .where('firmware_id', '=', firmwareId)
    .select('name')
    .orderBy('name')
    .limit(mostNamedRules)
    .execute()
  return rules.map(({ name }) => name)
}

/** Rules that bring a cash database, some of them by name. */
export async function databaseRulesUsing(db: TenantDb, merchantId: string, id: string): Promise<string[]> {
  const rules = await db
    .from('cash_database_rules')
    .where('merchant_id', '=', merchantId)
    .where('cash_database_id', '=', id)
    .select('name')
    .orderBy('name')
    .limit(mostNamedRules)
    .execute()
  return rules.map(({ name }) => name)
}
