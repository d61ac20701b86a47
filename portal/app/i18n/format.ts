import { use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatMoney, shownUnits } from '#domain/money/money.ts'
import { marksOf, type NumberMarks, withMarks } from '#domain/money/number-style.ts'
import { usePreference } from '../theme/preferences.ts'
import { NumbersContext } from './numbersOf.ts'

const cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>()
function cached<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => T,
): T {
  const entry = cache.get(key)
  if (entry) return entry as T
  const made = make()
  cache.set(key, made)
  return made
}

/** The wire's instant (UTC, no suffix) as a date; undefined for null, invalid text and the zero date 0001-01-01. */
export function instantOf(text: string | null | undefined): Date | undefined {
  if (!text || text.startsWith('0001-01-01')) return undefined
  const date = new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** An instant in the wire's format. */
export const wireInstant = (date: Date) => date.toISOString().slice(0, -1)

export type InstantStyle = 'exact' | 'minute' | 'time' | 'day' | 'weekday' | 'month'
const styles = {
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  minute: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<InstantStyle, Intl.DateTimeFormatOptions>

/** Styles without a year, which is added unless it is the current one. */
const yearless: readonly InstantStyle[] = ['minute', 'weekday']

const yearOf = (date: Date, timeZone: string) =>
  cached(`year ${timeZone}`, () => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone })).format(date)

/** Writes an instant in a zone and a language, with the year where it is not that of `now`. */
export function writeInstant(
  date: Date,
  style: InstantStyle,
  language: string,
  timeZone: string,
  now: Date = new Date(),
): string {
  const isOtherYear = yearless.includes(style) && yearOf(date, timeZone) !== yearOf(now, timeZone)
  const options = {
    ...styles[style],
    ...(isOtherYear && { year: 'numeric' as const }),
    timeZone,
    hourCycle: 'h23' as const,
  }
  return cached(
    `${style} ${isOtherYear} ${language} ${timeZone}`,
    () => new Intl.DateTimeFormat(localeOf(language), options),
  ).format(date)
}

/** Writes a calendar day (`2026-11-21`), which has no zone. */
export const writeDay = (day: string, language: string, style: InstantStyle = 'day') =>
  writeInstant(new Date(`${day}T12:00:00Z`), style, language, 'UTC')

/**
 * Thousands are grouped from four digits on, in every language, like the amounts beside them. With `marks` the number has these in place of
 * the language's.
 */
export function writeNumber(
  value: number,
  language: string,
  options: Intl.NumberFormatOptions = {},
  marks?: NumberMarks,
): string {
  const format = cached(
    `n ${language} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(localeOf(language), { useGrouping: 'always', ...options }),
  )
  return withMarks(format, value, marks)
}

/** Money as the language writes it: "€1,234.50" in English, "1.234,50 €" in German. Digits and symbol are the currency's own. */
export const writeMoneyByLanguage = (minor: number, currency: Currency, language: string) => {
  const { shownDigits, symbol } = currencies[currency]
  const digits = { minimumFractionDigits: shownDigits, maximumFractionDigits: shownDigits }
  return cached(
    `m ${language} ${currency}`,
    () => new Intl.NumberFormat(localeOf(language), { style: 'currency', currency, useGrouping: 'always', ...digits }),
  )
    .formatToParts(shownUnits(minor, currency))
    .map(({ type, value }) => (type === 'currency' ? symbol : type === 'minusSign' ? '\u2212' : value))
    .join('')
}

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** How long ago, or in how long, in a short form: "32 min ago". Under ten seconds it is "now". */
export function writeRelative(date: Date, now: Date, language: string) {
  const formatOf = (numeric: 'auto' | 'always') =>
    cached(
      `r ${numeric} ${language}`,
      () => new Intl.RelativeTimeFormat(localeOf(language), { numeric, style: 'short' }),
    )
  let amount = (date.getTime() - now.getTime()) / 1000
  if (Math.abs(amount) < 10) return formatOf('auto').format(0, 'second')
  for (const [unit, size] of steps) {
    // Days have names; "last mo" is none.
    const numeric = unit === 'month' || unit === 'year' ? 'always' : 'auto'
    if (Math.abs(Math.round(amount)) < size) return formatOf(numeric).format(Math.round(amount), unit)
    amount /= size
  }
  return ''
}

/** The formatters above, bound to the current language. */
export function useFormat() {
  const { i18n } = useTranslation()
  const language = i18n.language
  const [numbers] = usePreference('money', 'currency')
  const currencyOfNumbers = use(NumbersContext)
  // One style on a screen: the merchant's, or the language's for amounts too.
  const isOfLanguage = numbers === 'language' || currencyOfNumbers === undefined
  return useMemo(() => {
    const marks = isOfLanguage ? undefined : marksOf(currencyOfNumbers)
    const number = (value: number, options?: Intl.NumberFormatOptions) => writeNumber(value, language, options, marks)
    return {
      language,
      /** For `Intl` itself. */
      locale: localeOf(language),
      number,
      /** Minor units of a currency, in the style that all numbers of the screen have. */
      money: (minor: number, currency: Currency) =>
        isOfLanguage ? writeMoneyByLanguage(minor, currency, language) : formatMoney(minor, currency),
      percent: (ratio: number, digits = 0) =>
        number(ratio, { style: 'percent', maximumFractionDigits: digits, minimumFractionDigits: digits }),
      instant: (date: Date, style: InstantStyle, timeZone: string) => writeInstant(date, style, language, timeZone),
      day: (day: string, style?: InstantStyle) => writeDay(day, language, style),
      relative: (date: Date, now: Date) => writeRelative(date, now, language),
    }
  }, [language, isOfLanguage, currencyOfNumbers])
}
