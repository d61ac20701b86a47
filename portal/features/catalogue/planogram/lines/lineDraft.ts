import type { PricesByTable } from '#contract/catalogue/planogram.ts'
import { mostPlanogramLines } from '#contract/catalogue/planogram.ts'
import type { Changes } from '#portal/ui/grid/gridEdits.ts'
import type { CellValue } from '#portal/ui/grid/types.ts'

export type Table = keyof PricesByTable

/** A selection being edited: a cell keeps invalid text, which the schema refuses. */
export interface LineDraft {
  selection: CellValue
  productId: CellValue
  capacity: CellValue
  warningLevel: CellValue
  refillValue: CellValue
  prices: Readonly<Partial<Record<Table, CellValue>>>
}
type Field = Exclude<keyof LineDraft, 'prices'>

/** A row of the grid. */
export interface LineRow {
  index: number
  line: LineDraft
}
export const keyOfRow = ({ index }: LineRow) => String(index)

const pricePrefix = 'prices.'
/** The column of a price table; like the columns of fields, its id is the path of the value within a line. */
export const priceColumn = (table: Table) => `${pricePrefix}${table}`

export const cellOf = (line: LineDraft, column: string): CellValue =>
  column.startsWith(pricePrefix)
    ? (line.prices[column.slice(pricePrefix.length) as Table] ?? null)
    : line[column as Field]

function withCell(line: LineDraft, column: string, value: CellValue): LineDraft {
  if (!column.startsWith(pricePrefix)) return { ...line, [column]: value }
  const table = column.slice(pricePrefix.length) as Table
  const { [table]: _, ...others } = line.prices
  return { ...line, prices: value === null ? others : { ...others, [table]: value } }
}

/** Lines after a step of the grid. */
export const changedLines = (lines: readonly LineDraft[], changes: Changes): LineDraft[] =>
  lines.map((line, index) =>
    [...(changes.get(String(index)) ?? [])].reduce(
      (result, [column, { text, value, fault }]) =>
        withCell(result, column, fault && value === null && text !== '' ? text : value),
      line,
    ),
  )

function withoutDigits(text: string): string {
  let end = text.length
  while (end > 0 && /\d/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/** The name after a selection's in the order of machines: 12 after 11, A10 after A9. */
function nextName(name: CellValue, isUsed: (name: string) => boolean): string {
  const text = String(name ?? '')
  const start = withoutDigits(text)
  const digits = text.slice(start.length)
  if (digits === '') return ''
  let number = Number(digits)
  let next: string
  do next = `${start}${String(++number).padStart(digits.length, '0')}`
  while (isUsed(next))
  return next
}

const first: LineDraft = {
  selection: '',
  productId: null,
  capacity: 10,
  warningLevel: 2,
  refillValue: 10,
  prices: {},
}

/** A new line like the one before it, without its product and prices. */
export function lineAfter(lines: readonly LineDraft[], at: number): LineDraft {
  const before = lines[at]
  if (!before) return { ...first, selection: lines.length === 0 ? '11' : '' }
  const { capacity, warningLevel, refillValue } = before
  const used = new Set(lines.map(({ selection }) => selection))
  return {
    ...first,
    capacity,
    warningLevel,
    refillValue,
    selection: nextName(before.selection, (name) => used.has(name)),
  }
}

/** Lines with empty lines added, up to a planogram's limit. */
export function grown(lines: readonly LineDraft[], count: number): LineDraft[] {
  const { capacity, warningLevel, refillValue } = lines.at(-1) ?? first
  const empty = { ...first, capacity, warningLevel, refillValue }
  const missing = Math.min(count, mostPlanogramLines) - lines.length
  return [...lines, ...Array.from({ length: Math.max(0, missing) }, () => empty)]
}

/** Lines with some of them moved by one place; unchanged at an end. */
export function moved(lines: readonly LineDraft[], top: number, bottom: number, by: -1 | 1): LineDraft[] {
  const result = [...lines]
  if (by < 0 ? top > 0 : bottom < lines.length - 1) {
    const block = result.splice(top, bottom - top + 1)
    result.splice(top + by, 0, ...block)
  }
  return result
}

/** What a line begins with when it gets a product. */
export interface ProductDefaults {
  defaultPrice: number | null
  defaultFill: number | null
}

/**
 * Lines after a change, with the defaults of products that they got: the price where table 1 has none, and the refill value, as far as it fits,
 * unless the change set it too.
 */
export function withDefaults(
  before: readonly LineDraft[],
  after: readonly LineDraft[],
  defaultsOf: (productId: string) => ProductDefaults | undefined,
): LineDraft[] {
  return after.map((line, at) => {
    const { productId, prices, capacity, refillValue } = line
    const earlier = before[at]
    if (typeof productId !== 'string' || productId === '' || productId === earlier?.productId) return line
    const { defaultPrice = null, defaultFill = null } = defaultsOf(productId) ?? {}
    const isFillKept = defaultFill === null || (earlier !== undefined && refillValue !== earlier.refillValue)
    return {
      ...line,
      ...(defaultPrice !== null && (prices[1] ?? null) === null && { prices: { ...prices, 1: defaultPrice } }),
      ...(!isFillKept && { refillValue: typeof capacity === 'number' ? Math.min(defaultFill, capacity) : defaultFill }),
    }
  })
}

/** The price tables with a price in some line. */
export const tablesIn = (lines: readonly LineDraft[]): Set<Table> =>
  new Set(lines.flatMap(({ prices }) => Object.keys(prices) as Table[]))
