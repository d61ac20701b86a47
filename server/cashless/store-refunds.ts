import type { RefundOrder } from '#contract/cashless/refund.ts'
import { ProductError } from '#contract/errors.ts'
import { refundBelow } from '#contract/rules/media.ts'
import { addCredit } from '#database/cashless/credit.ts'
import { insertRefunds, refundLimits, type StoredRefund } from '#database/cashless/refund.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import type { Deed } from '#server/http/editable.ts'

export type RefundLimits = NonNullable<Awaited<ReturnType<typeof refundLimits>>>

/** The limits of a merchant's refunds. */
export async function limitsOf(db: TenantDb, merchantId: string): Promise<RefundLimits> {
  const limits = await refundLimits(db, merchantId)
  if (!limits) throw new ProductError('MerchantNotFoundException')
  return limits
}

/** Refuses another currency, and an amount that is not below the merchant's maximum. */
export function refuseAmount({ amount, currency }: RefundOrder, limits: RefundLimits): void {
  if (currency !== limits.currency) throw new ProductError('RefundCurrencyDiffers', { currency: limits.currency })
  const broken = refundBelow(limits.maximum, limits.currency).safeParse(amount).error?.issues[0]
  if (!broken) return
  const { message, ...issue } = broken as typeof broken & { params?: object }
  throw new ProductError('ValidationFailed', {
    errors: [{ path: 'refund.amount', code: issue.code, message, rule: message, ...issue.params }],
  })
}

/** Stores refunds, credits their media, writes the log, and announces them after the commit. */
export async function storeRefunds(
  deed: Deed,
  storedRefunds: readonly StoredRefund[],
  { unlockHours }: RefundLimits,
): Promise<void> {
  const { db, user, now, live } = deed
  const merchantId = (storedRefunds[0] as StoredRefund).merchant_id
  await insertRefunds(db, storedRefunds)
  await addCredit(
    db,
    merchantId,
    storedRefunds.map(({ id, media_id, amount, kind, pos_id, transaction_id, reason }) => ({
      kind: 'refund',
      key: `refund ${id}`,
      mediaId: media_id,
      credit: amount,
      from: { kind: 'refunds', ownerId: merchantId },
      cause: {
        at: now,
        posId: pos_id ?? undefined,
        refundId: id,
        transactionId: transaction_id ?? undefined,
        user,
        note: reason,
      },
      ...(kind === 'machine' &&
        pos_id && {
          collectAt: { posId: pos_id, refundId: id, expiresAt: new Date(now.getTime() + unlockHours * 3_600_000) },
        }),
    })),
    now,
  )
  await recordChanges(
    db,
    storedRefunds.map(({ id, media_id, kind, amount, reason, pos_id, transaction_id }) => ({
      merchantId,
      at: now,
      user,
      action: 'refund.create',
      subjectType: 'refund',
      subjectId: id,
      after: { mediaId: media_id, kind, amount, reason, posId: pos_id, transactionId: transaction_id },
    })),
  )
  db.afterCommit(() => {
    live.announce(merchantId, 'refund')
    live.announce(merchantId, 'media')
    for (const { pos_id, transaction_id } of storedRefunds)
      if (transaction_id && pos_id) live.announce(merchantId, 'transaction', pos_id)
  })
}
