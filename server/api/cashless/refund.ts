import { Refund, type refunds } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { listRefunds, type RefundRow } from '#database/cashless/refund.ts'
import { refundMedia } from '#server/cashless/refund-media.ts'
import { limitsOf } from '#server/cashless/store-refunds.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { mediaOf } from './media.ts'
import { refundBatch } from './refund-batch.ts'

const present = (row: RefundRow): Refund => wireOf(Refund, row, { createdBy: row.created_by_shown })

const refundOne = async (call: TenantCall, order: Parameters<typeof refundMedia>[1]): Promise<Refund> =>
  refundOf(call, await refundMedia(call, order))

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
    const { currency, maximum } = await limitsOf(call.db, call.params.merchantId)
    return { currency, maximumRefund: maximum, batchMaximum: call.config.BATCH_REFUND_MAX }
  },

  refundMedia: (call) => refundOne(call, { ...call.body, mediaId: call.params.mediaId }),
  refundMediaAtMachine: (call) => refundOne(call, { ...call.body, mediaId: call.params.mediaId }),
  refundBatch,
}
