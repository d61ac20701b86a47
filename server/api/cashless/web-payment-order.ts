import {
  type WebPaymentOrder,
  WebPaymentOrderRow,
  WebPaymentOrder as WebPaymentOrderSchema,
  WebPaymentReport,
  type webPaymentOrders,
} from '#contract/cashless/web-payment-order.ts'
import { ProductError } from '#contract/errors.ts'
import { keptOfOrders } from '#database/cashless/kept-recharge.ts'
import { reportsOf, webPaymentOrderList } from '#database/cashless/web-payment-order.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { payerLinkOf, wholeOf } from '#server/payments/account.ts'
import { ProviderError } from '#server/payments/http.ts'
import { limitCalls } from '#server/payments/limit-calls.ts'
import { queryOrder } from '#server/payments/query.ts'
import { startOrder } from '#server/payments/start-order.ts'

type Reader = Pick<TenantCall, 'db' | 'user' | 'config' | 'now'>

async function present(call: Reader, id: string): Promise<WebPaymentOrder> {
  const { db, config, now } = call
  const row = await webPaymentOrderList.find(db, id)
  if (!row) throw new ProductError('WebPaymentOrderNotFound')
  const [named] = await withShownNames(call, [row], 'created_by', 'created_by_name')
  const reports = await reportsOf(db, row.merchant_id, row.id)
  const isOpen = row.state === 'waiting' && row.redirect_url !== null && row.expires_at > now
  return wireOf(WebPaymentOrderSchema, row, {
    reports: reports.map((report) => wireOf(WebPaymentReport, report)),
    link: isOpen ? payerLinkOf(config, row) : null,
    createdBy: named?.created_by_name ?? null,
    kept: (await keptOfOrders(db, row.merchant_id, [row.id])).get(row.id) ?? null,
  })
}

export const webPaymentOrderHandlers: Handlers<typeof webPaymentOrders> = {
  listWebPaymentOrders: async ({ db, query }) => {
    refuseReversed(query)
    const { rows, totals = [], ...counted } = await webPaymentOrderList.list(db, query)
    return { items: rows.map((row) => wireOf(WebPaymentOrderRow, row)), ...counted, totals }
  },

  getWebPaymentOrder: async (call) => present(call, call.params.webPaymentOrderId),

  startWebPayment: async (call) => {
    const { doors, params } = call
    const order = await startOrder(call, call, params.merchantId, call.body)
    return doors.withTenant(wholeOf(params.merchantId), (db) => present({ ...call, db }, order.id), 'read')
  },

  queryWebPayment: async (call) => {
    const { db, doors, params, now } = call
    const order = await webPaymentOrderList.find(db, params.webPaymentOrderId)
    if (!order) throw new ProductError('WebPaymentOrderNotFound')
    await limitCalls(doors, 'webPaymentStart', order.merchant_id, now)
    await queryOrder(call, order, now).catch((error: unknown) => {
      if (error instanceof ProviderError) throw new ProductError('WebPaymentProviderUnavailable')
      throw error
    })
    return doors.withTenant(
      wholeOf(order.merchant_id),
      (wholeDb) => present({ ...call, db: wholeDb }, order.id),
      'read',
    )
  },
}
