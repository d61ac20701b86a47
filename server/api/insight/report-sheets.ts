import type { Report, ReportRow, ReportTotal } from '#contract/insight/report.ts'
import { type ReportFigure, reportFigures } from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { toMajor } from '#domain/money/money.ts'
import { changeOf } from '#domain/time/comparison.ts'
import { pivotNames } from './report-pivot.ts'
import { reportWords } from './report-words.ts'

export interface Paper {
  report: Report
  /** Its name, or that of its type. */
  title: string | undefined
  language: Language
  /** The merchant, or all merchants. */
  merchant: string
  isAll: boolean
  timeZone: string
  now: Date
}

export type ReportCell = string | number | null

/** What the numbers of a column are: money in the currency's own units, a share of one, points of a hundred. */
export interface SheetColumn {
  header: string
  kind: 'text' | 'money' | 'count' | 'share' | 'points'
}
export interface ReportSheet {
  name: string
  columns: readonly SheetColumn[]
  rows: readonly { currency: Currency; cells: readonly ReportCell[] }[]
}

const kinds = { money: 'money', count: 'count', percent: 'share' } as const
const kindOf = (figure: ReportFigure) => kinds[reportFigures[figure]]

const cellOf = (figure: ReportFigure, value: number | null | undefined, currency: Currency): ReportCell => {
  if (value === null || value === undefined) return null
  return reportFigures[figure] === 'money' ? toMajor(value, currency) : value
}

const text = (header: string): SheetColumn => ({ header, kind: 'text' })

/** The tables of a report's files, with all rows and their totals: the pivot first, if it has one. */
export function reportSheets(paper: Paper): [ReportSheet, ...ReportSheet[]] {
  const { pivot } = paper.report
  const figures = figureSheet(paper)
  return pivot ? [pivotSheet(paper, pivot), figures] : [figures]
}

/** Rows name their currency. */
const isOfSeveral = ({ report, isAll }: Paper) => report.totals.length > 1 || isAll

function figureSheet(paper: Paper): ReportSheet {
  const { report, isAll, language } = paper
  const words = reportWords(language, report)
  const { t } = words
  const several = isOfSeveral(paper)
  const [home] = report.totals
  const headerOf = (figure: ReportFigure) =>
    reportFigures[figure] === 'money' && !several && home
      ? `${t(`figure.${figure}`)} (${home.currency})`
      : t(`figure.${figure}`)
  const figureColumns = report.figures.flatMap((figure): SheetColumn[] => {
    const column = { header: headerOf(figure), kind: kindOf(figure) }
    if (!report.compare) return [column]
    return [
      column,
      { ...column, header: t('before', { figure: column.header }) },
      { header: t('change'), kind: column.kind === 'share' ? 'points' : 'share' },
    ]
  })
  const cells = ({ currency, values, before }: ReportRow | ReportTotal): ReportCell[] =>
    report.figures.flatMap((figure, at) => {
      const now = cellOf(figure, values[at], currency)
      if (!report.compare) return [now]
      const value = values[at] ?? null
      const was = before?.[at] ?? null
      const change = () =>
        kindOf(figure) === 'share' ? ((value ?? 0) - (was ?? 0)) * 100 : (changeOf(value ?? 0, was ?? 0) ?? null)
      return [now, cellOf(figure, was, currency), value !== null && was !== null ? change() : null]
    })
  const columns = [
    ...(isAll ? [text(t('merchant'))] : []),
    ...report.by.map((one) => text(words.dimension(one))),
    ...(several ? [text(t('currency'))] : []),
    ...figureColumns,
  ]
  const named = columns.length - figureColumns.length
  return {
    name: t('sheet.figures'),
    columns,
    rows: [
      ...report.rows.map((row) => ({
        currency: row.currency,
        cells: [
          ...(isAll ? [row.merchantName] : []),
          ...words.names(report.by, row),
          ...(several ? [row.currency] : []),
          ...cells(row),
        ],
      })),
      ...report.totals.map((total) => ({
        currency: total.currency,
        cells: [
          t('total'),
          ...Array.from({ length: named - 1 }, (_, at) => (several && at === named - 2 ? total.currency : '')),
          ...cells(total),
        ],
      })),
    ],
  }
}

/** The whole pivot. */
function pivotSheet(paper: Paper, pivot: NonNullable<Report['pivot']>): ReportSheet {
  const { report, isAll, language } = paper
  const words = reportWords(language, report)
  const { t } = words
  const several = isOfSeveral(paper)
  const { rowName, columnNames } = pivotNames(report, pivot, words)
  const [first = 'product'] = report.by
  const number = (header: string): SheetColumn => ({ header, kind: kindOf(pivot.figure) })
  const cells = (values: readonly (number | null)[], currency: Currency) =>
    values.map((value) => cellOf(pivot.figure, value, currency))
  return {
    name: t('pivot.sheet'),
    columns: [
      ...(isAll ? [text(t('merchant'))] : []),
      text(words.dimension(first)),
      ...(several ? [text(t('currency'))] : []),
      ...columnNames.map(number),
      number(t('total')),
    ],
    rows: [
      ...pivot.rows.map((row) => ({
        currency: row.currency,
        cells: [
          ...(isAll ? [row.merchantName] : []),
          rowName(row),
          ...(several ? [row.currency] : []),
          ...cells([...row.cells, row.total], row.currency),
        ],
      })),
      ...pivot.totals.map((total) => ({
        currency: total.currency,
        cells: [
          t('total'),
          ...(isAll ? [''] : []),
          ...(several ? [total.currency] : []),
          ...cells([...total.cells, total.total], total.currency),
        ],
      })),
    ],
  }
}
