import type { AppPaymentReason, AppPaymentState } from '#contract/key-portal/customer-payment.ts'
import type { ReservationState } from '#contract/vocabulary/cashless.ts'

/** What is stored of a payment at a machine. */
export interface AppPaymentFacts {
  /** Of its reservation, and what the machine settled. */
  state: ReservationState
  settled: number | null
  heldUntil: Date
  /** Until when the machine may take it, and when it did. */
  takeUntil: Date | null
  takenAt: Date | null
  reason: AppPaymentReason | null
  sale: { isFailed: boolean } | undefined
}

/**
 * The state of a payment as its customer sees it. A failed vend that was charged is `failed` with an amount: the customer may claim it.
 */
export function appPaymentState(
  { state, settled, heldUntil, takeUntil, takenAt, reason, sale }: AppPaymentFacts,
  now: Date,
): { state: AppPaymentState; reason: AppPaymentReason | null; settled: number | null } {
  if (state === 'settled')
    return sale?.isFailed
      ? { state: 'failed', reason: 'vendFailed', settled }
      : { state: 'vended', reason: null, settled }
  const failed = (why: AppPaymentReason) => ({ state: 'failed' as const, reason: reason ?? why, settled: null })
  if (state === 'held' && heldUntil > now) {
    if (takenAt) return { state: 'accepted', reason: null, settled: null }
    if (takeUntil && takeUntil > now) return { state: 'waiting', reason: null, settled: null }
    return failed('notTaken')
  }
  if (sale) return failed('vendFailed')
  return failed(takenAt ? 'notVended' : 'notTaken')
}

/** What decides whether a machine may vend for a payment, at the moment when it claims the payment. */
export interface PaymentAtClaim {
  /** The reservation holds the amount. */
  isHeld: boolean
  mediaStatus: number
  /** The customer who started it, and the owner of the medium. Null: erased, or none. */
  payerId: string | null
  ownerId: string | null
  isAccountActive: boolean
  /** The merchant has customer media. */
  isEnabled: boolean
}

/** Why a machine may not vend for a payment; null: it may. A key that was blocked while the payment waited pays nothing. */
export function refusalAtClaim(
  payment: PaymentAtClaim,
): Extract<AppPaymentReason, 'notTaken' | 'mediaBlocked' | 'notAllowed'> | null {
  const { isHeld, mediaStatus, payerId, ownerId, isAccountActive, isEnabled } = payment
  if (!isHeld) return 'notTaken'
  if (mediaStatus !== 0) return 'mediaBlocked'
  const isOwn = payerId !== null && payerId === ownerId
  return isOwn && isAccountActive && isEnabled ? null : 'notAllowed'
}
