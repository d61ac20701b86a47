import { z } from 'zod'
import { customerEndpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, MinorUnits } from '../frame/shapes.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { mostAmount } from '../vocabulary/world/money-limits.ts'
import { MachineCode } from './machine-page.ts'

/** How long the machine has to take a payment, and then to vend. */
export const appPaymentSeconds = { toTake: 60, toVend: 120 } as const

/**
 * `waiting`: held for the machine, which has not taken it. `accepted`: the machine waits for the selection. `vended`: paid, `settled` is what was
 * taken. `failed`: nothing was taken, and all is free again.
 */
export const appPaymentStates = ['waiting', 'accepted', 'vended', 'failed'] as const
export type AppPaymentState = (typeof appPaymentStates)[number]
/**
 * Why nothing was taken: the machine did not take it in time, did not vend in time, refused or failed, is too old for app payments, the customer
 * cancelled, the medium was blocked or lost before the machine took it, or the customer lost the right to pay.
 */
export const appPaymentReasons = [
  ...(['notTaken', 'notVended', 'vendFailed', 'unsupported', 'cancelled'] as const),
  ...(['mediaBlocked', 'notAllowed'] as const),
] as const
export type AppPaymentReason = (typeof appPaymentReasons)[number]

/** A payment at a machine whose QR code the customer scanned. Poll it once a second until it is `vended` or `failed`. */
export const OwnPayment = z.strictObject({
  id: z.uuid(),
  mediaId: z.uuid(),
  machineName: z.string(),
  /** Minor units that are held at most. */
  amount: MinorUnits,
  currency: Currency,
  state: z.enum(appPaymentStates),
  reason: z.enum(appPaymentReasons).nullable(),
  /**
   * What the vend cost, and its product, once vended. `failed` with an amount: the machine has charged a vend that failed, which the customer may claim.
   */
  settled: MinorUnits.nullable(),
  product: z.string().nullable(),
  createdAt: Instant,
  /** The end of the present step, if nothing happens. */
  expiresAt: Instant,
})
export type OwnPayment = z.infer<typeof OwnPayment>

export const customerPayments = {
  startOwnPayment: customerEndpoint({
    method: 'POST',
    path: '/customer/machines/{code}/payments',
    summary: 'Start a payment at the machine whose QR code was scanned; the same id again is the same payment',
    params: { code: MachineCode },
    body: z.strictObject({
      /** Made by the caller. */
      id: z.uuid(),
      mediaId: ids.mediaId,
      /** Minor units: the price of the product, or what may be spent at most. */
      amount: z.int().min(1).max(mostAmount),
      currency: Currency,
    }),
    ok: OwnPayment,
    status: 201,
    fails: [
      'MachineNotFound',
      'MachineOfOtherMerchant',
      'MachineNotReachable',
      'MachineBusy',
      'MediaNotFound',
      'MediaBlocked',
      'CreditInsufficient',
      'CurrencyDiffers',
      'PaymentIdTaken',
    ],
  }),
  getOwnPayment: customerEndpoint({
    method: 'GET',
    path: '/customer/payments/{paymentId}',
    summary: 'Get the state of one’s own payment at a machine',
    params: { paymentId: z.uuid() },
    ok: OwnPayment,
    fails: ['PaymentNotFound'],
  }),
  cancelOwnPayment: customerEndpoint({
    method: 'POST',
    path: '/customer/payments/{paymentId}/cancel',
    summary: 'Cancel one’s own payment before the machine takes it',
    params: { paymentId: z.uuid() },
    ok: OwnPayment,
    fails: ['PaymentNotFound'],
  }),
}
