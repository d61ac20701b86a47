import type { SaleItem } from '#contract/device-protocol.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { nameAmong } from '../frame/selection-name.ts'
import { sameVisitMs } from './counting.ts'

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
export type ChangeKind = 'sale' | 'refill' | 'waste'
export type MovementKind = ChangeKind | CountKind | 'oversold'

/** A change by a number of pieces: below zero for a sale and for waste. */
export interface Change extends Position {
  kind: ChangeKind
  amount: number
}

/** A booked change, or what was sold beyond the books until a refill. */
export interface Entry extends Position {
  kind: ChangeKind | 'oversold'
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
  /** The latest refill, by time. */
  loadedAt: number | null
}

export const emptyBooks: Books = { balance: 0, anchor: null, moved: null, loadedAt: null }

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

/** A refill event fills a selection up; what a user books soon after it is the same refill. */
const isSameRefill = (
  one: Position & { kind: string },
  { kind, isAssumed, at }: Pick<Anchor, 'kind' | 'isAssumed' | 'at'>,
) => kind === 'refill' && isAssumed && one.kind !== 'sale' && one.epoch === null && one.at - at <= sameVisitMs

/** Whether a change adds to a count: it happened after it, and the count does not include it. */
export const follows = (
  one: Position & { kind: string },
  count: Position & Pick<Anchor, 'kind'> & { isAssumed?: boolean | undefined },
): boolean =>
  isAfter(one, count) && !isSameRefill(one, { kind: count.kind, isAssumed: count.isAssumed ?? false, at: count.at })

const sumOf = (entries: readonly { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

/** One order for all arrivals: by time, then by the machine's item. */
const inTime = (one: Entry, other: Entry): number =>
  one.at - other.at ||
  (one.epoch ?? 0) - (other.epoch ?? 0) ||
  (one.seq ?? 0) - (other.seq ?? 0) ||
  one.amount - other.amount

const placeOf = ({ at, epoch, seq }: Position) => `${at} ${epoch} ${seq}`

/** A movement that clears what was sold beyond the books. */
const oversoldAt = ({ at, epoch, seq }: Position, amount: number): Movement[] =>
  amount === 0 ? [] : [{ at, epoch, seq, kind: 'oversold', amount, isOpening: false, isLate: false }]

/**
 * The balance after entries, and the movements that clear what was sold beyond the books before each refill and are not booked yet. A refill
 * starts at nothing at least: more cannot have been sold than there was.
 */
function settle(level: number, entries: readonly Entry[]): { balance: number; cleared: Movement[] } {
  const isBooked = ({ kind }: Entry) => kind === 'oversold'
  const places = new Map<string, { place: Position; amount: number }>()
  const clear = (place: Position, amount: number) => {
    const before = places.get(placeOf(place))
    places.set(placeOf(place), { place, amount: (before?.amount ?? 0) + amount })
  }
  for (const entry of entries.filter(isBooked)) clear(entry, -entry.amount)
  let balance = level
  for (const entry of entries.filter((one) => !isBooked(one)).toSorted(inTime)) {
    if (entry.kind === 'refill' && balance < 0) {
      clear(entry, -balance)
      balance = 0
    }
    balance += entry.amount
  }
  return { balance, cleared: [...places.values()].flatMap(({ place, amount }) => oversoldAt(place, amount)) }
}

/** Whether a change needs the entries from its time on: a refill may follow it, or it is a refill with changes after it. */
export function needsEntries({ anchor, moved, loadedAt }: Books, change: Change): boolean {
  if (anchor && !follows(change, anchor)) return false
  const latest = change.kind === 'refill' ? moved?.at : loadedAt
  return latest !== undefined && latest !== null && change.at <= latest
}

/**
 * Books a sale, refill or waste. One from before the newest count is booked and balanced: the count included it. A refill first clears what
 * was sold beyond the books. `entries` are the booked ones, where `needsEntries`.
 */
export function bookChange(books: Books, change: Change, entries: readonly Entry[] = []): Booked {
  const { balance, anchor } = books
  const { at, epoch, seq, kind, amount } = change
  const movement: Movement = { at, epoch, seq, kind, amount, isOpening: false, isLate: false }
  const moved = latestOf(books.moved, change)
  const loadedAt = kind === 'refill' ? Math.max(books.loadedAt ?? at, at) : books.loadedAt
  if (anchor && !follows(change, anchor)) {
    const { isOpening, isAssumed: _, ...place } = anchor
    const late = { ...place, amount: -amount, isOpening, isLate: true }
    return { books: { balance, anchor, moved, loadedAt }, movements: [movement, late] }
  }
  if (!needsEntries(books, change)) {
    const beyond = oversoldAt(change, kind === 'refill' ? Math.max(0, -balance) : 0)
    const after = balance + sumOf(beyond) + amount
    return { books: { balance: after, anchor, moved, loadedAt }, movements: [...beyond, movement] }
  }
  const since = entries.filter((entry) => entry.at >= at && (!anchor || follows(entry, anchor)))
  const after = settle(balance - sumOf(since), [...since, change])
  return { books: { balance: after.balance, anchor, moved, loadedAt }, movements: [movement, ...after.cleared] }
}

/** Whether a count is at least as new as the newest one; an older count says nothing. */
export const counts = ({ anchor }: Books, count: Position): boolean => !anchor || !isAfter(anchor, count)

/** Whether changes after a count may be booked, so that they are needed. */
export function mayPrecede({ moved }: Pick<Books, 'moved'>, count: Position): boolean {
  if (!moved) return false
  if (count.at < moved.at) return true
  if (count.epoch === null || moved.epoch === null) return false
  return count.epoch === moved.epoch ? (count.seq ?? 0) < (moved.seq ?? 0) : count.epoch < moved.epoch
}

/**
 * Books a count. A count older than the newest one is not booked. `entries` are the booked ones, where `mayPrecede`. What was sold beyond the
 * books until the count is an own movement, not a surplus.
 */
export function bookCount(books: Books, count: Count, entries: readonly Entry[] = []): Booked {
  if (!counts(books, count)) return { books, movements: [] }
  const { at, epoch, seq, level, isAssumed = false } = count
  const before = books.anchor
  // The first real count after an assumed one says what was there, and not what is missing.
  const isOpening = count.isOpening ?? (!before || (before.isAssumed && before.isOpening))
  const since = entries.filter((entry) => follows(entry, count))
  const expected = books.balance - sumOf(since)
  const oversold = isOpening ? 0 : Math.max(0, -expected)
  const amount = level - expected - oversold
  const isExact = count.kind === 'report' && before?.isAssumed && before.kind === 'refill'
  const kind = isExact || (count.isRefilled && before && amount > 0) ? 'refill' : count.kind
  const place = { at, epoch, seq, kind, isOpening }
  const isKept = amount !== 0 || kind === 'correction'
  const { balance, cleared } = settle(level, since)
  return {
    books: { balance, anchor: { ...place, isAssumed }, moved: books.moved, loadedAt: books.loadedAt },
    movements: [...oversoldAt(count, oversold), ...(isKept ? [{ ...place, amount, isLate: false }] : []), ...cleared],
  }
}

/** The level before something that a user did at a time; null: unknown, because of a count or a refill event. */
export function levelAt({ balance, anchor }: Books, at: number, entries: readonly Entry[]): number | null {
  const place = { at, epoch: null, seq: null, kind: 'refill' }
  if (!anchor || !follows(place, anchor)) return null
  return levelOf(balance - sumOf(entries.filter((entry) => isAfter(entry, place))))
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
  const lineName = priceLine === undefined || priceLine === null ? undefined : nameAmong(String(priceLine), rows)
  const hot = lineName !== undefined && rows.isCold(lineName) ? [] : rows.hotTotals
  return [...new Set([...(lineName !== undefined ? [lineName] : []), ...hot])]
}
