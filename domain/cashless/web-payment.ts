import {
  type WebPaymentReason,
  type WebPaymentSource,
  type WebPaymentState,
  type WebPaymentVerdict,
} from '#contract/vocabulary/web-payment.ts'

/** What a provider says about an order. Amounts in minor units; null: it does not say. */
export interface PaymentReport {
  source: WebPaymentSource
  state: WebPaymentState
  amount: number | null
  currency: string | null
  /** The provider's number of the payment. */
  transaction: string | null
  reason?: Extract<WebPaymentReason, 'declined' | 'cancelled'>
}

/** An order as far as reports decide about it. */
export interface PaymentOrder {
  state: WebPaymentState
  amount: number
  currency: string
  reversed: number
  transaction: string | null
}

export interface PaymentStep {
  verdict: WebPaymentVerdict
  state: WebPaymentState
  reason: WebPaymentReason | null
  /** Minor units to credit, and to take back. */
  credit: number
  toReverse: number
}

const verdictOnly = (order: PaymentOrder, verdict: WebPaymentVerdict): PaymentStep => ({
  verdict,
  state: order.state,
  reason: null,
  credit: 0,
  toReverse: 0,
})

/** A report that is not about this order, its amount or its currency. */
function mismatch(order: PaymentOrder, { state, amount, currency, transaction }: PaymentReport) {
  if (transaction !== null && order.transaction !== null && transaction !== order.transaction) return 'otherTransaction'
  if (currency !== null && currency !== order.currency) return 'otherCurrency'
  // A reversal may be of a part.
  if (state === 'reversed' ? amount !== null && amount > order.amount : amount !== null && amount !== order.amount)
    return 'otherAmount'
  // Credit needs both.
  if (state === 'paid' && currency === null) return 'otherCurrency'
  if (state === 'paid' && amount === null) return 'otherAmount'
  return null
}

/**
 * What a proven report does to its order, in whatever order reports arrive. A success after an error is a second attempt of the payer. An error
 * after a success may be an old one, so that only the provider's answer to a query takes the credit back. A reversal is final.
 */
export function judgeReport(order: PaymentOrder, report: PaymentReport): PaymentStep {
  const wrong = mismatch(order, report)
  if (wrong) return verdictOnly(order, wrong)
  if (order.state === 'reversed') return verdictOnly(order, 'unchanged')
  switch (report.state) {
    case 'waiting':
      return verdictOnly(order, 'unchanged')
    case 'paid':
      if (order.state === 'paid') return verdictOnly(order, 'unchanged')
      return { verdict: 'succeeded', state: 'paid', reason: null, credit: order.amount, toReverse: 0 }
    case 'failed':
      if (order.state === 'paid')
        return report.source === 'callback' ? verdictOnly(order, 'asked') : reversal(order, order.amount)
      if (order.state === 'failed') return verdictOnly(order, 'unchanged')
      return { verdict: 'failed', state: 'failed', reason: report.reason ?? 'declined', credit: 0, toReverse: 0 }
    case 'reversed':
      // Never credited: there is nothing to take back, and an old success that arrives later credits nothing.
      if (order.state !== 'paid') return { ...verdictOnly(order, 'reversed'), state: 'reversed', reason: 'reversed' }
      return reversal(order, report.amount ?? order.amount)
  }
}

/** `total`: everything that the provider has taken back so far. */
function reversal(order: PaymentOrder, total: number): PaymentStep {
  const toReverse = total - order.reversed
  if (toReverse <= 0) return verdictOnly(order, 'unchanged')
  const isWhole = total === order.amount
  return {
    verdict: 'reversed',
    credit: 0,
    toReverse,
    ...(isWhole ? { state: 'reversed', reason: 'reversed' } : { state: 'paid', reason: null }),
  }
}

const minute = 60_000
/** A link and its order end after a day. */
export const paymentLifeMillis = 24 * 60 * minute

/** When the worker asks next: after 1, 2, 4 … minutes, at most half an hour. */
export const nextQueryAfter = (queries: number): number => Math.min(2 ** queries, 30) * minute
