import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { ProductError } from '#contract/errors.ts'
import { kindOf } from '#domain/frame/file-kind.ts'
import { type Cell, plainHeading } from '#domain/imports/cells.ts'
import { unzippedSize } from './unzipped-size.ts'

/** A table as a file holds it: its rows in order, the headings first. */
export interface TableFile {
  rows: readonly (readonly Cell[])[]
  /** A CSV file's texts may have an apostrophe that keeps spreadsheets from reading them as formulas. */
  isCsv: boolean
}

export interface Reading {
  /** Data rows at most; a longer file is refused as ImportTooLong. */
  mostRows: number
  /** Headings by `plainHeading`: of the separators of a CSV file, the one is taken that shows the most of them. */
  headings: ReadonlySet<string>
}

/** A workbook of the largest file has far less. */
const largestWorkbook = 60_000_000
/** More columns than any list has. */
const mostColumns = 200
/** What a cell of a spreadsheet holds at most. */
const longestCell = 32_767
/** A file that starts with more has no headings. */
const longestHeadings = 100_000

/** Text by its byte order mark, else UTF-16 by its zeros, else UTF-8, else Windows-1252, which is Latin-1 with more characters. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const utf16 =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
      ? 'utf-16le'
      : (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
        ? 'utf-16be'
        : undefined
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether a quoted cell never ends, or is longer than a spreadsheet takes; parsing such a file takes much longer than its size says. */
function hasEndlessCell(text: string, delimiter: string): boolean {
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    const before = quote === 0 ? '\n' : text[quote - 1]
    // A quote inside a cell is a sign like others.
    if (before !== delimiter && before !== '\n' && before !== '\r') continue
    let end = text.indexOf('"', quote + 1)
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
    if (end < 0 || end - quote > 2 * longestCell) return true
    quote = end
  }
  return false
}

function csvRows(bytes: Uint8Array, { mostRows, headings: knownHeadings }: Reading): readonly (readonly Cell[])[] {
  const whole = textOf(bytes)
  if (whole.includes('\0')) throw new ProductError('ImportUnreadable')
  // Excel's own note of the separator.
  const text = whole.replace(/^sep=.\r?\n/i, '')
  const scored = [';', ',', '\t'].map((delimiter) => {
    const [headings = []] = parseCsv(text.slice(0, longestHeadings), { delimiter, maxRows: 1 }) as Cell[][]
    const matching = headings
      .slice(0, mostColumns)
      .filter((cell) => knownHeadings.has(plainHeading(String(cell ?? ''))))
    return { delimiter, score: matching.length + Math.min(headings.length, mostColumns) / 1000 }
  })
  const { delimiter } = scored.reduce((one, other) => (other.score > one.score ? other : one))
  if (hasEndlessCell(text, delimiter)) throw new ProductError('ImportUnreadable')
  const rows = parseCsv(text, { delimiter, maxRows: mostRows + 2 }) as Cell[][]
  return rows.map((row) => row.slice(0, mostColumns))
}

const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : String(value)
}

async function workbookRows(bytes: Uint8Array, { mostRows }: Reading): Promise<readonly (readonly Cell[])[]> {
  const size = unzippedSize(bytes)
  if (size === undefined || size > largestWorkbook) throw new ProductError('ImportUnreadable')
  const book = await readXlsx(bytes, { sheets: [0], maxRows: mostRows + 2 })
  const rows = book.sheets[0]?.rows ?? []
  return rows.map((row) => row.slice(0, mostColumns).map(cellOf))
}

const isEmpty = (row: readonly Cell[]) => row.every((cell) => cell === null || String(cell).trim() === '')

/** Reads a CSV or XLSX file. A large one takes seconds, so uploads go through `readUploadedTable`. Throws for files of other kinds, damaged ones and those with too many rows. */
export async function readTable(bytes: Uint8Array, reading: Reading): Promise<TableFile> {
  const kind = kindOf(bytes)
  if (kind !== 'zip' && kind !== 'unknown') throw new ProductError('UnsupportedMediaType')
  const isCsv = kind === 'unknown'
  const rows = await read(bytes, reading, isCsv)
  if (rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.length > longestCell)))
    throw new ProductError('ImportUnreadable')
  const last = rows.findLastIndex((row) => !isEmpty(row))
  if (last > reading.mostRows) throw new ProductError('ImportTooLong')
  return { rows: rows.slice(0, last + 1), isCsv }
}

async function read(bytes: Uint8Array, reading: Reading, isCsv: boolean) {
  try {
    return isCsv ? csvRows(bytes, reading) : await workbookRows(bytes, reading)
  } catch (error) {
    if (error instanceof ProductError) throw error
    // Whatever the parser says of a damaged file.
    throw new ProductError('ImportUnreadable')
  }
}
