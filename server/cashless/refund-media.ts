import type { RefundOrder } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { holdMedias } from '#database/cashless/media-acts.ts'
import { mediaList } from '#database/cashless/media-list.ts'
import { balancesOf, rechargeLimitsOf } from '#database/cashless/recharge-limit.ts'
import { refundById, type StoredRefund, saleMoney } from '#database/cashless/refund.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { findTransaction } from '#database/sales/transaction.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { isDueTo, type RefundFault, refundFaultOf } from '#domain/cashless/refund.ts'
import { formatMoney } from '#domain/money/money.ts'
import type { Deed } from '#server/http/editable.ts'
import { machineOf } from '#server/http/refuse.ts'
import { limitsOf, type RefundLimits, refuseAmount, storeRefunds } from './store-refunds.ts'

/** A refund to one medium. The caller chooses its id: the same id again is the same refund. */
export interface MediaRefund {
  id: string
  mediaId: string
  refund: RefundOrder
  /** The machine at which it is collected; without one it is credit at once. */
  device?: string | undefined
  /** The sale that it pays back. */
  transactionId?: string | undefined
  /** The claim that is refunded: a sale of its machine, near its moment, which a medium of another customer did not pay. */
  claim?: { machineId: string; happenedAt: Date }
}

/** The sale that a refund pays back. Its payer gets it: the medium that paid, or with a claim also who paid in cash or by bank card. */
async function saleOf(
  db: TenantDb,
  { transactionId, claim }: MediaRefund,
  media: { serial: string; merchant_id: string },
) {
  if (!transactionId) return undefined
  const sale = await findTransaction(db, transactionId, claim?.happenedAt)
  if (sale?.merchant_id !== media.merchant_id || (claim && sale.machine_id !== claim.machineId))
    throw new ProductError('TransactionNotFound')
  const payer = { mediaType: sale.media_type, serial: mediaSerialOf(sale.media_serial) }
  if (!isDueTo(payer, media.serial, claim !== undefined)) throw new ProductError('TransactionNotRefundable')
  return sale
}

/**
 * All that decides about a refund. The journal of the sale's machine is locked first, then the medium: of a refund and a reversal by the machine
 * at one moment, the second sees the first.
 */
async function load(db: TenantDb, order: MediaRefund) {
  const media = await mediaList.find(db, order.mediaId)
  if (!media) throw new ProductError('MediaNotFound')
  const { merchant_id: merchantId, id: mediaId } = media
  const machine = order.device === undefined ? undefined : await machineOf(db, order.device)
  if (machine && machine.merchant_id !== merchantId) throw new ProductError('MachineNotFound')
  const sale = await saleOf(db, order, media)
  if (sale) await lockJournals(db, [{ merchantId, id: sale.machine_id }])
  const state = (await holdMedias(db, merchantId, [mediaId], 'refunds')).get(mediaId)
  return {
    merchantId,
    machine,
    sale,
    earlier: await refundById(db, merchantId, order.id),
    limits: await limitsOf(db, merchantId),
    facts: {
      isBlocked: state?.status !== mediaStatuses.ok,
      sale: sale ? await saleMoney(db, sale) : null,
      balance: (await balancesOf(db, merchantId, [mediaId])).get(mediaId) ?? 0,
      largestBalance: (await rechargeLimitsOf(db, merchantId)).limits.largestBalance,
    },
  }
}

/** Whether a stored refund has the content of an order. */
const isSame = (stored: StoredRefund, { mediaId, refund, transactionId, device }: MediaRefund) =>
  stored.batch_id === null &&
  stored.media_id === mediaId &&
  stored.amount === refund.amount &&
  stored.reason === refund.reason &&
  stored.transaction_id === (transactionId ?? null) &&
  (device === undefined ? stored.kind === 'cloud' : stored.pos_id === device && stored.kind === 'machine')

function refuse(fault: RefundFault, { currency }: RefundLimits): never {
  switch (fault.code) {
    case 'MediaBlocked':
      throw new ProductError(fault.code)
    case 'BalanceAboveLimit':
      throw new ProductError(fault.code, { maximum: formatMoney(fault.maximum, currency) })
    default:
      throw new ProductError(fault.code, { refundable: formatMoney(fault.refundable, currency) })
  }
}

/** Refunds one medium, by whatever way; the same order again has no second effect. Returns the refund's id. */
export async function refundMedia(deed: Deed, order: MediaRefund): Promise<string> {
  const { merchantId, machine, sale, earlier, limits, facts } = await load(deed.db, order)
  if (earlier && !isSame(earlier, order)) throw new ProductError('RefundIdTaken')
  if (earlier) return earlier.id
  const { id, mediaId, refund, claim } = order
  refuseAmount(refund, limits)
  const fault = refundFaultOf({ ...facts, amount: refund.amount })
  if (fault) refuse(fault, limits)
  const stored: StoredRefund = {
    merchant_id: merchantId,
    id,
    batch_id: null,
    media_id: mediaId,
    kind: machine ? 'machine' : 'cloud',
    state: machine ? 'waiting' : 'done',
    amount: refund.amount,
    reason: refund.reason,
    transaction_id: sale?.id ?? null,
    transaction_at: sale?.created_at ?? null,
    pos_id: machine?.id ?? sale?.machine_id ?? claim?.machineId ?? null,
    created_at: deed.now,
    created_by: deed.user.id,
    created_by_name: deed.user.name,
  }
  await storeRefunds(deed, [stored], limits)
  return id
}
