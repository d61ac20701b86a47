import { isBelowMaximum } from '#contract/rules/media.ts'
import { ownMediaTypes, type SaleRefusal } from '#contract/vocabulary/cashless.ts'
import { mediaTypes, saleTypes } from '#contract/vocabulary/transaction.ts'

/** What is known of the money of a transaction. Minor units. */
export interface SaleMoney {
  type: number
  /** What its payer paid; also for a failed vend. */
  charged: number
  /** What the machine itself gave back for it. */
  reversed: number
  /** What was refunded for it before, whatever the way: by its transaction, by a claim, at a machine. */
  refunded: number
}

/** Minor units that may still be refunded of a sale: what was charged, less what went back. */
export function refundableOf({ type, charged, reversed, refunded }: SaleMoney): number {
  if (!saleTypes.includes(type)) return 0
  return Math.max(0, charged - reversed - refunded)
}

/** Why a sale is not refunded by an amount. */
export type RefundRefusal =
  | 'TransactionNotRefundable'
  | 'TransactionReversed'
  | 'TransactionRefunded'
  | 'RefundAboveSale'

/** Why a sale is not refunded by an amount of minor units; null: it may. All ways to a refund apply it. */
export function refundRefusalOf(sale: SaleMoney, amount: number): RefundRefusal | null {
  if (!saleTypes.includes(sale.type) || sale.charged <= 0) return 'TransactionNotRefundable'
  if (sale.reversed >= sale.charged) return 'TransactionReversed'
  const refundable = refundableOf(sale)
  if (refundable === 0) return 'TransactionRefunded'
  return amount > refundable ? 'RefundAboveSale' : null
}

/** What decides about a refund of an amount to a medium. Minor units. */
export interface RefundCase {
  amount: number
  isBlocked: boolean
  /** The sale that it pays back; null: none. */
  sale: SaleMoney | null
  /** The credit of the medium, and the most that it may have. */
  balance: number
  largestBalance: number
}

export type RefundFault =
  | { code: 'MediaBlocked' }
  | { code: RefundRefusal; refundable: number }
  | { code: 'BalanceAboveLimit'; maximum: number }

/** Why an amount is not refunded to a medium; null: it is. All ways to a refund apply it. */
export function refundFaultOf({ amount, isBlocked, sale, balance, largestBalance }: RefundCase): RefundFault | null {
  if (isBlocked) return { code: 'MediaBlocked' }
  const code = sale && refundRefusalOf(sale, amount)
  if (code) return { code, refundable: refundableOf(sale) }
  return balance + amount > largestBalance ? { code: 'BalanceAboveLimit', maximum: largestBalance } : null
}

interface Payer {
  mediaType: number
  /** The medium that paid, as media have it; null: cash, a bank card, or no serial. */
  serial: string | null
}

/** Whether a sale was paid by a medium of the merchant. Its refund is due to this medium alone. */
export const isPaidByMedia = ({ mediaType, serial }: Payer): boolean =>
  serial !== null && ownMediaTypes.includes(mediaType)

/** Whether the refund of a sale is due to a medium: it paid, or, where a customer claims it, nothing of the merchant's did. */
export const isDueTo = (payer: Payer, serial: string, isClaimed: boolean): boolean =>
  payer.serial === serial || (isClaimed && !isPaidByMedia(payer))

/** What decides whether a failed vend is refunded to its payer. Minor units. */
export interface FailedVend {
  sale: SaleMoney
  payer: Payer
  /** The registered medium that paid; null: none. */
  media: { isBlocked: boolean; balance: number } | null
  /** A refund is below it. */
  maximum: number
  largestBalance: number
}

const refusalOf = {
  TransactionNotRefundable: 'uncharged',
  TransactionReversed: 'reversed',
  TransactionRefunded: 'refunded',
  RefundAboveSale: 'refunded',
  MediaBlocked: 'blockedMedia',
  BalanceAboveLimit: 'balanceAboveLimit',
} as const satisfies Record<RefundFault['code'], SaleRefusal>

/** Why what is left of a failed vend is not refunded to its payer; null: it is. The same rules as of any refund. */
export function saleRefusalOf({ sale, payer, media, maximum, largestBalance }: FailedVend): SaleRefusal | null {
  const amount = refundableOf(sale)
  const ofSale = refundRefusalOf(sale, amount)
  if (ofSale) return refusalOf[ofSale]
  if (!media && payer.mediaType === mediaTypes.cash) return 'cash'
  if (!media) return ownMediaTypes.includes(payer.mediaType) ? 'unknownMedia' : 'card'
  if (!isBelowMaximum(amount, maximum)) return 'aboveMaximum'
  const fault = refundFaultOf({ ...media, amount, sale, largestBalance })
  return fault && refusalOf[fault.code]
}
