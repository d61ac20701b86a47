import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Books,
  bookChange,
  bookCount,
  counts,
  emptyBooks,
  isAfter,
  type Movement,
  mayPrecede,
  soldFrom,
} from './movement.ts'

type Happened = { by: 'machine' | 'user' } & (
  | { kind: 'sale' | 'refill' | 'waste'; amount: number }
  | { kind: 'report' | 'correction' | 'refilled'; level: number }
)
const by = fc.constantFrom<'machine' | 'user'>('machine', 'user')
const happened: fc.Arbitrary<Happened> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      by: fc.constant('machine' as const),
      kind: fc.constant('sale' as const),
      amount: fc.constant(-1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ by, kind: fc.constant('refill' as const), amount: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ by, kind: fc.constant('waste' as const), amount: fc.integer({ min: -9, max: -1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by,
      kind: fc.constantFrom('report', 'correction', 'refilled'),
      level: fc.integer({ min: 0, max: 30 }),
    }),
  },
)
/** One thing a minute; the machine's have numbers, of a second association from the middle on. */
const placeOf = ({ by: who }: Happened, minute: number, all: number) => ({
  at: minute * 60_000,
  epoch: who === 'machine' ? (minute < all / 2 ? 1 : 2) : null,
  seq: who === 'machine' ? minute : null,
})
const isCount = (one: Happened): one is Extract<Happened, { level: number }> => 'level' in one

/** What is left when everything is known in its order. */
function leftOf(all: readonly Happened[]): number {
  return all.reduce((left, one) => (isCount(one) ? one.level : left + one.amount), 0)
}

function arrive(all: readonly Happened[], order: readonly number[]): { books: Books; movements: Movement[] } {
  let books = emptyBooks
  const movements: Movement[] = []
  for (const minute of order) {
    const one = all[minute] as Happened
    const place = placeOf(one, minute, all.length)
    const later = movements
      .filter((made) => ['sale', 'waste', 'refill'].includes(made.kind) && !made.isLate && isAfter(made, place))
      .reduce((sum, { amount }) => sum + amount, 0)
    if (isCount(one) && counts(books, place) && later !== 0) expect(mayPrecede(books, place)).toBe(true)
    const booked = isCount(one)
      ? bookCount(books, { ...place, kind: one.kind === 'refilled' ? 'refill' : one.kind, level: one.level }, later)
      : bookChange(books, { ...place, kind: one.kind, amount: one.amount })
    books = booked.books
    movements.push(...booked.movements)
  }
  return { books, movements }
}

test('in whatever order sales, refills, waste and counts arrive, the balance is the newest count and what happened after it', () => {
  fc.assert(
    fc.property(
      fc.array(happened, { minLength: 1, maxLength: 25 }).chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(
            all.map((_, minute) => minute),
            { minLength: all.length },
          ),
        ),
      ),
      ([all, order]) => {
        const { books, movements } = arrive(all, order)
        expect(books.balance).toBe(leftOf(all))
        expect(movements.reduce((sum, { amount }) => sum + amount, 0)).toBe(books.balance)
        // Each change is booked once, whatever balances it.
        const changes = movements.filter(({ isLate, kind }) => !isLate && kind === 'sale')
        expect(changes).toHaveLength(all.filter(({ kind }) => kind === 'sale').length)
      },
    ),
    { numRuns: 500 },
  )
})

const item = (seq: number) => ({ at: seq * 60_000, epoch: 1, seq })
const lackOf = (movements: readonly Movement[]) =>
  movements
    .filter(({ kind, isOpening }) => (kind === 'report' || kind === 'correction') && !isOpening)
    .reduce((lack, { amount }) => lack - amount, 0)

test('what a report shows less than expected is missing, until a late sale explains it', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 10 }, 0)
  const sold = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -1 })
  const reported = bookCount(sold.books, { ...item(9), kind: 'report', level: 7 }, 0)
  const before = [...opened.movements, ...sold.movements, ...reported.movements]
  expect([lackOf(before), reported.books.balance]).toEqual([2, 7])
  const late = bookChange(reported.books, { ...item(5), kind: 'sale', amount: -1 })
  expect(late.movements).toMatchObject([
    { kind: 'sale', amount: -1, isLate: false },
    { kind: 'report', amount: 1, isLate: true, at: item(9).at },
  ])
  expect([lackOf([...before, ...late.movements]), late.books.balance]).toEqual([1, 7])
})

test('a sale from before the opening is no surplus', () => {
  const opened = bookCount(emptyBooks, { ...item(5), kind: 'correction', level: 10 }, 0)
  const late = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -1 })
  expect(lackOf([...opened.movements, ...late.movements])).toBe(0)
  expect(late.books.balance).toBe(10)
})

test('the first count after an assumed level is an opening, and after an assumed refill that refill', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'correction', level: 20, isAssumed: true }, 0)
  const first = bookCount(opened.books, { ...item(2), kind: 'correction', level: 12 }, 0)
  expect(first.movements).toMatchObject([{ amount: -8, isOpening: true }])
  const second = bookCount(first.books, { ...item(3), kind: 'correction', level: 11 }, 0)
  expect(second.movements).toMatchObject([{ amount: -1, isOpening: false }])
  const refilled = bookCount(second.books, { ...item(4), kind: 'refill', level: 20, isAssumed: true }, 0)
  const reported = bookCount(refilled.books, { ...item(5), kind: 'report', level: 18 }, 0)
  expect(reported.movements).toMatchObject([{ kind: 'refill', amount: -2 }])
})

test('a count that changes nothing is kept where a user made it', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 10 }, 0)
  expect(bookCount(opened.books, { ...item(2), kind: 'report', level: 10 }, 0).movements).toEqual([])
  const counted = bookCount(opened.books, { at: 999_999, epoch: null, seq: null, kind: 'correction', level: 10 }, 0)
  expect(counted.movements).toMatchObject([{ kind: 'correction', amount: 0 }])
})

test('a sale lowers its price line, and the total of hot drinks unless the line is a cold one', () => {
  const rows = {
    has: (line: string) => line === '12' || line === '3',
    isCold: (line: string) => line === '12',
    hotTotals: ['HOT'],
  }
  expect(soldFrom(12, rows)).toEqual(['12'])
  expect(soldFrom(3, rows)).toEqual(['3', 'HOT'])
  expect(soldFrom(99, rows)).toEqual(['HOT'])
  expect(soldFrom(undefined, rows)).toEqual(['HOT'])
})
