import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arriveAt,
  countedAs,
  firstExpiredFirst,
  type HeldLot,
  isBalanced,
  leaving,
  movementOf,
  noLot,
  owedBy,
  type PieceEntry,
  piecesOf,
  takeFrom,
} from './pieces.ts'

const lot = (lotId: string, pieces: number, expiresOn: string | null = null, arrived = 0): HeldLot => ({
  lotId,
  pieces,
  expiresOn,
  receivedAt: new Date(arrived),
})

describe('lots leave', () => {
  test('first expired first, then those without a date in the order of their arrival', () => {
    const lots = [lot('d', 1, null, 2), lot('c', 1, null, 1), lot('b', 1, '2026-12-24'), lot('a', 1, '2026-12-06')]
    expect(firstExpiredFirst(lots).map(({ lotId }) => lotId)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('by pieces, from as many lots as it takes, and what is in none is missing', () => {
    const lots = [lot('b', 4, '2026-12-24'), lot('a', 3, '2026-12-06')]
    expect(takeFrom(lots, 5)).toEqual({
      parts: [
        { lotId: 'a', pieces: 3 },
        { lotId: 'b', pieces: 2 },
      ],
      missing: 0,
    })
    expect(takeFrom(lots, 9).missing).toBe(2)
    expect(leaving(lots, 9)).toContainEqual({ lotId: noLot, pieces: 2 })
  })
})

test('an arrival settles what was loaded beyond the book first', () => {
  expect(arriveAt([lot(noLot, -4)], 'a', 10)).toEqual([
    { lotId: noLot, pieces: 4 },
    { lotId: 'a', pieces: 6 },
  ])
  expect(arriveAt([lot(noLot, -4)], 'a', 3)).toEqual([{ lotId: noLot, pieces: 3 }])
})

test('a count takes missing pieces from the lots that leave first, and finds pieces of no lot', () => {
  const lots = [lot('b', 4, '2026-12-24'), lot('a', 3, '2026-12-06')]
  expect(countedAs(lots, 7)).toEqual([])
  expect(countedAs(lots, 9)).toEqual([{ lotId: noLot, pieces: 2 }])
  expect(countedAs(lots, 3)).toEqual([
    { lotId: 'a', pieces: -3 },
    { lotId: 'b', pieces: -1 },
  ])
  expect(countedAs([lot(noLot, -5)], 0)).toEqual([{ lotId: noLot, pieces: 5 }])
})

/** A day of a place: deliveries, loads into machines and counts, in any order. */
type Act = { kind: 'delivery' | 'load' | 'count'; pieces: number; expiresOn: string | null }
const acts = fc.array(
  fc.record<Act>({
    kind: fc.constantFrom('delivery', 'load', 'count'),
    pieces: fc.integer({ min: 1, max: 40 }),
    expiresOn: fc.option(fc.constantFrom('2026-12-06', '2026-12-24', '2027-01-06'), { nil: null }),
  }),
  { maxLength: 30 },
)

const place = { account: 'place', ownerId: 'van' } as const
const machine = { account: 'machine', ownerId: 'm' } as const
const supplier = { account: 'supplier', ownerId: 's' } as const
const difference = { account: 'difference', ownerId: 'd' } as const

/** Books acts one after the other. Returns the place's lots and all entries. */
function booked(all: readonly Act[]) {
  const lots = new Map<string, HeldLot>()
  const entries: PieceEntry[] = []
  all.forEach(({ kind, pieces, expiresOn }, at) => {
    const held = [...lots.values()]
    const lotId = `lot ${at}`
    const changes =
      kind === 'count'
        ? countedAs(held, pieces)
        : kind === 'load'
          ? leaving(held, pieces)
          : arriveAt(held, lotId, pieces)
    const operation =
      kind === 'delivery'
        ? movementOf('p', supplier, place, [{ lotId, pieces }], changes)
        : kind === 'load'
          ? movementOf('p', place, machine, changes)
          : movementOf('p', difference, place, changes)
    expect(isBalanced(operation)).toBe(true)
    entries.push(...operation)
    for (const entry of operation.filter(({ account }) => account === 'place')) {
      const before = lots.get(entry.lotId) ?? lot(entry.lotId, 0, entry.lotId === lotId ? expiresOn : null, at)
      lots.set(entry.lotId, { ...before, pieces: before.pieces + entry.pieces })
    }
  })
  return { lots: [...lots.values()], entries }
}

/** The same in another order. */
const shuffled = <T>(all: readonly T[], seed: number): T[] =>
  all
    .map((one, at) => ({ one, place: Math.sin(seed + at * 7.13) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ one }) => one)

describe('whatever happens at a place', () => {
  test('each piece is somewhere: the changes of all accounts add up to zero, and lots hold no less than nothing', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const { lots, entries } = booked(all)
        expect(piecesOf(entries)).toBe(0)
        for (const { lotId, pieces } of lots) if (lotId !== noLot) expect(pieces).toBeGreaterThanOrEqual(0)
        if (owedBy(lots) > 0) expect(piecesOf(lots.filter(({ lotId }) => lotId !== noLot))).toBe(0)
        expect(piecesOf(lots)).toBe(piecesOf(entries.filter(({ account }) => account === 'place')))
      }),
    )
  })

  test('deliveries and loads have the same sum in any order, and a count is what there is', () => {
    fc.assert(
      fc.property(acts, fc.integer(), (all, seed) => {
        const moves = all.filter(({ kind }) => kind !== 'count')
        expect(piecesOf(booked(shuffled(moves, seed)).lots)).toBe(piecesOf(booked(moves).lots))
        const last = all.at(-1)
        if (last?.kind === 'count') expect(piecesOf(booked(all).lots)).toBe(last.pieces)
      }),
    )
  })
})
