import { type StockStatus, stockStatuses } from '#contract/vocabulary/stock.ts'

/** A machine's report of one selection in pieces or portions. Null is unknown. */
export interface StockLevel {
  selection: string
  level: number
  capacity: number | null
  warningLevel: number | null
}

/** The default warning level: a fifth of the capacity. */
const lowShare = 5
/** A refill must exceed the warning level by a tenth of the capacity to end "low". */
const clearShare = 10

/** At or below this level stock is low; null where unknown. A full selection is never low, whatever the machine reports. */
export function warningLevelOf({ capacity, warningLevel }: Omit<StockLevel, 'selection' | 'level'>): number | null {
  if (warningLevel !== null) return capacity === null ? warningLevel : Math.min(warningLevel, capacity - 1)
  return capacity === null ? null : Math.floor(capacity / lowShare)
}

/** A selection's stock status by its level. */
export function stockStatusOf(stock: Omit<StockLevel, 'selection'>): StockStatus {
  if (stock.level === 0) return stockStatuses.out
  const warning = warningLevelOf(stock)
  return warning !== null && stock.level <= warning ? stockStatuses.low : stockStatuses.inStock
}

/** Above the warning level but within its margin, so that a level that flaps around it raises one alarm. */
function isNearlyLow(stock: StockLevel): boolean {
  const { level, capacity } = stock
  const warning = warningLevelOf(stock)
  if (warning === null || warning === 0 || (capacity !== null && level >= capacity)) return false
  return level <= warning + Math.max(1, Math.floor((capacity ?? 0) / clearShare))
}

/** The selections of a machine that need a refill, in their order. */
export interface StockStanding {
  out: string[]
  low: string[]
  /** Some other is so near to its warning level that it is not clear of it. */
  isNear: boolean
}

const inOrder = new Intl.Collator('en', { numeric: true })
/** Order of selections in a machine: 2 before 12, A2 before A12. */
export const bySelection = (one: string, other: string): number =>
  inOrder.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)

/** A machine's stock status by its levels. */
export function stockStandingOf(levels: readonly StockLevel[]): StockStanding {
  const of = (status: StockStatus) =>
    levels
      .filter((level) => stockStatusOf(level) === status)
      .map(({ selection }) => selection)
      .sort(bySelection)
  return {
    out: of(stockStatuses.out),
    low: of(stockStatuses.low),
    isNear: levels.some((level) => stockStatusOf(level) === stockStatuses.inStock && isNearlyLow(level)),
  }
}
