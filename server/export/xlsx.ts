import { writeXlsxStream } from 'hucre/xlsx'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type ColumnKind, cellValue, type Home, type Speech } from '#database/frame/export/column.ts'
import type { Format, NamedColumn } from './format.ts'

/** Days from the first day of a sheet's calendar to 1970 (ECMA-376, the 1900 date system). */
const daysBefore1970 = 25_569
const secondsOfDay = 86_400
/** Rows read at a time. */
const batch = 500
/** The maximum length of a cell's text. */
const longestText = 32_767
/** What a workbook reads as a character's number; an escaped underscore keeps it a text. */
const escape = /_x[0-9A-Fa-f]{4}_/g
// XML cannot represent these characters.
// oxlint-disable-next-line no-control-regex
const unsayable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The format of amounts with as many decimals as their currency shows; of several currencies with two. */
export const amountFormat = (currency: Currency | undefined): string => {
  const digits = currency ? currencies[currency].shownDigits : 2
  return digits > 0 ? `#,##0.${'0'.repeat(digits)}` : '#,##0'
}

/** Formats text cells as text: a cell that a user opens and leaves must not become a formula. */
const formatOf = (kind: ColumnKind, language: Language, currency: Currency | undefined): string => {
  switch (kind) {
    case 'instant':
      return language === 'de' ? 'dd.mm.yyyy hh:mm:ss' : 'dd/mm/yyyy hh:mm:ss'
    case 'number':
      return '0'
    case 'amount':
      return amountFormat(currency)
    case 'percent':
      return '0.00'
    case 'decimal':
      return 'General'
    default:
      return '@'
  }
}

const cellOf = (value: unknown, kind: ColumnKind): string | number | null => {
  if (value === null || value === undefined) return null
  if (kind === 'instant') return Number(value) / secondsOfDay + daysBefore1970
  if (typeof value === 'number') return value
  return String(value).replace(unsayable, '').slice(0, longestText).replace(escape, '_x005F$&')
}

interface Sheet {
  language: Language
  title: string
  /** Of all amounts, if they have one. */
  currency: Currency | undefined
}

/** A workbook. Rows beyond a sheet's limit continue on the next sheet. Times are in the merchant's local time. */
export function xlsxOf(
  columns: readonly NamedColumn[],
  home: Home,
  speech: Speech,
  { language, title, currency }: Sheet,
): Format {
  return {
    write: async function* (db, rows, wrote) {
      const batches = db.batches(await rows(columns.map((column) => cellValue(column, home, speech))), batch)
      yield* writeXlsxStream(cellsOf(batches, columns, wrote), {
        name: title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31),
        columns: columns.map(({ name, kind }) => {
          const width = Math.max(12, Math.min(40, name.length + 2))
          return { header: name, width, numFmt: formatOf(kind, language, currency) }
        }),
        freezePane: { rows: 1 },
      })
    },
  }
}

async function* cellsOf(
  batches: AsyncIterable<readonly unknown[][]>,
  columns: readonly NamedColumn[],
  wrote: (rows: number) => Promise<void>,
) {
  for await (const rows of batches) {
    for (const row of rows) yield row.map((value, index) => cellOf(value, columns[index]?.kind ?? 'text'))
    await wrote(rows.length)
  }
}
