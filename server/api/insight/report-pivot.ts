import type { Report, ReportPivot } from '#contract/insight/report.ts'
import type { PdfColumn } from '../../pdf/pdf.ts'
import type { ReportWords } from './report-words.ts'

/** A pivot in words: the names of its rows and columns. */
export function pivotNames({ by }: Pick<Report, 'by'>, pivot: ReportPivot, words: ReportWords) {
  const [first = 'product', second = 'product'] = by
  const nameOf = (dimension: Report['by'][number], { key, label, currency }: ReportPivot['columns'][number]) =>
    words.names([dimension], { keys: [key], labels: [label], currency })[0] ?? ''
  return {
    rowName: (row: ReportPivot['rows'][number]) => nameOf(first, row),
    columnNames: [
      ...pivot.columns.map((column) => nameOf(second, column)),
      ...(pivot.others > 0 ? [words.t('pivot.others', { number: words.number.format(pivot.others) })] : []),
    ],
  }
}

interface PivotPaper {
  report: Report
  pivot: ReportPivot
  words: ReportWords
  isAll: boolean
}

/** Columns of a pivot beside its row names and total that a page has room for. */
export const mostPivotColumnsOnPaper = 8

/** The table of a pivot on paper: its first columns, and the total of all. */
export function pivotPdfTable({ report, pivot, words, isAll }: PivotPaper): { columns: PdfColumn[]; rows: string[][] } {
  const { t } = words
  const { rowName, columnNames } = pivotNames(report, pivot, words)
  const [first = 'product'] = report.by
  const several = pivot.totals.length > 1
  const end = 'right' as const
  const figures = (
    cells: readonly (number | null)[],
    total: number | null,
    currency: ReportPivot['rows'][number]['currency'],
  ) => [
    ...cells.slice(0, mostPivotColumnsOnPaper).map((value) => words.value(pivot.figure, value, currency)),
    words.value(pivot.figure, total, currency),
  ]
  return {
    columns: [
      ...(isAll ? [{ heading: t('merchant'), share: 0.8 }] : []),
      { heading: words.dimension(first), share: 1 },
      ...columnNames.slice(0, mostPivotColumnsOnPaper).map((name) => ({ heading: name, align: end })),
      { heading: t('total'), align: end },
    ],
    rows: [
      ...pivot.rows.map((row) => [
        ...(isAll ? [row.merchantName] : []),
        rowName(row),
        ...figures(row.cells, row.total, row.currency),
      ]),
      ...pivot.totals.map(({ currency, cells, total }) => [
        several ? t('totalOf', { currency }) : t('total'),
        ...(isAll ? [''] : []),
        ...figures(cells, total, currency),
      ]),
    ],
  }
}
