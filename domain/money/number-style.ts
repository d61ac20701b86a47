import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { localeOf } from '../frame/locale.ts'

/** The marks in numbers: after thousands, and before decimals. */
export interface NumberMarks {
  group: string
  decimal: string
}

/** The marks of a currency's amounts, which plain numbers beside them have too. */
export const marksOf = (currency: Currency): NumberMarks => {
  const { group, decimal } = currencies[currency]
  return { group: group === ' ' ? '\u00a0' : group, decimal }
}

/** The currency in whose form all numbers are written; undefined: merchants in view write numbers differently. */
export function numbersOf(inView: readonly Currency[]): Currency | undefined {
  const [first] = inView
  if (!first) return undefined
  const { group, decimal } = currencies[first]
  const isOne = inView.every((one) => currencies[one].group === group && currencies[one].decimal === decimal)
  return isOne ? first : undefined
}

/** A number as a format writes it, with these marks in place of the language's. */
export const withMarks = (format: Intl.NumberFormat, value: number, marks: NumberMarks | undefined): string =>
  marks
    ? format
        .formatToParts(value)
        .map(({ type, value: part }) => (type === 'group' || type === 'decimal' ? marks[type] : part))
        .join('')
    : format.format(value)

/**
 * How the numbers of a file or mail are written: in the form of the amounts beside them, or else in that of its language. Thousands are grouped
 * from four digits on.
 */
export function numbersIn(language: string, currency: Currency | undefined, options: Intl.NumberFormatOptions = {}) {
  const format = new Intl.NumberFormat(localeOf(language), { useGrouping: 'always', ...options })
  const marks = currency && marksOf(currency)
  return { format: (value: number): string => withMarks(format, value, marks) }
}
