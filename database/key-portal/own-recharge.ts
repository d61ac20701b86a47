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
