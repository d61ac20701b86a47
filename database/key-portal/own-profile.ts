import { sql } from 'kysely'
import type { OwnProfile } from '#contract/key-portal/customer-profile.ts'
import type { RowOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { OwnKey } from './own-media.ts'

export type OwnProfileRow = Omit<RowOf<typeof OwnProfile>, 'has_recharges'>

/** The profile of a customer with an account. */
export async function ownProfile(db: TenantDb, { merchantId, customerId }: OwnKey): Promise<OwnProfileRow | undefined> {
  const { rows } =
    await sql<OwnProfileRow>`select customer.id, customer.merchant_id, m.name as merchant_name, m.time_zone, m.currency,
      account.email, customer.name, customer.language, account.password_hash is not null as has_password,
      customer.consent_analysis, customer.consent_analysis_at, customer.consent_communications, customer.consent_communications_at,
      customer.consent_quality, customer.consent_quality_at, account.created_at as registered_at
    from customers customer
    join customer_accounts account on ${db.own('account')} and account.merchant_id = customer.merchant_id
      and account.customer_id = customer.id
    join merchants m on m.id = customer.merchant_id
    where ${db.own('customer')} and customer.merchant_id = ${merchantId} and customer.id = ${customerId}`.execute(
      db.query,
    )
  return rows[0]
}

/** Staff who edit the customer at the same moment get the customer's values as a conflict: the version grows. */
export const writeOwnProfile = (
  db: TenantDb,
  { merchantId, customerId }: OwnKey,
  { name, language }: { name: string; language: string | null },
) =>
  sql`update customers set name = ${name}, language = ${language}, version = version + 1
    where merchant_id = ${merchantId} and id = ${customerId}`.execute(db.query)
