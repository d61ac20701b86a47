import { Refund, type RefundOrder, type refunds } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { holdMedias } from '#database/cashless/media-acts.ts'
import { listRefunds, type RefundRow, refundById, type StoredRefund, saleMoney } from '#database/cashless/refund.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { findTransaction, type TransactionRecord } from '#database/sales/transaction.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { isPaidByMedia, refundableOf, refundRefusalOf } from '#domain/cashless/refund.ts'
import { formatMoney } from '#domain/money/money.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { mediaOf } from './media.ts'
import { refundBatch } from './refund-batch.ts'
import { aboveLargestBalance, limitsOf, refuseAmount, storeRefunds } from './store-refunds.ts'

const present = (row: RefundRow): Refund => wireOf(Refund, row, { createdBy: row.created_by_shown })

type OneRefund = TenantCall & {
  params: { mediaId: string }
  body: { id: string; refund: RefundOrder; device?: string; transactionId?: string | undefined }
  /** The claim that is refunded: a sale of its machine, near its moment, which a medium of another customer did not pay. */
  claim?: { machineId: string; happenedAt: Date }
}

/** The sale that a refund pays back. Its payer gets it: the medium that paid, or with a claim also who paid in cash or by bank card. */
async function saleOf({ db, body, claim }: OneRefund, serial: string, merchantId: string) {
  if (!body.transactionId) return undefined
  const sale = await findTransaction(db, body.transactionId, claim?.happenedAt)
  if (sale?.merchant_id !== merchantId || (claim && sale.machine_id !== claim.machineId))
    throw new ProductError('TransactionNotFound')
  const payer = { mediaType: sale.media_type, serial: mediaSerialOf(sale.media_serial) }
  if (isPaidByMedia(payer) || !claim) {
    if (payer.serial !== serial) throw new ProductError('TransactionNotRefundable')
  }
  return sale
}

/** Refuses more than may still be refunded of a sale. The caller has locked what changes it. */
async function refuseSale(db: TenantDb, sale: TransactionRecord, amount: number): Promise<void> {
  const money = await saleMoney(db, sale)
  const refusal = refundRefusalOf(money, amount)
  if (refusal)
    throw new ProductError(refusal, { refundable: formatMoney(refundableOf(money), sale.currency as Currency) })
}

/**
 * A refund to one medium, by whatever way. The same key again gets the same answer. The journal of the sale's machine is locked first: of a refund
 * and a reversal by the machine at one moment, the second sees the first.
 */
export async function refundOne(call: OneRefund): Promise<Refund> {
  const { db, params, body, user, now } = call
  const { merchant_id, id: mediaId, serial } = await mediaOf(call, params.mediaId)
  const machine = body.device === undefined ? undefined : await machineOf(db, body.device)
  if (machine && machine.merchant_id !== merchant_id) throw new ProductError('MachineNotFound')
  const sale = await saleOf(call, serial, merchant_id)
  if (sale) await lockJournals(db, [{ merchantId: merchant_id, id: sale.machine_id }])
  const state = (await holdMedias(db, merchant_id, [mediaId], 'refunds')).get(mediaId)
  const known = await refundById(db, merchant_id, body.id)
  if (known) {
    if (!isSame(known, call, mediaId)) throw new ProductError('RefundIdTaken')
    return refundOf(call, known.id)
  }
  const limits = await limitsOf(call, merchant_id)
  refuseAmount(body.refund, limits)
  if (state?.status !== mediaStatuses.ok) throw new ProductError('MediaBlocked')
  if (sale) await refuseSale(db, sale, body.refund.amount)
  const above = await aboveLargestBalance(db, merchant_id, [mediaId], body.refund.amount)
  if (above.mediaIds.size > 0)
    throw new ProductError('BalanceAboveLimit', { maximum: formatMoney(above.largest, limits.currency) })
  const refund: StoredRefund = {
    merchant_id,
    id: body.id,
    batch_id: null,
    media_id: mediaId,
    kind: machine ? 'machine' : 'cloud',
    state: machine ? 'waiting' : 'done',
    amount: body.refund.amount,
    reason: body.refund.reason,
    transaction_id: sale?.id ?? null,
    transaction_at: sale?.created_at ?? null,
    pos_id: machine?.id ?? sale?.machine_id ?? call.claim?.machineId ?? null,
    created_at: now,
    created_by: user.id,
    created_by_name: user.name,
  }
  await storeRefunds(call, [refund], limits)
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
  const { rows } = await listRefunds(db, { page: 1, size: 1 }, seesInvisible(user), id)
  if (!rows[0]) throw new ProductError('RefundNotFound')
  return present(rows[0])
}

export const refundHandlers: Handlers<typeof refunds> = {
  listRefunds: async ({ db, query, user }) => {
    refuseReversed(query)
    const { rows, ...page } = await listRefunds(db, query, seesInvisible(user))
    return { items: rows.map(present), ...page }
  },

  listMediaRefunds: async (call) => {
    const { db, query, user } = call
    const { id } = await mediaOf(call, call.params.mediaId)
    const { rows, ...page } = await listRefunds(db, { ...query, mediaIds: [id] }, seesInvisible(user))
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
