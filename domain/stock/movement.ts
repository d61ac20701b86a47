import type { SaleItem } from '#contract/device-protocol.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'

/** When something happened: by the machine's clock in milliseconds, and as its item; users have no item. */
export interface Position {
  at: number
  epoch: number | null
  seq: number | null
}

/** Whether one happened after the other: two items of an association by their numbers, which no clock changes; else by time. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.epoch !== null && one.epoch === other.epoch && one.seq !== null && other.seq !== null
    ? one.seq > other.seq
    : one.at > other.at

export type CountKind = 'report' | 'refill' | 'correction'
export type MovementKind = 'sale' | 'waste' | CountKind

/** A change by a number of pieces: below zero for a sale and for waste. */
export interface Change extends Position {
  kind: 'sale' | 'refill' | 'waste'
  amount: number
}

/** What is in a selection, counted by the machine, by a user, or assumed from the planogram. */
export interface Count extends Position {
  kind: CountKind
  level: number
  isOpening?: boolean
  isAssumed?: boolean
  /** The machine's last refill by this report, and whether it is another one than known before. */
  refilledAt?: number | null
  isRefilled?: boolean
}

export interface Anchor extends Position {
  kind: CountKind
  isOpening: boolean
  isAssumed: boolean
}

/** The books of one selection. */
export interface Books {
  /** The sum of its movements. Negative when more was sold than was booked. */
  balance: number
  /** The newest count. */
  anchor: Anchor | null
  /** The latest change, by time and by the machine's item. */
  moved: Position | null
}

export const emptyBooks: Books = { balance: 0, anchor: null, moved: null }

export interface Movement extends Position {
  kind: MovementKind
  amount: number
  isOpening: boolean
  /** Balances a change that an existing count included. */
  isLate: boolean
}

export interface Booked {
  books: Books
  movements: Movement[]
}

function latestOf(moved: Position | null, { at, epoch, seq }: Position): Position {
  if (!moved) return { at, epoch, seq }
  const isNewer = epoch !== null && (moved.epoch === null || epoch > moved.epoch)
  const isFurther = epoch !== null && epoch === moved.epoch && (seq ?? 0) > (moved.seq ?? 0)
  return {
    at: Math.max(moved.at, at),
    ...(isNewer || isFurther ? { epoch, seq } : { epoch: moved.epoch, seq: moved.seq }),
  }
}

/** Books a sale, refill or waste. One from before the newest count is booked and balanced: the count included it. */
export function bookChange({ balance, anchor, moved }: Books, change: Change): Booked {
  const { at, epoch, seq, kind, amount } = change
  const movement: Movement = { at, epoch, seq, kind, amount, isOpening: false, isLate: false }
  const books = { balance, anchor, moved: latestOf(moved, change) }
  if (!anchor || isAfter(change, anchor))
    return { books: { ...books, balance: balance + amount }, movements: [movement] }
  const { isOpening, isAssumed: _, ...place } = anchor
  return { books, movements: [movement, { ...place, amount: -amount, isOpening, isLate: true }] }
}

/** Whether a count is at least as new as the newest one; an older count says nothing. */
export const counts = ({ anchor }: Books, count: Position): boolean => !anchor || !isAfter(anchor, count)

/** Whether changes after a count may be booked, so that their sum is needed. */
export function mayPrecede({ moved }: Books, count: Position): boolean {
  if (!moved) return false
  if (count.at < moved.at) return true
  if (count.epoch === null || moved.epoch === null) return false
  return count.epoch === moved.epoch ? (count.seq ?? 0) < (moved.seq ?? 0) : count.epoch < moved.epoch
}

/** Books a count; `later` is the sum of the changes after it. A count older than the newest one is not booked. */
export function bookCount(books: Books, count: Count, later: number): Booked {
  if (!counts(books, count)) return { books, movements: [] }
  const { at, epoch, seq, level, isAssumed = false } = count
  const before = books.anchor
  // The first real count after an assumed one says what was there, and not what is missing.
  const isOpening = count.isOpening ?? (!before || (before.isAssumed && before.isOpening))
  const amount = level - (books.balance - later)
  const isExact = count.kind === 'report' && before?.isAssumed && before.kind === 'refill'
  const kind = isExact || (count.isRefilled && before && amount > 0) ? 'refill' : count.kind
  const place = { at, epoch, seq, kind, isOpening }
  const isKept = amount !== 0 || kind === 'correction'
  return {
    books: { balance: books.balance + amount, anchor: { ...place, isAssumed }, moved: books.moved },
    movements: isKept ? [{ ...place, amount, isLate: false }] : [],
  }
}

/** What is shown of a balance: nothing is less than empty. */
export const levelOf = (balance: number): number => Math.max(balance, 0)

const testSale = 3
/** Types of vends that give a product, paid or not. */
export const vendTypes: readonly number[] = [...saleTypes, testSale]

/** Whether a product left the machine. */
export const givesProduct = ({ type, errorSale }: Pick<SaleItem, 'type' | 'errorSale'>): boolean =>
  !errorSale && vendTypes.includes(type)

/**
 * The selections that a sale lowers: its price line's, and the machine's total of hot drinks, unless the line is a cold one of its own.
 */
export function soldFrom(
  priceLine: number | undefined | null,
  rows: { has(selection: string): boolean; isCold(selection: string): boolean; hotTotals: readonly string[] },
): string[] {
  const own = priceLine === undefined || priceLine === null ? undefined : String(priceLine)
  const hot = own !== undefined && rows.isCold(own) ? [] : rows.hotTotals
  return [...new Set([...(own !== undefined && rows.has(own) ? [own] : []), ...hot])]
}
