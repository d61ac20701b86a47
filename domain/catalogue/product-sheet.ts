import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { withoutTrailing } from '../frame/trailing.ts'
import { readDecimal } from '../money/amount-text.ts'

/*
 * Products as rows of a file, written by a spreadsheet of any country. Headings and words are understood in every language of the
 * product; numbers with either decimal mark, as long as only one reading is possible.
 */

export type ProductField = keyof NewProduct
type Cell = string | number | null

/** Headings and words of all languages, by `plain` text. */
export interface SheetWords {
  headings: ReadonlyMap<string, ProductField>
  /** Headings of further columns of the products' file, which an import ignores. */
  ignored: ReadonlySet<string>
  productTypes: ReadonlyMap<string, string>
  allergens: ReadonlyMap<string, string>
}

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

export interface ProductColumns {
  /** Fields by their place in a row. */
  fields: ReadonlyMap<ProductField, number>
  /** Headings that no field has, or a second time. */
  unknown: string[]
}

const isAmount = (field: ProductField) => field === 'cost' || field === 'defaultPrice'
const counts: readonly ProductField[] = ['packSize', 'minimumPacks', 'leadDays', 'defaultFill']

/** Which column has which field. An amount in another currency than the merchant's is none. */
export function columnsIn(headings: readonly Cell[], words: SheetWords, currency: Currency): ProductColumns {
  const fields = new Map<ProductField, number>()
  const unknown: string[] = []
  headings.forEach((cell, at) => {
    const heading = String(cell ?? '').trim()
    if (heading === '') return
    const field = words.headings.get(plainHeading(heading))
    const [, unit] = /\(([A-Z]{3})\)$/.exec(heading) ?? []
    const isOfOther = field !== undefined && isAmount(field) && unit !== undefined && unit !== currency
    if (field && !fields.has(field) && !isOfOther) fields.set(field, at)
    else if (field || !words.ignored.has(plainHeading(heading))) unknown.push(heading)
  })
  return { fields, unknown }
}

/** A value that no rule of the schema has seen yet, or the rule that its text breaks. */
type Read = { value: unknown } | { fault: BrokenRule }

const fault = (...rule: Parameters<typeof broken>): Read => ({ fault: broken(...rule) })

/** Both readings of a number; the same unless a single mark may part thousands or decimals. */
const readings = (text: string) => [readDecimal(text, '.'), readDecimal(text, ',')] as const

const valueOf = ({ isNegative, whole, fraction }: { isNegative: boolean; whole: string; fraction: string }) =>
  Number(`${isNegative ? '-' : ''}${whole}.${fraction || '0'}`)

/** A percentage: `22`, `22,5`, `22.5 %`. */
function readPercent(cell: Cell): Read {
  if (typeof cell === 'number') return { value: cell }
  const [one, other] = readings(withoutTrailing(String(cell).trim(), '%'))
  if (!one || !other) return fault('number')
  return valueOf(one) === valueOf(other) ? { value: valueOf(one) } : fault('format')
}

/** A whole number: `12`, `1.200`, `1,200`. */
function readCount(cell: Cell): Read {
  if (typeof cell === 'number') return { value: cell }
  const whole = readings(String(cell).trim()).find((one) => one !== undefined && one.fraction === '')
  return whole ? { value: valueOf(whole) } : fault('whole')
}

/** An amount in the currency's units as minor units. */
function readAmount(cell: Cell, currency: Currency): Read {
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

function readWords(text: string, words: ReadonlyMap<string, string>): Read {
  const allergens = text
    .split(/[;,\n]/)
    .filter((part) => part.trim() !== '')
    .map((part) => words.get(plain(part)))
  return allergens.includes(undefined) ? fault('choice') : { value: allergens }
}

/** Parameters as a file has them: `Line=Bio; Size=40 g`, with `\` before a `;`, `=` or `\` that belongs to a text. */
function readParameters(text: string): Read {
  const pairs = (text.match(/(?:\\[^]|[^;\\])+/g) ?? []).filter((pair) => pair.trim() !== '')
  const read = pairs.map((pair) => {
    const [, name, value] = /^((?:\\[^]|[^=\\])*)=([^]*)$/.exec(pair) ?? []
    return name === undefined ? undefined : { name: bare(name), value: bare(value ?? '') }
  })
  return read.includes(undefined) ? fault('format') : { value: read }
}
const bare = (text: string) => text.replace(/\\([^])/g, '$1').trim()

/** A text that a CSV file keeps from being read as a formula (`spreadsheet_text` of the database); stored texts begin with no blank. */
const unguarded = (text: string) =>
  text.startsWith("'") && /^[\s'"]*[-=+@＝＋－＠]/.test(text.slice(1)) ? text.slice(1) : text

function readCell(field: ProductField, cell: Cell, context: { words: SheetWords; currency: Currency }): Read {
  const { words, currency } = context
  const text = String(cell ?? '').trim()
  if (text === '') return { value: field === 'allergens' || field === 'parameters' ? [] : null }
  if (field === 'vat') return readPercent(cell)
  if (isAmount(field)) return readAmount(cell, currency)
  if (counts.includes(field)) return readCount(cell)
  if (field === 'productType') return { value: words.productTypes.get(plain(text)) ?? text }
  if (field === 'allergens') return readWords(text, words.allergens)
  if (field === 'parameters') return readParameters(text)
  return { value: text }
}

/** A row of the file: what it says of a product, and the rules that its cells break. */
export interface SheetRow {
  /** The row in the file; the headings are row 1. */
  row: number
  code: string
  fields: Partial<Record<ProductField, unknown>>
  faults: { field: ProductField; rule: BrokenRule }[]
}

/** The rows of a file that are not empty. */
export function rowsIn(
  rows: readonly (readonly Cell[])[],
  { fields }: ProductColumns,
  context: { words: SheetWords; currency: Currency; isCsv: boolean },
): SheetRow[] {
  return rows.flatMap((cells, at) => {
    if (cells.every((cell) => cell === null || String(cell).trim() === '')) return []
    const fieldValues: SheetRow['fields'] = {}
    const faults: SheetRow['faults'] = []
    for (const [field, place] of fields) {
      const cell = cells[place] ?? null
      const read = readCell(field, context.isCsv && typeof cell === 'string' ? unguarded(cell) : cell, context)
      if ('fault' in read) faults.push({ field, rule: read.fault })
      else fieldValues[field] = read.value
    }
    return [
      { row: at + 2, code: typeof fieldValues.code === 'string' ? fieldValues.code : '', fields: fieldValues, faults },
    ]
  })
}

/** The product that a row describes: what it leaves out stays as it is, or empty. Faults are those of its cells and of the form. */
export function productOf(
  { fields, faults }: SheetRow,
  before: NewProduct | undefined,
): { product: NewProduct | undefined; faults: SheetRow['faults'] } {
  const values = { ...before, ...fields }
  const faulty = new Set<string>(faults.map(({ field }) => field))
  const { data, error } = NewProduct.safeParse(values)
  const broken = (error?.issues ?? []).map((issue) => ({
    field: issue.path[0] as ProductField,
    rule: ruleOf(issue, valueAt(values, issue.path)),
  }))
  const all = [...faults]
  for (const one of broken) {
    if (faulty.has(one.field)) continue
    faulty.add(one.field)
    all.push(one)
  }
  return { product: all.length === 0 ? data : undefined, faults: all }
}
