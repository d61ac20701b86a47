import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'

const noBreak = '\u00a0'
const minus = '\u2212'

/** Digits in groups of three from the end. */
function grouped(digits: string, mark: string): string {
  const first = digits.length % 3 || 3
  const groups = [digits.slice(0, first)]
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3))
  return groups.join(mark === ' ' ? noBreak : mark)
}

/**
 * An amount as a person reads it: symbol, no-break space, grouped digits. `minor` is in the currency's storage digits; the
 * shown digits round half away from zero.
 */
export function formatMoney(minor: number, currency: Currency): string {
  return `${currencies[currency].symbol}${noBreak}${formatAmount(minor, currency)}`
}

/** An amount as it is shown, in the currency's own units: rounded half away from zero to the shown digits. */
export function shownUnits(minor: number, currency: Currency): number {
  const { storageDigits, shownDigits } = currencies[currency]
  const units = roundHalfAway(Math.abs(minor), storageDigits - shownDigits) / 10 ** shownDigits
  return minor < 0 && units > 0 ? -units : units
}

/** The same without the symbol. */
export function formatAmount(minor: number, currency: Currency): string {
  const { storageDigits, shownDigits, group, decimal } = currencies[currency]
  const units = roundHalfAway(Math.abs(minor), storageDigits - shownDigits)
  const digits = String(units).padStart(shownDigits + 1, '0')
  const whole = grouped(digits.slice(0, digits.length - shownDigits), group)
  const fraction = shownDigits > 0 ? decimal + digits.slice(-shownDigits) : ''
  const sign = minor < 0 && units > 0 ? minus : ''
  return `${sign}${whole}${fraction}`
}

/** The largest integers cannot hold an added half, so an amount that keeps all digits is not rounded. */
const roundHalfAway = (minor: number, dropped: number) =>
  dropped === 0 ? minor : Math.floor(minor / 10 ** dropped + 0.5)

/** Minor units as a plain decimal number, for charts and spreadsheets. */
export const toMajor = (minor: number, currency: Currency): number => minor / 10 ** currencies[currency].storageDigits
