import type { SaleItem } from '#contract/device-protocol.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { largestPrice } from '#contract/vocabulary/world/money-limits.ts'

/**
 * Whether a sale may be in the sums. A vend above the largest price has wrong decimals or a broken counter: it would make a day's turnover
 * meaningless, and nothing would show it. Recharges have limits of their own; collections and other transactions have none.
 */
export const isPlausible = (
  { type, value, valueCharge }: Pick<SaleItem, 'type' | 'value' | 'valueCharge'>,
  currency: Currency,
): boolean =>
  !(saleTypes as readonly number[]).includes(type) ||
  Math.max(Math.abs(value), Math.abs(valueCharge)) <= largestPrice(currency)
