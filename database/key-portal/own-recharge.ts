import type { OrderRecord } from '../cashless/web-payment-order.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { OwnKey } from './own-media.ts'

const most = 50

/** The last recharges that a customer started. */
export const ownRecharges = (db: TenantDb, { merchantId, customerId }: OwnKey): Promise<OrderRecord[]> =>
  db
    .from('web_payment_orders')
    .where('web_payment_orders.merchant_id', '=', merchantId)
    .where('web_payment_orders.created_by', '=', customerId)
    .where('web_payment_orders.kind', '=', 'recharge')
    .selectAll('web_payment_orders')
    .orderBy('web_payment_orders.created_at', 'desc')
    .limit(most)
    .execute()

/** Whether the merchant lets customers recharge in the app; staff who create web payments do not need this. */
export async function takesRecharges(db: TenantDb, merchantId: string): Promise<boolean> {
  const row = await db
    .from('merchant_details')
    .where('merchant_details.merchant_id', '=', merchantId)
    .select('merchant_details.portal_recharge')
    .executeTakeFirst()
  return row?.portal_recharge ?? false
}

/** The address of the published portal from which a customer started an order; undefined for orders of users and of other calls. */
export async function portalOfPayer(
  db: TenantDb,
  { merchant_id, created_by }: Pick<OrderRecord, 'merchant_id' | 'created_by'>,
): Promise<string | undefined> {
  if (created_by === null) return undefined
  const row = await db
    .from('portal_settings')
    .innerJoin('customer_accounts', 'customer_accounts.merchant_id', 'portal_settings.merchant_id')
    .where(db.own('customer_accounts'))
    .where('portal_settings.merchant_id', '=', merchant_id)
    .where('customer_accounts.customer_id', '=', created_by)
    .where('portal_settings.is_published', '=', true)
    .select('portal_settings.slug')
    .executeTakeFirst()
  return row?.slug
}
