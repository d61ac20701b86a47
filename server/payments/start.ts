import { ProductError } from '#contract/errors.ts'
import { type OrderRecord, orderById, writeStart } from '#database/cashless/web-payment-order.ts'
import { accountOfOrder, orderToPay, type PaymentDeps, wholeOf } from './account.ts'
import type { StartedPayment } from './adapter.ts'
import { ProviderError } from './http.ts'

/**
 * Creates a stored order at its provider. An order that the provider refuses ends in error; one whose creation got no answer waits, and the same call
 * may be repeated. Throws WebPaymentNotStarted in both cases.
 */
export async function startAtProvider(deps: PaymentDeps, order: OrderRecord, now: Date): Promise<OrderRecord> {
  const { merchant_id: merchantId, id } = order
  const { started, problem } = await created(deps, order)
  const isRefused = problem === 'refused'
  const stored = await deps.doors.withTenant(wholeOf(merchantId), async (db) => {
    if (started) await writeStart(db, merchantId, id, { ...started, isRefused, at: now })
    else if (isRefused) await writeStart(db, merchantId, id, { ...nothing, isRefused, at: now })
    db.afterCommit(() => deps.live.announce(merchantId, 'webPaymentOrder'))
    return orderById(db, merchantId, id)
  })
  if (problem || !stored) throw new ProductError('WebPaymentNotStarted', { orderId: id })
  return stored
}

const nothing = { transaction: null, redirectUrl: null, request: {}, response: {} }

async function created(
  deps: PaymentDeps,
  order: OrderRecord,
): Promise<{ started?: StartedPayment; problem?: ProviderError['kind'] }> {
  const ready = await accountOfOrder(deps, order)
  if (!ready) return { problem: 'refused' }
  try {
    return { started: await ready.adapter.create(ready.account, orderToPay(deps.config, order)) }
  } catch (error) {
    if (error instanceof ProviderError) return { problem: error.kind }
    throw error
  }
}
