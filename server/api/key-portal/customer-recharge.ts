import { ProductError } from '#contract/errors.ts'
import { type customerRecharges, OwnRecharge } from '#contract/key-portal/customer-recharge.ts'
import { keptOfOrders } from '#database/cashless/kept-recharge.ts'
import { type OrderRecord, orderById } from '#database/cashless/web-payment-order.ts'
import { ownRecharges, takesRecharges } from '#database/key-portal/own-recharge.ts'
import { inLog } from '#server/customers/admit.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { payerLinkOf } from '#server/payments/account.ts'
import { startOrder } from '#server/payments/start-order.ts'
import { paymentChoices } from '../cashless/web-payment-config.ts'
import { ownMediaOf } from './customer-media.ts'

async function presentAll({ db, config, now, customer }: CustomerCall, orders: readonly OrderRecord[]) {
  const keptStates = await keptOfOrders(
    db,
    customer.merchantId,
    orders.map(({ id }) => id),
  )
  return orders.map((order) =>
    wireOf(OwnRecharge, order, {
      kept: keptStates.get(order.id) ?? null,
      link:
        order.state === 'waiting' && order.redirect_url !== null && order.expires_at > now
          ? payerLinkOf(config, order)
          : null,
    }),
  )
}

const present = async (call: CustomerCall, order: OrderRecord): Promise<OwnRecharge> => {
  const [presented] = await presentAll(call, [order])
  return presented as OwnRecharge
}

/** Recharges that end customers start themselves. */
export const customerRechargeHandlers: Handlers<typeof customerRecharges> = {
  listOwnRechargeServices: async (call) => {
    const { merchantId } = call.customer
    return (await takesRecharges(call.db, merchantId)) ? paymentChoices(call, merchantId) : []
  },

  listOwnRecharges: async (call) => presentAll(call, await ownRecharges(call.db, call.customer)),

  startOwnRecharge: async (call) => {
    const { body, customer } = call
    if (!(await takesRecharges(call.db, customer.merchantId))) throw new ProductError('WebPaymentNotConfigured')
    const media = await ownMediaOf(call, body.mediaId)
    if (body.currency !== media.currency) throw new ProductError('CurrencyDiffers')
    const { id, serviceId, amount } = body
    const { serial } = media
    const recharge = { kind: 'recharge', id, serviceId, amount, serial } as const
    const order = await startOrder(call, { ...call, user: inLog(customer) }, customer.merchantId, recharge)
    if (order.created_by !== customer.customerId) throw new ProductError('WebPaymentOrderIdTaken')
    return present(call, order)
  },

  getOwnRecharge: async (call) => {
    const { db, customer, params } = call
    const order = await orderById(db, customer.merchantId, params.webPaymentOrderId)
    if (order?.created_by !== customer.customerId) throw new ProductError('WebPaymentOrderNotFound')
    return present(call, order)
  },
}
