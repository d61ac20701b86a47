import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { withoutTrailing } from '../frame/trailing.ts'
import { readDecimal } from '../money/amount-text.ts'

/* Cells of a file that a spreadsheet of any country wrote: numbers with either decimal mark, as long as only one reading is possible. */

export type Cell = string | number | null

/** A text without case, accents and surrounding blanks. */
export const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()

/** More is no heading. */
const longestHeading = 200

/** A heading without what follows it in brackets, such as a unit. */
export function plainHeading(text: string): string {
  const whole = text.slice(0, longestHeading).trimEnd()
  const bracket = whole.endsWith(')') ? whole.lastIndexOf('(') : -1
  return plain(bracket < 0 ? whole : whole.slice(0, bracket))
}

/** A value that no rule of the schema has seen yet, or the rule that its text breaks. */
export type Read = { value: unknown } | { fault: BrokenRule }

export const fault = (...rule: Parameters<typeof broken>): Read => ({ fault: broken(...rule) })

/** Both readings of a number; the same unless a single mark may part thousands or decimals. */
const readings = (text: string) => [readDecimal(text, '.'), readDecimal(text, ',')] as const

const valueOf = ({ isNegative, whole, fraction }: { isNegative: boolean; whole: string; fraction: string }) =>
  Number(`${isNegative ? '-' : ''}${whole}.${fraction || '0'}`)

/** A percentage: `22`, `22,5`, `22.5 %`. */
export function readPercent(cell: Cell): Read {
  if (typeof cell === 'number') return { value: cell }
  const [one, other] = readings(withoutTrailing(String(cell).trim(), '%'))
  if (!one || !other) return fault('number')
  return valueOf(one) === valueOf(other) ? { value: valueOf(one) } : fault('format')
}

/** A whole number: `12`, `1.200`, `1,200`. */
export function readCount(cell: Cell): Read {
  if (typeof cell === 'number') return { value: cell }
  const whole = readings(String(cell).trim()).find((one) => one !== undefined && one.fraction === '')
  return whole ? { value: valueOf(whole) } : fault('whole')
}

/** An amount in the currency's units as minor units. */
export function readAmount(cell: Cell, currency: Currency): Read {
  const { storageDigits, symbol } = currencies[currency]
  if (typeof cell === 'number') {
    const minor = Math.round(cell * 10 ** storageDigits)
    return Math.abs(minor - cell * 10 ** storageDigits) < 1e-6 ? { value: minor } : fault('format')
  }
  const [one, other] = readings(String(cell).replace(symbol, '').replace(currency, ''))
  if (!one || !other) return fault('number')
  const fits = [one, other].filter(({ fraction }) => withoutTrailing(fraction, '0').length <= storageDigits)
  const isOnlyOne = valueOf(one) === valueOf(other) || storageDigits === 0
  const [fitting] = isOnlyOne ? fits : []
  if (!fitting) return fault('format')
  const fraction = fitting.fraction.slice(0, storageDigits).padEnd(storageDigits, '0')
  return { value: Number(`${fitting.isNegative ? '-' : ''}${fitting.whole}${fraction}`) }
}

/** Words of a vocabulary in one cell: `Gluten; Milk`. */
export function readWords(text: string, words: ReadonlyMap<string, unknown>): Read {
  const codes = text
    .split(/[;,\n]/)
    .filter((part) => part.trim() !== '')
    .map((part) => words.get(plain(part)))
  return codes.includes(undefined) ? fault('choice') : { value: codes }
}

/** Parameters as a file has them: `Line=Bio; Size=40 g`, with `\` before a `;`, `=` or `\` that belongs to a text. */
export function readParameters(text: string): Read {
  const pairs = (text.match(/(?:\\[^]|[^;\\])+/g) ?? []).filter((pair) => pair.trim() !== '')
  const read = pairs.map((pair) => {
    const [, name, value] = /^((?:\\[^]|[^=\\])*)=([^]*)$/.exec(pair) ?? []
    return name === undefined ? undefined : { name: bare(name), value: bare(value ?? '') }
  })
  return read.includes(undefined) ? fault('format') : { value: read }
}
const bare = (text: string) => text.replace(/\\([^])/g, '$1').trim()

/** A text that a CSV file keeps from being read as a formula (`spreadsheet_text` of the database); stored texts begin with no blank. */
export const unguarded = (text: string) =>
  text.startsWith("'") && /^[\s'"]*[-=+@＝＋－＠]/.test(text.slice(1)) ? text.slice(1) : text

const isDay = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
const written = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** A calendar day: `2027-03-31`, `31.03.2027`, `31/03/2027`. A day that may also be read with the month first is a fault. */
export function readDay(text: string): Read {
  const [, ...iso] = /^(\d{4})-(\d\d?)-(\d\d?)(?:T.*)?$/.exec(text) ?? []
  if (iso.length > 0) {
    const [year = 0, month = 0, day = 0] = iso.map(Number)
    return isDay(year, month, day) ? { value: written(year, month, day) } : fault('date')
  }
  const [, one = '', mark = '', other = '', years = ''] = /^(\d\d?)([./-])(\d\d?)\2(\d{4})$/.exec(text) ?? []
  const [first, second, year] = [Number(one), Number(other), Number(years)]
  const dayFirst = isDay(year, second, first)
  // Only English writes the month first, with strokes.
  const monthFirst = mark === '/' && isDay(year, first, second)
  if (dayFirst && monthFirst && first !== second) return fault('format')
  if (dayFirst) return { value: written(year, second, first) }
  return monthFirst ? { value: written(year, first, second) } : fault('date')
}
