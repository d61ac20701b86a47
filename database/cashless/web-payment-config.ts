import type { Selectable } from 'kysely'
import type { DB } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A merchant's account with a payment service; its secrets are in `sealed`. */
export type ConfigRecord = Omit<Selectable<DB['web_payment_configs']>, 'credentials'> & {
  credentials: Record<string, string>
}

const of = (db: TenantDb, merchantId: string) =>
  db
    .from('web_payment_configs')
    .where('web_payment_configs.merchant_id', '=', merchantId)
    .selectAll('web_payment_configs')

export const paymentConfigs = async (db: TenantDb, merchantId: string): Promise<ConfigRecord[]> =>
  (await of(db, merchantId).execute()) as ConfigRecord[]

export const configOfService = async (db: TenantDb, merchantId: string, serviceId: string) =>
  (await of(db, merchantId).where('web_payment_configs.service_id', '=', serviceId).executeTakeFirst()) as
    | ConfigRecord
    | undefined

/** The same, locked until the transaction ends. */
export const configToEdit = async (db: TenantDb, merchantId: string, serviceId: string) =>
  (await of(db, merchantId).where('web_payment_configs.service_id', '=', serviceId).forUpdate().executeTakeFirst()) as
    | ConfigRecord
    | undefined

export const configById = async (db: TenantDb, merchantId: string, id: string) =>
  (await of(db, merchantId).where('web_payment_configs.id', '=', id).executeTakeFirst()) as ConfigRecord | undefined

/** Stores a new account; false when another call has just stored one. */
export async function insertConfig(db: TenantDb, row: ConfigRecord): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.query
    .insertInto('web_payment_configs')
    .values({ ...row, credentials: JSON.stringify(row.credentials) })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'service_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function writeConfig(db: TenantDb, { merchant_id, id, ...row }: ConfigRecord): Promise<void> {
  const { is_active, credentials, sealed, secrets, set_at, set_by, set_by_name, version } = row
  await db.query
    .updateTable('web_payment_configs')
    .set({
      is_active,
      credentials: JSON.stringify(credentials),
      sealed,
      secrets,
      set_at,
      set_by,
      set_by_name,
      version,
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}
