import { NewProduct } from '#contract/catalogue/product-fields.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import {
  type Cell,
  plain,
  plainHeading,
  type Read,
  readAmount,
  readCount,
  readParameters,
  readPercent,
  readWords,
  unguarded,
} from '../imports/cells.ts'

/*
 * Products as rows of a file, written by a spreadsheet of any country. Headings and words are understood in every language of the
 * product; numbers with either decimal mark, as long as only one reading is possible.
 */

export type ProductField = keyof NewProduct

/** Headings and words of all languages, by `plain` text. */
export interface SheetWords {
  headings: ReadonlyMap<string, ProductField>
  /** Headings of further columns of the products' file, which an import ignores. */
  ignored: ReadonlySet<string>
  productTypes: ReadonlyMap<string, string>
  allergens: ReadonlyMap<string, string>
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
