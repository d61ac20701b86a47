import type { Report, ReportRow } from '#contract/insight/report.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { type ReportDimension, type ReportFigure, reportFigures } from '#contract/vocabulary/insight/report.ts'
import { namesOf } from '#contract/vocabulary/numbers.ts'
import { mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatMoney } from '#domain/money/money.ts'
import { numbersIn, numbersOf } from '#domain/money/number-style.ts'
import { changeOf } from '#domain/time/comparison.ts'
import type { Period } from '#domain/time/period.ts'
import { alarmNamesIn } from '#server/export/speech.ts'
import { wordsIn } from '../../words/words.ts'

const severities = Object.fromEntries(Object.entries(alarmCriticities).map(([name, code]) => [String(code), name]))

/** A report in words of one language, for files and mail. */
export function reportWords(
  language: Language,
  { parameter, totals = [] }: Pick<Report, 'parameter'> & Partial<Pick<Report, 'totals'>>,
) {
  const t = wordsIn(language, 'report')
  const vocabulary = wordsIn(language, 'vocabulary')
  const alarmName = alarmNamesIn(language)
  // All numbers of a file have the form of its amounts.
  const currency = numbersOf(totals.map((total) => total.currency))
  const number = numbersIn(language, currency)
  const percent = numbersIn(language, currency, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const change = numbersIn(language, currency, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  const signed = numbersIn(language, currency, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const day = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const dayOf = (text: string) => day.format(new Date(`${text}T12:00:00Z`))
  const coded = (table: Readonly<Record<string, string | undefined>>, group: string, code: string) => {
    const name = table[code]
    return name ? vocabulary(`${group}.${name}`) : code
  }
  const keyName = (
    dimension: ReportDimension,
    key: string | null,
    label: string | null,
    currency: Currency,
  ): string => {
    if (key === null) return t(`none.${dimension}`)
    switch (dimension) {
      case 'productType':
        return coded(productTypes, 'productType', key)
      case 'priceTable':
        return coded(namesOf(priceTables), 'priceTable', key)
      case 'media':
        return coded(namesOf(mediaTypes), 'mediaType', key)
      case 'transactionType':
        return coded(namesOf(transactionTypes), 'transactionType', key)
      case 'hour':
        return `${key.padStart(2, '0')}:00`
      case 'alarm':
        return alarmName(key)
      case 'severity':
        return coded(severities, 'alarmCriticity', key)
      case 'denomination':
        return formatMoney(Number(key), currency)
      case 'refundKind':
        return vocabulary(`refundKind.${key}`)
      case 'refundState':
        return vocabulary(`refundState.${key}`)
      case 'month':
        return month.format(new Date(`${key.slice(0, 4)}-${key.slice(4)}-15T12:00:00Z`))
      case 'group':
        return label ?? t('none.otherGroup')
      case 'route':
        return label ?? t('none.deletedRoute')
      case 'stockPlace':
        return label ?? t('none.deletedPlace')
      case 'stockProduct':
        return label ?? t('none.product')
      default:
        return label ?? key
    }
  }
  return {
    t,
    number,
    percent,
    period: ({ startDate, endDate }: Period) =>
      startDate === endDate ? dayOf(startDate) : `${dayOf(startDate)} – ${dayOf(endDate)}`,
    dimension: (dimension: ReportDimension) =>
      dimension === 'parameter' && parameter !== null ? parameter : t(`by.${dimension}`),
    /** The names of a row's keys. */
    names: (by: readonly ReportDimension[], row: Pick<ReportRow, 'keys' | 'labels' | 'currency'>) =>
      by.map((dimension, at) => keyName(dimension, row.keys[at] ?? null, row.labels[at] ?? null, row.currency)),
    value: (figure: ReportFigure, value: number | null | undefined, currency: Currency): string => {
      if (value === null || value === undefined) return '–'
      if (reportFigures[figure] === 'money') return formatMoney(value, currency)
      return (reportFigures[figure] === 'percent' ? percent : number).format(
        reportFigures[figure] === 'percent' ? value : Math.round(value * 10) / 10,
      )
    },
    change: (figure: ReportFigure, value: number | null | undefined, before: number | null | undefined): string => {
      if (value === null || value === undefined || before === null || before === undefined) return ''
      if (reportFigures[figure] === 'percent')
        return wordsIn(language, 'ui')('compare.points', { points: signed.format((value - before) * 100) })
      const ratio = changeOf(value, before)
      return ratio === undefined ? '' : change.format(ratio)
    },
    /** What the figures are compared with. */
    compared: ({ compare, compared }: Pick<Report, 'compare' | 'compared'>): string => {
      const ui = wordsIn(language, 'ui')
      const [first] = compared
      if (!compare || !first) return ''
      if (compare === 'usual') return ui('compare.vsUsual', { day: dayOf(compared.at(-1)?.startDate ?? '') })
      return ui('compare.vs', {
        period:
          first.startDate === first.endDate
            ? dayOf(first.startDate)
            : `${dayOf(first.startDate)} – ${dayOf(first.endDate)}`,
      })
    },
  }
}
export type ReportWords = ReturnType<typeof reportWords>
