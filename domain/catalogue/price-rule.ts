import { mostPrice, type PriceRounding, type PriceWarning } from '#contract/vocabulary/catalogue/price.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'

/** A change of a price that needs nothing but the price. Percent has up to two decimals. */
export type PriceArithmetic =
  | { kind: 'set'; price: number }
  | { kind: 'add'; amount: number }
  | { kind: 'percent'; percent: number; rounding: PriceRounding }

/** The smallest unit that a screen shows, in minor units: 1 cent of EUR, 100 centavos of COP. */
export const shownUnit = (currency: Currency): number => {
  const { storageDigits, shownDigits } = currencies[currency]
  return 10 ** (storageDigits - shownDigits)
}

const steps: Record<PriceRounding, { units: number; isUp: boolean }> = {
  none: { units: 1, isUp: false },
  nearest5: { units: 5, isUp: false },
  nearest10: { units: 10, isUp: false },
  up5: { units: 5, isUp: true },
  up10: { units: 10, isUp: true },
}

/** A price of at least zero, rounded to a step: half a step is rounded up. */
function roundTo(price: number, rounding: PriceRounding, currency: Currency): number {
  const { units, isUp } = steps[rounding]
  const step = units * shownUnit(currency)
  const rest = price % step
  if (rest === 0) return price
  return price - rest + (isUp || rest * 2 >= step ? step : 0)
}

const hundredthsOf = (percent: number) => Math.round(percent * 100)
const whole = 100 * 100

/** A price raised by a percentage, half a minor unit rounded up. Products of both limits are exact integers. */
const raised = (price: number, percent: number) =>
  Math.floor((2 * price * (whole + hundredthsOf(percent)) + whole) / (2 * whole))

/**
 * A price in minor units after a change; never below zero. Null: the change needs a price and there is none, or the new price would be
 * larger than a price can be.
 */
export function changedPrice(before: number | null, rule: PriceArithmetic, currency: Currency): number | null {
  if (rule.kind === 'set') return within(rule.price)
  if (before === null) return null
  if (rule.kind === 'add') return within(before + rule.amount)
  return within(roundTo(Math.max(0, raised(before, rule.percent)), rule.rounding, currency))
}

/**
 * Why a new price needs a confirmation of its own; null if it needs none. Without a price before there is nothing to compare with. `band`:
 * the merchant's limit of a usual change, in percent.
 */
export function priceWarning(
  before: number | null,
  after: number,
  band: number,
  rule?: PriceArithmetic,
): PriceWarning | null {
  if (before === after) return null
  if (rule?.kind === 'add' && before !== null && before + rule.amount < 0) return 'clamped'
  if (after === 0) return 'zero'
  if (before === null) return null
  return Math.abs(after - before) * 100 > before * band ? 'band' : null
}

const within = (price: number) => (price > mostPrice ? null : Math.max(0, price))
