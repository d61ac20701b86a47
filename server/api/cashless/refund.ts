import type { Refund, RefundOrder, refunds } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { holdMedias } from '#database/cashless/media-acts.ts'
import { listRefunds, type RefundRow, refundBy, type StoredRefund } from '#database/cashless/refund.ts'
import { findTransaction } from '#database/sales/transaction.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { refundableOf } from '#domain/cashless/refund.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'
import { giveBack, limitsOf, refuseAmount } from './give-back.ts'
import { mediaOf } from './media.ts'
import { refundBatch } from './refund-batch.ts'

const present = (row: RefundRow): Refund => ({
  id: row.id,
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  timeZone: row.time_zone,
  currency: row.currency,
  mediaId: row.media_id,
  mediaSerial: row.media_serial,
  kind: row.kind,
  state: row.state,
  amount: row.amount,
  reason: row.reason,
  transactionId: row.transaction_id,
  transactionAt: toWireOrNull(row.transaction_at),
  posId: row.pos_id,
  posName: row.pos_name,
  batchId: row.batch_id,
  createdAt: toWire(row.created_at),
  createdBy: row.created_by_shown,
  collectedAt: toWireOrNull(row.collected_at),
})

type OneRefund = TenantCall & {
  params: { mediaId: string }
  body: { id: string; refund: RefundOrder; device?: string; transactionId?: string | undefined }
}

/** The failed vend or other sale that a refund pays back, as far as it may. */
async function saleOf({ db, body }: OneRefund, serial: string, merchantId: string) {
  if (!body.transactionId) return undefined
  const sale = await findTransaction(db, body.transactionId)
  if (sale?.merchant_id !== merchantId) throw new ProductError('TransactionNotFound')
  const refusal = refundableOf({ ...sale, serial: mediaSerialOf(sale.media_serial) }, serial, body.refund.amount)
  if (refusal) throw new ProductError(refusal, refusal === 'RefundAboveSale' ? { value: sale.value } : undefined)
  if (await refundBy(db, merchantId, { transactionId: sale.id })) throw new ProductError('TransactionRefunded')
  return sale
}

/** A refund to one medium. The same key again gets the same answer. */
export async function refundOne(call: OneRefund): Promise<Refund> {
  const { db, params, body, user, now } = call
  const { merchant_id, id: mediaId, serial } = await mediaOf(call, params.mediaId)
  const machine = body.device === undefined ? undefined : await machineOf(db, body.device)
  if (machine && machine.merchant_id !== merchant_id) throw new ProductError('MachineNotFound')
  const state = (await holdMedias(db, merchant_id, [mediaId], 'refunds')).get(mediaId)
  const known = await refundBy(db, merchant_id, { id: body.id })
  if (known) {
    if (!isSame(known, call, mediaId)) throw new ProductError('RefundIdTaken')
    return refundOf(call, known.id)
  }
  const limits = await limitsOf(call, merchant_id)
  refuseAmount(body.refund, limits)
  if (state?.status !== 0) throw new ProductError('MediaBlocked')
  const sale = await saleOf(call, serial, merchant_id)
  const refund: StoredRefund = {
    ...{ merchant_id, id: body.id, batch_id: null, media_id: mediaId },
    kind: machine ? 'machine' : 'cloud',
    state: machine ? 'waiting' : 'done',
    ...{ amount: body.refund.amount, reason: body.refund.reason },
    transaction_id: sale?.id ?? null,
    transaction_at: sale?.created_at ?? null,
    pos_id: machine?.id ?? sale?.machine_id ?? null,
    ...{ created_at: now, created_by: user.id, created_by_name: user.name },
  }
  await giveBack(call, [refund], limits)
  return refundOf(call, refund.id)
}

/** Whether a stored refund has the content of this call. */
const isSame = (known: StoredRefund, { body }: OneRefund, mediaId: string) =>
  known.batch_id === null &&
  known.media_id === mediaId &&
  known.amount === body.refund.amount &&
  known.reason === body.refund.reason &&
  known.transaction_id === (body.transactionId ?? null) &&
  (body.device === undefined ? known.kind === 'cloud' : known.pos_id === body.device && known.kind === 'machine')

async function refundOf({ db, user }: Pick<TenantCall, 'db' | 'user'>, id: string): Promise<Refund> {
  const { rows } = await listRefunds(db, {}, { page: 1, size: 1 }, seesInvisible(user), id)
  if (!rows[0]) throw new ProductError('RefundNotFound')
  return present(rows[0])
}

export const refundHandlers: Handlers<typeof refunds> = {
  listRefunds: async ({ db, query, user }) => {
    refuseReversed(query)
    const { rows, ...page } = await listRefunds(db, query, query, seesInvisible(user))
    return { items: rows.map(present), ...page }
  },

  listMediaRefunds: async (call) => {
    const { db, query, user } = call
    const { id } = await mediaOf(call, call.params.mediaId)
    const { rows, ...page } = await listRefunds(db, { mediaIds: [id] }, query, seesInvisible(user))
    return { items: rows.map(present), ...page }
  },

  getRefund: (call) => refundOf(call, call.params.refundId),

  getRefundLimits: async (call) => {
    if (call.params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const { currency, maximum } = await limitsOf(call, call.params.merchantId)
    return { currency, maximumRefund: maximum, batchMaximum: call.config.BATCH_REFUND_MAX }
  },

  refundMedia: (call) => refundOne(call),
  refundMediaAtMachine: (call) => refundOne(call),
  refundBatch,
}
