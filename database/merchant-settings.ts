import type { TenantDb } from './tenant.ts'

/** What a merchant has settled for itself, or undefined when the merchant is not in the scope. */
export const settingsOf = (db: TenantDb, merchantId: string) =>
  db
    .from('merchant_settings')
    .where('merchant_settings.merchant_id', '=', merchantId)
    .selectAll('merchant_settings')
    .executeTakeFirst()
