import { type CellValue, writeXlsx } from 'hucre/xlsx'
import type { Content } from 'pdfmake/interfaces.js'
import { ProductError } from '#contract/errors.ts'
import { mostRowsAtOnce, type Report, type ReportRow, type ReportTotal } from '#contract/insight/report.ts'
import { type ReportFigure, sourceOf } from '#contract/vocabulary/insight/report.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { sharesOf } from '#domain/insight/report-shares.ts'
import { amountFormat } from '../../export/xlsx.ts'
import { type PdfColumn, pdfFacts, pdfOf, pdfTable } from '../../pdf/pdf.ts'
import { wordsIn } from '../../words/words.ts'
import { reportChart } from './report-chart.ts'
import { mostPivotColumnsOnPaper, pivotPdfTable } from './report-pivot.ts'
import { pageOfReport } from './report-result.ts'
import { type Paper, reportSheets, type SheetColumn } from './report-sheets.ts'
import { reportWords } from './report-words.ts'

/** Printable width of A4 in points: upright, and across. */
const widths = { portrait: 511, landscape: 757 }
const right = 'right' as const
/** More figures than a page has room for beside each other; the file has them all. */
const mostColumns = 10
/** In this order, figures make room on paper. */
const spared: readonly ReportFigure[] = [
  'vends',
  'freeCount',
  'lostPerDay',
  'otherCount',
  'marginRate',
  'netPerVisit',
  'errorCount',
  'average',
  'visits',
  'count',
]

const heading = (text: string): Content => ({ text: text, fontSize: 12.5, bold: true, margin: [0, 12, 0, 8] })
const small = (text: string): Content => ({
  text: text,
  fontSize: 8,
  color: '#6b665a',
  margin: [0, 8, 0, 0],
})

/** The report on A4: its totals, a chart, and its first rows. Throws ReportPdfFailed if it cannot be drawn. */
export async function reportPdf(paper: Paper): Promise<Buffer> {
  const { language, merchant, isAll, now, timeZone } = paper
  const report = pageOfReport(paper.report, { page: 1, size: mostRowsAtOnce })
  const words = reportWords(language, report)
  const { t } = words
  const figures = [...report.figures]
  const columns = report.by.length + (isAll ? 1 : 0)
  for (const one of spared)
    if (columns + figures.length > mostColumns && figures.includes(one)) figures.splice(figures.indexOf(one), 1)
  const { pivot } = report
  const onPaper = pivot ? Math.min(pivot.columns.length, mostPivotColumnsOnPaper) + 1 : figures.length
  const isLandscape = columns + onPaper > 6
  const width = isLandscape ? widths.landscape : widths.portrait
  const cell = (figure: ReportFigure, { currency, values, before }: ReportTotal | ReportRow) => {
    const at = report.figures.indexOf(figure)
    const change = before ? words.change(figure, values[at], before[at]) : ''
    return [words.value(figure, values[at], currency), change].filter(Boolean).join('\n')
  }
  const several = report.totals.length > 1
  const named: PdfColumn[] = report.by.map((one) => ({ heading: words.dimension(one), share: 1 }))
  const rows = [
    ...report.rows.map((row) => [
      ...(isAll ? [row.merchantName] : []),
      ...words.names(report.by, row),
      ...figures.map((figure) => cell(figure, row)),
    ]),
    ...report.totals.map((total) => [
      several ? t('totalOf', { currency: total.currency }) : t('total'),
      ...Array.from({ length: columns - 1 }, () => ''),
      ...figures.map((figure) => cell(figure, total)),
    ]),
  ]
  const table = pivot
    ? pivotPdfTable({ report, pivot, words, isAll })
    : {
        columns: [
          ...(isAll ? [{ heading: t('merchant'), share: 0.8 }] : []),
          ...named,
          ...figures.map((figure) => ({ heading: t(`figure.${figure}`), align: right })),
        ],
        rows,
      }
  const charts = report.totals.flatMap(({ currency }): Content[] => {
    const chart = reportChart(report, currency, words, width)
    const [main] = report.figures
    const [first] = report.by
    if (!chart || !main || !first) return []
    const what = { figure: t(`figure.${main}`), by: words.dimension(first), currency }
    return [heading(t(several ? 'chartOf' : 'chart', what)), ...chart]
  })
  try {
    return await pdfOf({
      language,
      title: paper.title ?? t(`type.${report.type}`),
      subtitle: [words.period(report), words.compared(report)].filter(Boolean).join(', '),
      merchant,
      now,
      timeZone,
      isLandscape,
      content: [
        ...report.totals.map((total) =>
          pdfFacts(
            figures
              .slice(0, isLandscape ? 7 : 5)
              .map((figure) => [
                several ? `${t(`figure.${figure}`)}, ${total.currency}` : t(`figure.${figure}`),
                cell(figure, total).replace('\n', '  '),
              ]),
          ),
        ),
        ...charts,
        { text: '', margin: [0, 0, 0, 14] },
        ...(pivot ? [heading(pivotTitle(report, words))] : []),
        pdfTable(table.columns, table.rows, { isLandscape }),
        ...notesOf(report, words).map(small),
      ],
    })
  } catch (error) {
    throw Object.assign(new ProductError('ReportPdfFailed'), { cause: error })
  }
}

/** What the cells of a pivot are. */
const pivotTitle = ({ pivot, by: [, second = 'product'] }: Report, words: ReturnType<typeof reportWords>) =>
  words.t('pivot.title', { figure: words.t(`figure.${pivot?.figure ?? 'value'}`), by: words.dimension(second) })

/** What a reader has to know about the figures. */
export function notesOf(report: Report, words: ReturnType<typeof reportWords>): string[] {
  const value = report.costed.reduce((sum, one) => sum + one.value, 0)
  const of = report.costed.reduce((sum, one) => sum + one.of, 0)
  return [
    ...(report.rows.length < report.rowCount
      ? [
          words.t('firstOf', {
            number: words.number.format(report.rows.length),
            total: words.number.format(report.rowCount),
          }),
        ]
      : []),
    ...(report.pivot && report.pivot.columns.length > mostPivotColumnsOnPaper
      ? [
          words.t('pivot.onPaper', {
            number: words.number.format(mostPivotColumnsOnPaper),
            total: words.number.format(report.pivot.columns.length),
          }),
        ]
      : []),
    ...(report.isRunning ? [words.t('running')] : []),
    ...(report.figures.includes('margin')
      ? [words.t('marginNote', { share: words.percent.format(of > 0 ? value / of : 0) })]
      : []),
    ...(report.type === 'visits' && report.figures.includes('visitCost')
      ? [words.t('visitsNote', sharesOf(report.known, words.percent.format))]
      : []),
    ...(report.figures.includes('profit') ? [words.t('profitNote', sharesOf(report.known, words.percent.format))] : []),
    ...(report.type === 'availability' ? [words.t('availabilityNote')] : []),
    ...(report.type === 'pieces'
      ? [words.t('piecesNote', sharesOf(report.known, words.percent.format))]
      : [words.t(sourceOf(report.type) === 'sales' ? `termsNote.${report.terms}` : `placesNote.${report.terms}`)]),
    ...(report.type === 'transactions' ? [words.t('otherNote')] : []),
    ...(report.figures.includes('lostPerDay') ? [words.t('lostNote')] : []),
  ]
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const reportTypesOfFiles = { pdf: 'application/pdf', xlsx: xlsxType, csv: 'text/csv; charset=utf-8' } as const

/** A text that no spreadsheet reads as a formula, and XML can hold. */
const textOf = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').slice(0, 32_767)

/** The report as a workbook: all rows and totals with the compared figures, and what it shows. */
export async function reportXlsx(paper: Paper): Promise<Buffer> {
  const { report, language, merchant, isAll, now, timeZone } = paper
  const words = reportWords(language, report)
  const { t } = words
  const [home] = report.totals
  const formats = {
    text: '@',
    count: '#,##0',
    money: amountFormat(report.totals.length > 1 || isAll ? undefined : home?.currency),
    share: '0.0%',
    points: `0.0"${wordsIn(language, 'ui')('compare.points', { points: '' })}"`,
  }
  const widthOf = ({ kind, header }: SheetColumn) =>
    Math.max(kind === 'text' ? 14 : 12, Math.min(40, header.length + (kind === 'text' ? 4 : 2)))
  const sheets = reportSheets(paper).map((sheet) => ({
    name: sheet.name.slice(0, 31),
    columns: sheet.columns.map((column) => ({
      header: column.header,
      numFmt: formats[column.kind],
      width: widthOf(column),
    })),
    rows: [
      sheet.columns.map(({ header }) => header),
      ...sheet.rows.map(({ cells }) =>
        cells.map((cell): CellValue => (typeof cell === 'string' ? textOf(cell) : cell)),
      ),
    ],
    freezePane: { rows: 1 },
  }))
  const bytes = await writeXlsx({
    sheets: [
      ...sheets,
      {
        name: t('sheet.about').slice(0, 31),
        columns: [
          { width: 24, numFmt: '@' },
          { width: 70, numFmt: '@' },
        ],
        rows: [
          [t('field.type'), t(`type.${report.type}`)],
          ...(paper.title ? [[t('field.name'), textOf(paper.title)]] : []),
          [t('merchant'), textOf(merchant)],
          [t('field.period'), words.period(report)],
          [t('field.by'), report.by.map(words.dimension).map(textOf).join(', ')],
          ...(report.compare ? [[t('field.compare'), words.compared(report)]] : []),
          [
            t('about.printed'),
            `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(now)} (${timeZone})`,
          ],
          ...notesOf(report, words).map((note) => ['', note]),
        ],
      },
    ],
  })
  return Buffer.from(bytes)
}
