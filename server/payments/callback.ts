import { ProductError } from '#contract/errors.ts'
import { isFinding } from '#contract/vocabulary/web-payment.ts'
import { type ConfigRecord, configById } from '#database/cashless/web-payment-config.ts'
import {
  type OrderRecord,
  orderByReference,
  orderByTransaction,
  placeOfReference,
  refuseReport,
} from '#database/cashless/web-payment-order.ts'
import { type PaymentDeps, readyAccount, wholeOf } from './account.ts'
import { type CallbackRequest, type OrderReport, type ProvenCallback, UnprovenError } from './adapter.ts'
import { ProviderError } from './http.ts'
import { queryOrder } from './query.ts'
import { applySaid, receivedOf } from './report.ts'

type Place = { merchantId: string; configId: string }
const news: OrderReport = { state: 'waiting', amount: null, currency: null, transaction: null, response: {} }

/** The account to which a callback was sent, and what it proves. Throws NotFound and UnprovenError. */
async function provenAt(deps: PaymentDeps, { merchantId, configId }: Place, request: CallbackRequest) {
  const config = await deps.doors.withTenant(wholeOf(merchantId), (db) => configById(db, merchantId, configId), 'read')
  const ready = config && (await readyAccount(deps, config))
  if (!config || !ready) throw new UnprovenError()
  return { config, proven: await ready.adapter.readCallback(ready.account, request) }
}

const named = (deps: PaymentDeps, merchantId: string, configId: string, { reference, transaction }: ProvenCallback) =>
  deps.doors.withTenant(
    wholeOf(merchantId),
    async (db): Promise<OrderRecord | undefined> => {
      if (reference !== null) return orderByReference(db, merchantId, reference)
      return transaction === null ? undefined : orderByTransaction(db, merchantId, { configId, transaction })
    },
    'read',
  )

/** A proven callback that names an order of another account is a finding of that order, and learns nothing about it. */
async function refuseForeign(deps: PaymentDeps, proven: ProvenCallback, now: Date): Promise<never> {
  const place = proven.reference === null ? undefined : await placeOfReference(deps.doors, proven.reference)
  if (place) {
    const { response: _, ...report } = receivedOf('callback', proven.report ?? news)
    await deps.doors.withTenant(wholeOf(place.merchantId), async (db) => {
      await refuseReport(db, place.merchantId, place.id, report, now)
      db.afterCommit(() => deps.live.announce(place.merchantId, 'webPaymentOrder'))
    })
  }
  throw new ProductError('NotFound')
}

/**
 * Takes a provider's callback: proven by its signature, applied once however often it arrives. Throws UnprovenError, NotFound for an order that this
 * account does not have, Conflict for another amount or currency, and WebPaymentProviderUnavailable, so that the provider sends it again.
 */
export async function takeCallback(deps: PaymentDeps, place: Place, request: CallbackRequest): Promise<void> {
  try {
    const { config, proven } = await provenAt(deps, place, request)
    await takeProven(deps, config, proven, request.now)
  } catch (error) {
    if (error instanceof ProviderError) throw new ProductError('WebPaymentProviderUnavailable')
    throw error
  }
}

async function takeProven(deps: PaymentDeps, config: ConfigRecord, proven: ProvenCallback, now: Date): Promise<void> {
  const { merchant_id: merchantId } = config
  const order = await named(deps, merchantId, config.id, proven)
  if (order?.config_id !== config.id) return refuseForeign(deps, proven, now)
  if (!proven.report) return queryOrder(deps, order, now)
  const step = await applySaid(deps, { merchantId, id: order.id }, receivedOf('callback', proven.report), now)
  if (step && isFinding(step.verdict)) throw new ProductError('Conflict')
  // The worker asks again if the provider does not answer now.
  if (step?.verdict === 'asked') await queryOrder(deps, { ...order }, now)
}
