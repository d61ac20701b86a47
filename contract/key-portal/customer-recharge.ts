import { z } from 'zod'
import { WebPaymentChoice } from '../cashless/web-payment-config.ts'
import { highestWebPayment } from '../cashless/web-payment-order.ts'
import { customerEndpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, MinorUnits } from '../frame/shapes.ts'
import { keptStates } from '../vocabulary/cashless.ts'
import { webPaymentReasons } from '../vocabulary/web-payment.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A recharge of one of the customer's media by a web payment. */
export const OwnRecharge = z.strictObject({
  id: z.uuid(),
  mediaId: z.uuid().nullable(),
  mediaSerial: z.string().nullable(),
  serviceName: z.string(),
  amount: MinorUnits,
  currency: Currency,
  /** 0 waiting, 1 success, 2 error. */
  result: z.int(),
  reason: z.enum(webPaymentReasons).nullable(),
  createdAt: Instant,
  processedAt: Instant.nullable(),
  /** Paid, and above a limit: the operator decides, or has decided, about the credit. */
  kept: z.enum(keptStates).nullable(),
  /** The page on which the customer pays, while the order waits. */
  link: z.string().nullable(),
})
export type OwnRecharge = z.infer<typeof OwnRecharge>

const gated = { feature: 'webPayments' } as const

export const customerRecharges = {
  listOwnRechargeServices: customerEndpoint({
    ...gated,
    method: 'GET',
    path: '/customer/recharges/services',
    summary: 'List the payment services with which one can recharge',
    ok: z.array(WebPaymentChoice),
  }),
  listOwnRecharges: customerEndpoint({
    ...gated,
    method: 'GET',
    path: '/customer/recharges',
    summary: 'List one’s own recharges, newest first',
    hasSecret: true,
    ok: z.array(OwnRecharge),
  }),
  startOwnRecharge: customerEndpoint({
    ...gated,
    method: 'POST',
    path: '/customer/recharges',
    summary: 'Start a recharge of one’s own medium; the same id again is the same recharge',
    body: z.strictObject({
      /** Made by the caller. */
      id: z.uuid(),
      serviceId: z.uuid(),
      mediaId: ids.mediaId,
      amount: z.int().min(1).max(highestWebPayment),
      /** The merchant's. */
      currency: Currency,
    }),
    hasSecret: true,
    ok: OwnRecharge,
    status: 201,
    fails: [
      'MediaNotFound',
      'CurrencyDiffers',
      'WebPaymentServiceNotFound',
      'WebPaymentNotConfigured',
      'WebPaymentCurrencyNotSupported',
      'WebPaymentMediaBlocked',
      'RechargeAboveLimit',
      'WebPaymentOrderIdTaken',
      'WebPaymentNotStarted',
      'TooManyRequests',
    ],
  }),
  getOwnRecharge: customerEndpoint({
    ...gated,
    method: 'GET',
    path: '/customer/recharges/{webPaymentOrderId}',
    summary: 'Get one’s own recharge with its state',
    hasSecret: true,
    ok: OwnRecharge,
    fails: ['WebPaymentOrderNotFound'],
  }),
}
