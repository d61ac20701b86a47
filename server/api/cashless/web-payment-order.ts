import {
  type NewWebPaymentOrder,
  type WebPaymentOrder,
  WebPaymentOrderRow,
  WebPaymentOrder as WebPaymentOrderSchema,
  WebPaymentReport,
  type webPaymentOrders,
} from '#contract/cashless/web-payment-order.ts'
import { ProductError } from '#contract/errors.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type WebPaymentType, webPaymentCurrencies } from '#contract/vocabulary/web-payment.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { keptOfOrders } from '#database/cashless/kept-recharge.ts'
import { limitOfOrder } from '#database/cashless/recharge-limit.ts'
import { configOfService } from '#database/cashless/web-payment-config.ts'
import {
  currencyOf,
  insertOrder,
  mediaToRecharge,
  type NewOrder,
  type OrderRecord,
  orderById,
  reportsOf,
  webPaymentOrderList,
} from '#database/cashless/web-payment-order.ts'
import { paymentService } from '#database/cashless/web-payment-service.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { nextQueryAfter, paymentLifeMillis } from '#domain/cashless/web-payment.ts'
import { formatMoney } from '#domain/money/money.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { newReference, payerLinkOf, wholeOf } from '#server/payments/account.ts'
import { ProviderError } from '#server/payments/http.ts'
import { limitCalls } from '#server/payments/limit-calls.ts'
import { queryOrder } from '#server/payments/query.ts'
import { startAtProvider } from '#server/payments/start.ts'

type Reader = Pick<TenantCall, 'db' | 'user' | 'config' | 'now'>

async function present(call: Reader, id: string): Promise<WebPaymentOrder> {
  const { db, config, now } = call
  const row = await webPaymentOrderList.find(db, id)
  if (!row) throw new ProductError('WebPaymentOrderNotFound')
  const [shown] = await withShownNames(call, [row], 'created_by', 'created_by_name')
  const reports = await reportsOf(db, row.merchant_id, row.id)
  const isOpen = row.state === 'waiting' && row.redirect_url !== null && row.expires_at > now
  return wireOf(WebPaymentOrderSchema, row as never, {
    reports: reports.map((report) => wireOf(WebPaymentReport, report)),
    link: isOpen ? payerLinkOf(config, row) : null,
    createdBy: shown?.created_by_name ?? null,
    kept: (await keptOfOrders(db, row.merchant_id, [row.id])).get(row.id) ?? null,
  })
}

/** The account with which an order is paid. */
async function accountFor({ db, doors }: Pick<TenantCall, 'db' | 'doors'>, merchantId: string, serviceId: string) {
  const service = await paymentService(doors, serviceId)
  if (!service) throw new ProductError('WebPaymentServiceNotFound')
  const account = await configOfService(db, merchantId, serviceId)
  if (!account?.is_active) throw new ProductError('WebPaymentNotConfigured')
  const currency = await currencyOf(db, merchantId)
  const taken = webPaymentCurrencies[service.type as WebPaymentType]
  if (taken && !taken.includes(currency)) throw new ProductError('WebPaymentCurrencyNotSupported', { currency })
  return { service, account, currency }
}

/** The medium of a recharge; it must be registered and not blocked. */
async function mediaFor(db: TenantCall['db'], merchantId: string, text: string) {
  if (!(await merchantsWith(db, ['customerMedia'])).get('customerMedia')?.has(merchantId))
    throw new ProductError('FeatureNotEnabled')
  const serial = mediaSerialOf(text)
  const media = serial === null ? undefined : await mediaToRecharge(db, merchantId, serial)
  if (!media) throw new ProductError('MediaNotFound')
  if (media.status !== mediaStatuses.ok) throw new ProductError('WebPaymentMediaBlocked')
  return media
}

const isSame = (order: OrderRecord, wanted: NewOrder) =>
  order.service_id === wanted.service_id &&
  order.kind === wanted.kind &&
  order.amount === wanted.amount &&
  order.media_id === (wanted.media_id ?? null) &&
  order.description === (wanted.description ?? null)

async function orderFor(
  call: TenantCall & { params: { merchantId: string }; body: NewWebPaymentOrder },
): Promise<NewOrder> {
  const { params, body, user, now } = call
  const { merchantId } = params
  const db = withinScope(call.db, wholeOf(merchantId))
  const { service, account, currency } = await accountFor({ ...call, db }, merchantId, body.serviceId)
  const media = body.kind === 'recharge' ? await mediaFor(db, merchantId, body.serial) : null
  return {
    merchant_id: merchantId,
    id: body.id,
    reference: newReference(),
    config_id: account.id,
    service_id: service.id,
    service_name: service.name,
    service_type: service.type,
    kind: body.kind,
    amount: body.amount,
    currency,
    media_id: media?.id ?? null,
    media_serial: media?.serial ?? null,
    description: body.kind === 'payment' ? body.description : null,
    created_at: now,
    created_by: user.id,
    created_by_name: user.name,
    next_query_at: new Date(now.getTime() + nextQueryAfter(0)),
    expires_at: new Date(now.getTime() + paymentLifeMillis),
  }
}

/** Refuses a recharge above a limit before anybody pays it. */
async function refuseAboveLimit(db: TenantCall['db'], order: OrderRecord, now: Date): Promise<void> {
  const { merchant_id, media_id: mediaId, amount } = order
  const broken = mediaId ? await limitOfOrder(db, merchant_id, { mediaId, amount }, now) : null
  if (!broken) return
  const { limit, allowed, currency } = broken
  throw new ProductError('RechargeAboveLimit', { limit, maximum: formatMoney(allowed, currency) })
}

/**
 * Stores an order before its provider learns of it, in a transaction of its own: a callback may arrive before the provider's answer. The same
 * order again is the stored one.
 */
const stored = ({ doors, user, now }: TenantCall, wanted: NewOrder): Promise<OrderRecord> =>
  doors.withTenant(wholeOf(wanted.merchant_id), async (db) => {
    const isNew = await insertOrder(db, wanted)
    const order = await orderById(db, wanted.merchant_id, wanted.id)
    if (!order || !isSame(order, wanted)) throw new ProductError('WebPaymentOrderIdTaken')
    const { merchant_id: merchantId, id: subjectId, kind, amount, currency, service_name, media_serial } = order
    if (isNew) await refuseAboveLimit(db, order, now)
    if (isNew)
      await recordChange(db, {
        merchantId,
        at: now,
        user,
        action: 'webPaymentOrder.create',
        subjectType: 'webPaymentOrder',
        subjectId,
        after: {
          kind,
          value: formatMoney(amount, currency as Currency),
          service: service_name,
          serial: media_serial,
        },
      })
    return order
  })

/** Starts an order, or answers it again. */
export async function startOrder(
  call: TenantCall & { params: { merchantId: string }; body: NewWebPaymentOrder },
): Promise<OrderRecord> {
  const { doors, params, now } = call
  if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  await limitCalls(doors, 'webPaymentStart', params.merchantId, now)
  const order = await stored(call, await orderFor(call))
  // A repeated call whose order waits without a page: its creation got no answer.
  if (order.state === 'waiting' && order.redirect_url === null) return startAtProvider(call, order, now)
  return order
}

export const webPaymentOrderHandlers: Handlers<typeof webPaymentOrders> = {
  listWebPaymentOrders: async ({ db, query }) => {
    refuseReversed(query)
    const { rows, total, capped } = await webPaymentOrderList.list(db, query)
    return { items: rows.map((row) => wireOf(WebPaymentOrderRow, row as never)), total, capped }
  },

  getWebPaymentOrder: async (call) => present(call, call.params.webPaymentOrderId),

  startWebPayment: async (call) => {
    const { doors, params } = call
    const order = await startOrder(call)
    return doors.withTenant(wholeOf(params.merchantId), (db) => present({ ...call, db }, order.id), 'read')
  },

  queryWebPayment: async (call) => {
    const { db, doors, params, now } = call
    const found = await webPaymentOrderList.find(db, params.webPaymentOrderId)
    if (!found) throw new ProductError('WebPaymentOrderNotFound')
    await limitCalls(doors, 'webPaymentStart', found.merchant_id, now)
    await queryOrder(call, found, now).catch((error: unknown) => {
      if (error instanceof ProviderError) throw new ProductError('WebPaymentProviderUnavailable')
      throw error
    })
    return doors.withTenant(wholeOf(found.merchant_id), (own) => present({ ...call, db: own }, found.id), 'read')
  },
}
