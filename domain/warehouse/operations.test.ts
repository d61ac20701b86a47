import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countEntries, deliveryEntries, type LotsAt, visitEntries } from './operations.ts'
import { type HeldLot, isBalanced, noLot, type PieceEntry, piecesOf } from './pieces.ts'

const merchantId = 'merchant'
const van = { merchantId, placeId: 'van' }
const visit = { ...van, machineId: 'machine', day: '2026-12-01' }
const nothing: LotsAt = () => []
const never = () => false
const of = (account: PieceEntry['account'], entries: readonly PieceEntry[]) =>
  piecesOf(entries.filter((entry) => entry.account === account))

describe('a visit', () => {
  const lots: HeldLot[] = [{ lotId: 'a', pieces: 3, expiresOn: '2026-12-24', receivedAt: new Date(0) }]

  test('takes what was loaded out of the van, also what the book does not have', () => {
    const entries = visitEntries(visit, [{ productId: 'p', loaded: 5, waste: 0 }], () => lots, never)
    expect(entries.filter(({ account }) => account === 'place')).toEqual([
      { account: 'place', ownerId: 'van', productId: 'p', lotId: 'a', pieces: -3 },
      { account: 'place', ownerId: 'van', productId: 'p', lotId: noLot, pieces: -2 },
    ])
    expect(of('machine', entries)).toBe(5)
  })

  test('loads what may be sold before what has expired', () => {
    const expired: HeldLot = { lotId: 'old', pieces: 9, expiresOn: '2026-11-30', receivedAt: new Date(0) }
    const entries = visitEntries(visit, [{ productId: 'p', loaded: 4, waste: 0 }], () => [expired, ...lots], never)
    const left = entries.filter(({ account }) => account === 'place')
    expect(left.map(({ lotId, pieces }) => [lotId, pieces])).toEqual([
      ['a', -3],
      ['old', -1],
    ])
  })

  test('throws away what was in the machine, not in the van', () => {
    const entries = visitEntries(visit, [{ productId: 'p', loaded: 0, waste: 2 }], () => lots, never)
    expect([of('place', entries), of('machine', entries), of('waste', entries)]).toEqual([0, -2, 2])
  })

  test('that a count of the van has included takes its pieces out of the differences', () => {
    const entries = visitEntries(
      visit,
      [{ productId: 'p', loaded: 5, waste: 0 }],
      () => lots,
      () => true,
    )
    expect([of('place', entries), of('machine', entries), of('difference', entries)]).toEqual([0, 5, -5])
  })
})

/** A day of a van. Loads are known to the server some acts later; `stolen` pieces are never booked. */
type Act =
  | { kind: 'delivery' | 'count'; pieces: number }
  | { kind: 'load'; pieces: number; delay: number }
  | { kind: 'theft'; pieces: number }
const acts = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('delivery' as const, 'count' as const),
      pieces: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({
      kind: fc.constant('load' as const),
      pieces: fc.integer({ min: 1, max: 20 }),
      delay: fc.integer({ min: 0, max: 12 }),
    }),
    fc.record({ kind: fc.constant('theft' as const), pieces: fc.integer({ min: 1, max: 3 }) }),
  ),
  { maxLength: 30 },
)

/** Plays a day. Counts say what is really there, and no more is taken than there is. */
function play(day: readonly Act[]) {
  let real = 0
  const lots = new Map<string, HeldLot>()
  const entries: PieceEntry[] = []
  let countedAt = -1
  let lost = 0
  let lostBeforeCount = 0
  let late: { at: number; pieces: number; arrives: number }[] = []
  const lotsAt: LotsAt = () => [...lots.values()]
  const book = (some: PieceEntry[]) => {
    expect(isBalanced(some)).toBe(true)
    entries.push(...some)
    for (const { account, lotId, pieces } of some) {
      if (account !== 'place') continue
      const before = lots.get(lotId) ?? { lotId, pieces: 0, expiresOn: null, receivedAt: new Date(0) }
      lots.set(lotId, { ...before, pieces: before.pieces + pieces })
    }
  }
  const arrive = (until: number) => {
    const arrived = late.filter(({ arrives }) => arrives <= until)
    late = late.filter(({ arrives }) => arrives > until)
    for (const { at, pieces } of arrived)
      book(visitEntries(visit, [{ productId: 'p', loaded: pieces, waste: 0 }], lotsAt, () => at < countedAt))
  }
  day.forEach((act, at) => {
    arrive(at)
    if (act.kind === 'delivery') {
      real += act.pieces
      book(deliveryEntries(van, [{ productId: 'p', pieces: act.pieces, lotId: `lot ${at}` }], lotsAt))
    } else if (act.kind === 'count') {
      book(countEntries(van, [{ productId: 'p', counted: real }], lotsAt))
      countedAt = at
      lostBeforeCount = lost
    } else {
      const taken = Math.min(real, act.pieces)
      real -= taken
      if (act.kind === 'load') late.push({ at, pieces: taken, arrives: at + act.delay })
      else lost += taken
    }
  })
  arrive(Number.POSITIVE_INFINITY)
  return { real, lots: [...lots.values()], entries, lost, lostBeforeCount }
}

describe('a van, whenever its visits arrive', () => {
  test('has what is really in it, and what was lost since its last count', () => {
    fc.assert(
      fc.property(acts, (day) => {
        const { real, lots, lost, lostBeforeCount } = play(day)
        expect(piecesOf(lots)).toBe(real + lost - lostBeforeCount)
      }),
    )
  })

  test('has differences of what was lost before its last count, and of nothing else', () => {
    fc.assert(
      fc.property(acts, (day) => {
        const { entries, lostBeforeCount } = play(day)
        expect(piecesOf(entries)).toBe(0)
        expect(of('difference', entries)).toBe(lostBeforeCount)
      }),
    )
  })
})

test('a visit without pieces changes nothing', () => {
  expect(visitEntries(visit, [{ productId: 'p', loaded: 0, waste: 0 }], nothing, () => true)).toEqual([])
})
