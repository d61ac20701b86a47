import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { headLine } from '../../export/csv.ts'
import { speechOf } from '../../export/speech.ts'
import { type Paper, type ReportCell, reportSheets, type SheetColumn } from './report-sheets.ts'

/** As `spreadsheet_text` of the database: a text that a spreadsheet would read as a formula gets an apostrophe. */
const guarded = (text: string) => (/^[\s'"]*[-=+@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text)
const quoted = (text: string) => `"${guarded(text).replaceAll('"', '""')}"`

/**
 * The report as CSV: the pivot if it has one, otherwise all rows, with their totals and the chosen columns. Separators, decimals and amounts
 * are those of other files; shares are in percent.
 */
export function reportCsv(paper: Paper): Buffer {
  const speech = speechOf(paper.language, [])
  const [sheet] = reportSheets(paper)
  const decimals = (value: number, digits: number) => value.toFixed(digits).replace('.', speech.decimalMark)
  const fieldOf = ({ kind }: SheetColumn, { currency, cells }: (typeof sheet.rows)[number], at: number): string => {
    const value: ReportCell = cells[at] ?? null
    if (value === null || value === '') return ''
    if (typeof value === 'string') return quoted(value)
    if (kind === 'share') return decimals(value * 100, 2)
    if (kind === 'points') return decimals(value, 2)
    return kind === 'money' ? decimals(value, currencies[currency].storageDigits) : String(value)
  }
  const heads = sheet.columns.map(({ header, kind }) => ({ name: kind === 'share' ? `${header} (%)` : header }))
  const lines = sheet.rows.map((row) =>
    sheet.columns.map((column, at) => fieldOf(column, row, at)).join(speech.separator),
  )
  return Buffer.from(`${headLine(heads, speech)}${lines.map((line) => `${line}\n`).join('')}`)
}
