import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { withoutTrailing } from '../frame/trailing.ts'
import { formatAmount } from './money.ts'

/*
 * Numbers as people type and paste them: "1.234,56" and "1,234.56" are the same, whatever the language, since the last mark of
 * two kinds parts the decimals. A single mark means what it means in the reader's language; where three digits follow the
 * language's mark of thousands, it groups them. Amounts are never floats on their way.
 */

interface Decimal {
  isNegative: boolean
  whole: string
  fraction: string
}

const isGrouped = (whole: string, mark: string) =>
  new RegExp(`^\\d{1,3}(\\${mark}\\d{3})+$`).test(whole) && !/^0/.test(whole)

/** The digits of a typed number; `decimal` is the reader's decimal mark. Undefined if it is not one number. */
export function readDecimal(text: string, decimal: '.' | ','): Decimal | undefined {
  const bare = text.replace(/[\s\u00a0\u202f'’]/g, '')
  const [, sign = '', body = ''] = /^([-\u2212]?)([\d.,]+)$/.exec(bare) ?? []
  if (!/\d/.test(body)) return undefined
  const amount = (whole: string, fraction = '') => ({ isNegative: sign !== '', whole: whole || '0', fraction })
  const marks = body.replace(/\d/g, '')
  if (marks === '') return amount(body)
  const last = marks.at(-1) as '.' | ','
  const head = body.slice(0, body.lastIndexOf(last))
  const tail = body.slice(body.lastIndexOf(last) + 1)
  const other = last === '.' ? ',' : '.'
  if (marks.includes(other)) {
    if (head.includes(last) || !isGrouped(head, other)) return undefined
    return amount(head.replaceAll(other, ''), tail)
  }
  const isThousands = isGrouped(body, last)
  if (marks.length > 1 || (last !== decimal && isThousands))
    return isThousands ? amount(body.replaceAll(last, '')) : undefined
  return amount(head, tail)
}

/** A typed number with a maximum number of decimals. */
export function readNumber(text: string, decimal: '.' | ',', digits: number): number | undefined {
  const read = readDecimal(text, decimal)
  if (!read || withoutTrailing(read.fraction, '0').length > digits) return undefined
  const value = Number(`${read.whole}.${read.fraction}`)
  return Number.isSafeInteger(Math.trunc(value)) ? (read.isNegative ? -value : value) : undefined
}

/** A typed amount in a currency's units, as minor units. Nothing when it has decimals that the currency does not store. */
export function readAmount(text: string, currency: Currency): number | undefined {
  const { storageDigits, decimal, symbol } = currencies[currency]
  const read = readDecimal(text.replace(symbol, ''), decimal)
  const fraction = withoutTrailing(read?.fraction ?? '', '0')
  if (!read || fraction.length > storageDigits) return undefined
  const minor = Number(read.whole + fraction.padEnd(storageDigits, '0'))
  return Number.isSafeInteger(minor) ? (read.isNegative ? -minor : minor) : undefined
}

/** Whether a text is an amount that has more decimals than its currency stores, such as 1,005 in euro. */
export function hasTooManyDecimals(text: string, currency: Currency): boolean {
  const { storageDigits, decimal, symbol } = currencies[currency]
  const read = readDecimal(text.replace(symbol, ''), decimal)
  return read !== undefined && withoutTrailing(read.fraction, '0').length > storageDigits
}

/** An amount to be edited: as it is shown everywhere, but never without decimals that it has. */
export function writeAmount(minor: number, currency: Currency): string {
  const { storageDigits, shownDigits, decimal } = currencies[currency]
  const hidden = 10 ** (storageDigits - shownDigits)
  if (minor % hidden === 0) return formatAmount(minor, currency)
  const rest = String(Math.abs(minor) % 10 ** storageDigits).padStart(storageDigits, '0')
  const whole = Math.trunc(minor / 10 ** storageDigits) * 10 ** storageDigits
  const sign = minor < 0 && whole === 0 ? '\u2212' : ''
  return `${sign}${formatAmount(whole, currency)}${decimal}${rest}`
}
