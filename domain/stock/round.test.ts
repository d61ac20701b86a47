import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  drivingOrder,
  isDue,
  lostSales,
  piecesThatFit,
  piecesToLoad,
  routeKm,
  type VisitFacts,
  visitReasons,
} from './round.ts'

const facts = (with_: Partial<VisitFacts> = {}): VisitFacts => ({
  out: 0,
  low: 0,
  selections: 10,
  daysUntilEmpty: null,
  blockedBy: null,
  usualPerDay: 1000,
  lostPerDay: null,
  cashInBox: null,
  cashBoxCapacity: null,
  hoursSinceAudit: 1,
  auditExceededHours: 48,
  ...with_,
})
const kinds = (with_: Partial<VisitFacts>, days = 1) => visitReasons(facts(with_), days).map(({ kind }) => kind)

describe('a machine is worth a visit', () => {
  test('for each reason, the most urgent first', () => {
    const all = { out: 2, low: 1, blockedBy: 'EJM', cashInBox: 75, cashBoxCapacity: 100, hoursSinceAudit: 49 }
    expect(kinds(all)).toEqual(['blocked', 'soldOut', 'cashFull', 'auditOverdue', 'low'])
    expect(kinds({})).toEqual([])
    expect(kinds({ cashInBox: 74, cashBoxCapacity: 100 })).toEqual([])
  })

  test('when a selection is empty by the day after', () => {
    expect(kinds({ daysUntilEmpty: 2 }, 0.5)).toEqual(['emptySoon'])
    expect(kinds({ daysUntilEmpty: 3 }, 0.5)).toEqual([])
    // Its low levels are the same news.
    expect(kinds({ daysUntilEmpty: 1, low: 1 })).toEqual(['emptySoon'])
  })
})

test('a blocked machine loses all sales until the day is over, otherwise its sold-out selections lose theirs', () => {
  expect(lostSales(facts({ blockedBy: 'EJM', out: 1 }), 1.5)).toBe(1500)
  expect(lostSales(facts({ out: 2 }), 2)).toBe(400)
  expect(lostSales(facts({ out: 2, lostPerDay: 70 }), 2)).toBe(140)
  expect(lostSales(facts({ out: 2, selections: 0, usualPerDay: 0 }), 2)).toBe(0)
})

describe('pieces to load', () => {
  test('fill up to the refill value from the level expected at the visit', () => {
    expect(piecesToLoad({ level: 3, capacity: 10, refillValue: 8, soldUntil: 1.4 })).toBe(6)
    expect(piecesToLoad({ level: 3, capacity: 10, refillValue: null, soldUntil: 0 })).toBe(7)
    expect(piecesToLoad({ level: null, capacity: 10, refillValue: 8, soldUntil: 0 })).toBe(0)
  })

  test('always fit', () => {
    const piece = fc.integer({ min: 0, max: 200 })
    fc.assert(
      fc.property(piece, piece, fc.option(piece), piece, (level, capacity, refillValue, soldUntil) => {
        const fill = { level, capacity, refillValue, soldUntil }
        const pieces = piecesToLoad(fill)
        expect(pieces).toBeGreaterThanOrEqual(0)
        expect(pieces).toBeLessThanOrEqual(piecesThatFit(fill) ?? 0)
      }),
    )
  })

  test('fit into what the expected level leaves of the capacity', () => {
    expect(piecesThatFit({ level: 8, capacity: 10, refillValue: 9, soldUntil: 1.4 })).toBe(3)
    expect(piecesThatFit({ level: 12, capacity: 10, refillValue: 9, soldUntil: 0 })).toBe(0)
    expect(piecesThatFit({ level: null, capacity: 10, refillValue: 9, soldUntil: 2 })).toBe(10)
    expect(piecesThatFit({ level: 3, capacity: null, refillValue: null, soldUntil: 0 })).toBe(null)
  })
})

test('visits belong to a round that is started, or whose day has come', () => {
  const due = (status: 'planned' | 'underway' | 'done') => isDue({ status, day: '2026-11-25' }, '2026-11-24')
  expect([due('planned'), due('underway'), due('done')]).toEqual([false, true, true])
  expect(isDue({ status: 'planned', day: '2026-11-24' }, '2026-11-24')).toBe(true)
})

describe('the driving order', () => {
  const at = (id: number, latitude: number | null, longitude: number | null = 9) => ({ id, latitude, longitude })
  const ids = (stops: readonly { id: number }[]) => stops.map(({ id }) => id)

  test('is short from the start or the first stop on; stops without a place are last', () => {
    const stops = [at(1, 45), at(2, null), at(3, 45.4), at(4, 45.1), at(5, 45.3)]
    expect(ids(drivingOrder(stops, { start: { latitude: 45.5, longitude: 9 } }))).toEqual([3, 5, 4, 1, 2])
    expect(ids(drivingOrder(stops))).toEqual([1, 4, 5, 3, 2])
    expect(Math.round(routeKm(drivingOrder(stops)))).toBe(44)
    const start = { latitude: 45.5, longitude: 9 }
    expect(Math.round(routeKm(drivingOrder(stops, { start }), { start }))).toBe(56)
    expect(Math.round(routeKm(drivingOrder(stops, { start, returns: true }), { start, returns: true }))).toBe(111)
  })

  test('is by roads where their lengths are given', () => {
    const stops = [at(1, 45), at(2, 45.1), at(3, 45.2)]
    // No bridge from the first to the second stop.
    const distances = [
      [0, 99, 20],
      [99, 0, 10],
      [20, 10, 0],
    ]
    expect(ids(drivingOrder(stops, { distances }))).toEqual([1, 3, 2])
  })

  test('has each stop once', () => {
    const place = fc.option(fc.double({ min: -80, max: 80, noNaN: true }))
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { maxLength: 30 }), (places) => {
        const stops = places.map(([latitude, longitude], id) => ({ id, latitude, longitude }))
        expect(ids(drivingOrder(stops)).sort((a, b) => a - b)).toEqual(ids(stops))
      }),
    )
  })
})
