import type { NewWebPaymentOrder } from '#contract/cashless/web-payment-order.ts'
import { ProductError } from '#contract/errors.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type WebPaymentType, webPaymentCurrencies } from '#contract/vocabulary/web-payment.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { limitOfOrder } from '#database/cashless/recharge-limit.ts'
import { configOfService } from '#database/cashless/web-payment-config.ts'
import {
  currencyOf,
  insertOrder,
  mediaToRecharge,
  type NewOrder,
  type OrderRecord,
  orderById,
} from '#database/cashless/web-payment-order.ts'
import { paymentService } from '#database/cashless/web-payment-service.ts'
import { type Doors, type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'
import { type Actor, recordChange } from '#database/platform/change-log.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { nextQueryAfter, paymentLifeMillis } from '#domain/cashless/web-payment.ts'
import { formatMoney } from '#domain/money/money.ts'
import { newReference, type PaymentDeps, wholeOf } from './account.ts'
import { limitCalls } from './limit-calls.ts'
import { startAtProvider } from './start.ts'

/** Who orders, in which transaction, and when. */
interface Ordering {
  db: TenantDb
  user: Actor
  now: Date
}

/** The account with which an order is paid. */
async function accountFor({ db, doors }: { db: TenantDb; doors: Doors }, merchantId: string, serviceId: string) {
  const service = await paymentService(doors, serviceId)
  if (!service) throw new ProductError('WebPaymentServiceNotFound')
  const account = await configOfService(db, merchantId, serviceId)
  if (!account?.is_active) throw new ProductError('WebPaymentNotConfigured')
  const currency = await currencyOf(db, merchantId)
  const acceptedCurrencies = webPaymentCurrencies[service.type as WebPaymentType]
  if (acceptedCurrencies && !acceptedCurrencies.includes(currency))
    throw new ProductError('WebPaymentCurrencyNotSupported', { currency })
  return { service, account, currency }
}

/** The medium of a recharge; it must be registered and not blocked. */
async function mediaFor(db: TenantDb, merchantId: string, text: string) {
  if (!(await merchantsWith(db, ['customerMedia'])).get('customerMedia')?.has(merchantId))
    throw new ProductError('FeatureNotEnabled')
  const serial = mediaSerialOf(text)
  const media = serial === null ? undefined : await mediaToRecharge(db, merchantId, serial)
  if (!media) throw new ProductError('MediaNotFound')
  if (media.status !== mediaStatuses.ok) throw new ProductError('WebPaymentMediaBlocked')
  return media
}

const isSame = (order: OrderRecord, newOrder: NewOrder) =>
  order.service_id === newOrder.service_id &&
  order.kind === newOrder.kind &&
  order.amount === newOrder.amount &&
  order.media_id === (newOrder.media_id ?? null) &&
  order.description === (newOrder.description ?? null)

async function orderFor(
  { doors }: Pick<PaymentDeps, 'doors'>,
  { db: narrow, user, now }: Ordering,
  merchantId: string,
  body: NewWebPaymentOrder,
): Promise<NewOrder> {
  const db = withinScope(narrow, wholeOf(merchantId))
  const { service, account, currency } = await accountFor({ doors, db }, merchantId, body.serviceId)
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
async function refuseAboveLimit(db: TenantDb, order: OrderRecord, now: Date): Promise<void> {
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
const stored = (doors: Doors, { user, now }: Ordering, newOrder: NewOrder): Promise<OrderRecord> =>
  doors.withTenant(wholeOf(newOrder.merchant_id), async (db) => {
    const isNew = await insertOrder(db, newOrder)
    const order = await orderById(db, newOrder.merchant_id, newOrder.id)
    if (!order || !isSame(order, newOrder)) throw new ProductError('WebPaymentOrderIdTaken')
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

/** Starts an order of a user or a customer, or answers it again. */
export async function startOrder(
  services: PaymentDeps,
  ordering: Ordering,
  merchantId: string,
  newOrder: NewWebPaymentOrder,
): Promise<OrderRecord> {
  const { doors } = services
  const { now } = ordering
  if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  await limitCalls(doors, 'webPaymentStart', merchantId, now)
  const order = await stored(doors, ordering, await orderFor(services, ordering, merchantId, newOrder))
  // A repeated call whose order waits without a page: its creation got no answer.
  if (order.state === 'waiting' && order.redirect_url === null) return startAtProvider(services, order, now)
  return order
}
