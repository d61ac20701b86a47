import { claimDueOrders, expireOrder, type OrderRecord, orderById } from '#database/cashless/web-payment-order.ts'
import { accountOfOrder, orderToPay, type PaymentDeps, wholeOf } from './account.ts'
import { ProviderError } from './http.ts'
import { applySaid, receivedOf } from './report.ts'

const orderOf = ({ doors }: PaymentDeps, merchantId: string, id: string): Promise<OrderRecord | undefined> =>
  doors.withTenant(wholeOf(merchantId), (db) => orderById(db, merchantId, id), 'read')

/** Asks the provider about an order and applies its answer. Throws ProviderError. */
export async function queryOrder(deps: PaymentDeps, order: OrderRecord, now: Date): Promise<void> {
  const ready = await accountOfOrder(deps, order)
  if (!ready) throw new ProviderError('refused')
  const report = await ready.adapter.query(ready.account, orderToPay(deps.config, order))
  await applySaid(deps, { merchantId: order.merchant_id, id: order.id }, receivedOf('query', report), now)
}

interface Log {
  warn(facts: object, text: string): void
}

/** At most so many orders per run: a run lasts a few timeouts at most. */
const mostPerRun = 50
const atOnce = 5

/**
 * Asks providers about the orders that are due. An order that still waits at its end is queried once more and then ends as expired; a success
 * that arrives later still counts. Returns the number of orders.
 */
export async function queryDueOrders(deps: PaymentDeps & { log: Log }, now: Date): Promise<number> {
  const due = await claimDueOrders(deps.doors, now, mostPerRun)
  const waiting = due.values()
  const work = async () => {
    for (const { merchantId, id } of waiting) {
      const order = await orderOf(deps, merchantId, id)
      if (!order) continue
      await queryOrder(deps, order, now).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error
        deps.log.warn({ orderId: id, problem: error.message }, 'A payment provider did not answer about an order')
      })
      if (order.expires_at > now) continue
      await deps.doors.withTenant(wholeOf(merchantId), async (db) => {
        const isOver = await expireOrder(db, merchantId, id, now)
        if (isOver) db.afterCommit(() => deps.live.announce(merchantId, 'webPaymentOrder'))
      })
    }
  }
  // Several at once: a provider that does not answer delays others by its timeout.
  await Promise.all(Array.from({ length: atOnce }, work))
  return due.length
}
