import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Books,
  bookChange,
  bookCount,
  type Entry,
  emptyBooks,
  type Movement,
  mayPrecede,
  needsEntries,
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

/** What is left when everything is known in its order. A refill starts at nothing at least. */
function leftOf(all: readonly Happened[]): number {
  return all.reduce((left, one) => {
    if (isCount(one)) return one.level
    return (one.kind === 'refill' ? Math.max(left, 0) : left) + one.amount
  }, 0)
}

const isEntry = ({ kind, isLate }: Movement) => !isLate && ['sale', 'waste', 'refill', 'oversold'].includes(kind)

function arrive(all: readonly Happened[], order: readonly number[]): { books: Books; movements: Movement[] } {
  let books = emptyBooks
  const movements: Movement[] = []
  for (const minute of order) {
    const one = all[minute] as Happened
    const place = placeOf(one, minute, all.length)
    const entries = movements.filter(isEntry) as Entry[]
    const needed = (isNeeded: boolean) => (isNeeded ? entries : [])
    const booked = isCount(one)
      ? bookCount(
          books,
          { ...place, kind: one.kind === 'refilled' ? 'refill' : one.kind, level: one.level },
          needed(mayPrecede(books, place)),
        )
      : bookChange(
          books,
          { ...place, kind: one.kind, amount: one.amount },
          needed(needsEntries(books, { ...place, kind: one.kind, amount: one.amount })),
        )
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
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 10 })
  const sold = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -1 })
  const reported = bookCount(sold.books, { ...item(9), kind: 'report', level: 7 })
  const before = [...opened.movements, ...sold.movements, ...reported.movements]
  expect([lackOf(before), reported.books.balance]).toEqual([2, 7])
  const late = bookChange(reported.books, { ...item(5), kind: 'sale', amount: -1 })
  expect(late.movements).toMatchObject([
    { kind: 'sale', amount: -1, isLate: false },
    { kind: 'report', amount: 1, isLate: true, at: item(9).at },
  ])
  expect([lackOf([...before, ...late.movements]), late.books.balance]).toEqual([1, 7])
})

test('a refill after more was sold than booked starts at nothing, and what was sold beyond the books is an own movement', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 8 })
  const sold = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -11 })
  expect(sold.books.balance).toBe(-3)
  const refill = { at: 180_000, epoch: null, seq: null, kind: 'refill' as const, amount: 10 }
  const refilled = bookChange(sold.books, refill)
  expect(refilled.movements).toMatchObject([
    { kind: 'oversold', amount: 3 },
    { kind: 'refill', amount: 10 },
  ])
  expect(refilled.books.balance).toBe(10)
  // A sale from before the refill arrives late: the refill still says what is there.
  const entries = [...sold.movements, ...refilled.movements] as Entry[]
  const late = bookChange(refilled.books, { at: 150_000, epoch: 1, seq: 3, kind: 'sale', amount: -1 }, entries)
  expect(late.movements).toMatchObject([
    { kind: 'sale', amount: -1 },
    { kind: 'oversold', amount: 1, at: refill.at },
  ])
  expect(late.books.balance).toBe(10)
})

test('a count after more was sold than booked is no surplus', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 2 })
  const sold = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -5 })
  const counted = bookCount(sold.books, { ...item(3), kind: 'report', level: 0 })
  expect(counted.movements).toMatchObject([{ kind: 'oversold', amount: 3 }])
  expect([lackOf(counted.movements), counted.books.balance]).toEqual([0, 0])
})

test('what a user loads soon after a refill event is the same refill, in either order', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 10 })
  const event = { ...item(2), kind: 'refill' as const, level: 20, isAssumed: true, isOpening: false }
  const visit = { at: 180_000, epoch: null, seq: null, kind: 'refill' as const, amount: 10 }
  const first = bookChange(bookCount(opened.books, event).books, visit)
  expect(first.books.balance).toBe(20)
  const loaded = bookChange(opened.books, visit)
  expect(bookCount(loaded.books, event, loaded.movements as Entry[]).books.balance).toBe(20)
  const nextDay = { ...visit, at: visit.at + 86_400_000, amount: 3 }
  expect(bookChange(first.books, nextDay).books.balance).toBe(23)
})

test('a sale from before the opening is no surplus', () => {
  const opened = bookCount(emptyBooks, { ...item(5), kind: 'correction', level: 10 })
  const late = bookChange(opened.books, { ...item(2), kind: 'sale', amount: -1 })
  expect(lackOf([...opened.movements, ...late.movements])).toBe(0)
  expect(late.books.balance).toBe(10)
})

test('the first count after an assumed level is an opening, and after an assumed refill that refill', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'correction', level: 20, isAssumed: true })
  const first = bookCount(opened.books, { ...item(2), kind: 'correction', level: 12 })
  expect(first.movements).toMatchObject([{ amount: -8, isOpening: true }])
  const second = bookCount(first.books, { ...item(3), kind: 'correction', level: 11 })
  expect(second.movements).toMatchObject([{ amount: -1, isOpening: false }])
  const refilled = bookCount(second.books, { ...item(4), kind: 'refill', level: 20, isAssumed: true })
  const reported = bookCount(refilled.books, { ...item(5), kind: 'report', level: 18 })
  expect(reported.movements).toMatchObject([{ kind: 'refill', amount: -2 }])
})

test('a count that changes nothing is kept where a user made it', () => {
  const opened = bookCount(emptyBooks, { ...item(1), kind: 'report', level: 10 })
  expect(bookCount(opened.books, { ...item(2), kind: 'report', level: 10 }).movements).toEqual([])
  const counted = bookCount(opened.books, { at: 999_999, epoch: null, seq: null, kind: 'correction', level: 10 })
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

test('a sale of line 4 lowers the selection that the machine writes as 04', () => {
  const rows = { has: (line: string) => line === '04', isCold: (line: string) => line === '04', hotTotals: ['HOT'] }
  expect(soldFrom(4, rows)).toEqual(['04'])
})
