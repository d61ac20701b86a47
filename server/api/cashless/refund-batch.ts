import { randomUUIDv7 } from 'node:crypto'
import type { RefundBatch, refunds } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { batchRefundOf } from '#contract/rules/media.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { holdMedias } from '#database/cashless/media-acts.ts'
import { mediasBySerial } from '#database/cashless/media-list.ts'
import { balancesOf, rechargeLimitsOf } from '#database/cashless/recharge-limit.ts'
import {
  findBatch,
  insertBatch,
  refundsOfBatch,
  type StoredBatch,
  type StoredRefund,
} from '#database/cashless/refund.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { refundFaultOf } from '#domain/cashless/refund.ts'
import { limitsOf, refuseAmount, storeRefunds } from '#server/cashless/store-refunds.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'

/** Refuses more media than the deployment refunds at once. */
function refuseMany(serials: readonly string[], maxSize: number): void {
  if (batchRefundOf(maxSize).safeParse(serials).success) return
  throw new ProductError('ValidationFailed', {
    errors: [{ path: 'mediaSerials', code: 'custom', message: 'batchRefund', rule: 'batchRefund', maxSize }],
  })
}

const answerOf = async (
  db: TenantDb,
  merchantId: string,
  { id, amount, reason, created_at, refused }: StoredBatch,
  currency: RefundBatch['currency'],
): Promise<RefundBatch> => ({
  id,
  amount,
  currency,
  reason,
  refused,
  createdAt: toWire(created_at),
  refunded: await refundsOfBatch(db, merchantId, id),
})

/**
 * Refunds the same amount to many media, in one transaction: a batch that is cut off did nothing, and the same batch sent again does it. Once
 * done, it is only answered again. Media that are blocked or unknown get nothing, and the answer names them.
 */
export const refundBatch: Handlers<Pick<typeof refunds, 'refundBatch'>>['refundBatch'] = async (call) => {
  const { db, params, body, user, now, config } = call
  const { merchantId } = params
  if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  refuseMany(body.mediaSerials, config.BATCH_REFUND_MAX)
  const machine = body.device === undefined ? undefined : await machineOf(db, body.device)
  // A serial that is named twice gets one refund.
  const serials = [...new Set(body.mediaSerials.map((typed) => mediaSerialOf(typed) ?? typed))]
  const medias = await mediasBySerial(db, merchantId, serials)
  const states = await holdMedias(
    db,
    merchantId,
    [...medias.values()].map(({ id }) => id),
    'refunds',
  )
  const limits = await limitsOf(db, merchantId)
  const stored = await findBatch(db, merchantId, body.id)
  if (stored) {
    const isSame =
      stored.amount === body.refund.amount &&
      stored.reason === body.refund.reason &&
      stored.pos_id === (machine?.id ?? null) &&
      stored.medias.join(' ') === serials.join(' ')
    if (!isSame) throw new ProductError('RefundIdTaken')
    return answerOf(db, merchantId, stored, limits.currency)
  }
  refuseAmount(body.refund, limits)
  const stateOf = (serial: string) => states.get(medias.get(serial)?.id ?? '')
  const { largestBalance } = (await rechargeLimitsOf(db, merchantId)).limits
  const balances = await balancesOf(db, merchantId, [...states.keys()])
  const refused = serials.flatMap((mediaSerial): StoredBatch['refused'] => {
    const state = stateOf(mediaSerial)
    if (!state) return [{ mediaSerial, reason: 'unknownMedia' }]
    const isBlocked = state.status !== mediaStatuses.ok
    const balance = balances.get(state.id) ?? 0
    const fault = refundFaultOf({ amount: body.refund.amount, isBlocked, sale: null, balance, largestBalance })
    return fault ? [{ mediaSerial, reason: fault.code === 'MediaBlocked' ? 'blocked' : 'balanceAboveLimit' }] : []
  })
  const isRefused = new Set(refused.map(({ mediaSerial }) => mediaSerial))
  const refundable = serials.flatMap((serial) => (isRefused.has(serial) ? [] : (stateOf(serial) ?? [])))
  if (refundable.length === 0) throw new ProductError('NoMediasRefunded', { refused })
  const batch: StoredBatch = {
    id: body.id,
    amount: body.refund.amount,
    reason: body.refund.reason,
    pos_id: machine?.id ?? null,
    created_at: now,
    medias: serials,
    refused,
  }
  await insertBatch(db, merchantId, batch, user)
  const refundsOfAll = refundable.map(
    (media): StoredRefund => ({
      merchant_id: merchantId,
      id: randomUUIDv7(),
      batch_id: batch.id,
      media_id: media.id,
      kind: machine ? 'machine' : 'cloud',
      state: machine ? 'waiting' : 'done',
      amount: batch.amount,
      reason: batch.reason,
      transaction_id: null,
      transaction_at: null,
      pos_id: batch.pos_id,
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
    }),
  )
  await storeRefunds(call, refundsOfAll, limits)
  return answerOf(db, merchantId, batch, limits.currency)
}
