import { createHash } from 'node:crypto'
import type { WebPaymentSource } from '#contract/vocabulary/web-payment.ts'
import { applyReport, type ReceivedReport } from '#database/cashless/web-payment-order.ts'
import type { PaymentStep } from '#domain/cashless/web-payment.ts'
import type { PaymentDeps } from './account.ts'
import { wholeOf } from './account.ts'
import type { OrderReport } from './adapter.ts'

/** What a provider said, with the digest by which a repetition is recognised. */
export function receivedOf(source: WebPaymentSource, report: OrderReport): ReceivedReport {
  const { state, amount, currency, transaction, reason } = report
  const key = createHash('sha256')
    .update(JSON.stringify([source, state, amount, currency, transaction, reason ?? null]))
    .digest('base64url')
  return { ...report, source, key }
}

/** Applies what a provider said to its order and to the ledger, and announces it. Undefined: there is no such order. */
export const applySaid = (
  { doors, live }: PaymentDeps,
  order: { merchantId: string; id: string },
  report: ReceivedReport,
  now: Date,
): Promise<PaymentStep | undefined> =>
  doors.withTenant(wholeOf(order.merchantId), async (db) => {
    const step = await applyReport(db, order.merchantId, order.id, report, now)
    db.afterCommit(() => {
      live.announce(order.merchantId, 'webPaymentOrder')
      if (step && step.credit + step.toReverse > 0) live.announce(order.merchantId, 'media')
    })
    return step
  })
