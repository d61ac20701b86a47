import { ProductError } from '#contract/errors.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { largestPrice } from '#contract/vocabulary/world/money-limits.ts'
import { formatMoney } from '#domain/money/money.ts'
import { refuseField } from '../cash/refuse-field.ts'

const dayMillis = 86_400_000
const oldestDays = 90

/** The moment of a claim, in UTC without a zone. Refused if it lies ahead, or more than 90 days back. */
export function momentOfClaim(happenedAt: string, now: Date): Date {
  const moment = new Date(/Z|[+-]\d\d:?\d\d$/.test(happenedAt) ? happenedAt : `${happenedAt}Z`)
  const age = now.getTime() - moment.getTime()
  // A machine's clock may be a day off.
  if (age > oldestDays * dayMillis || age < -dayMillis) refuseField('happenedAt', 'instant')
  return moment
}

/** Refuses another currency than the merchant's, and an amount above the largest price. */
export function refuseClaimAmount({ amount, currency }: { amount: number; currency: Currency }, own: Currency): void {
  if (currency !== own) throw new ProductError('CurrencyDiffers')
  const most = largestPrice(currency)
  if (amount > most) refuseField('amount', 'maximum', { values: { maxValue: formatMoney(most, currency) } })
}
