import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bySelection, type StockLevel, stockStandingOf, stockStatusOf, warningLevelOf } from './stock.ts'

const a = (level: number, capacity: number | null = 10, warningLevel: number | null = null, selection = '12') => ({
  selection,
  level,
  capacity,
  warningLevel,
})

describe('a selection', () => {
  test('is low at or below the machine’s own warning level', () => {
    expect([0, 1, 4, 5].map((level) => stockStatusOf(a(level, 10, 4)))).toEqual([1, 4, 4, 9])
    expect([0, 1, 4, 5].map((level) => stockStatusOf(a(level, null, 4)))).toEqual([1, 4, 4, 9])
  })

  test('is low at a fifth of its capacity without a warning level', () => {
    expect([0, 2, 3, 10].map((level) => stockStatusOf(a(level)))).toEqual([1, 4, 9, 9])
    expect([1, 4].map((level) => stockStatusOf(a(level, 4)))).toEqual([9, 9])
    expect(warningLevelOf(a(0, 35))).toBe(7)
  })

  test('is out or not where neither is known', () => {
    expect([0, 1, 500].map((level) => stockStatusOf(a(level, null)))).toEqual([1, 9, 9])
  })

  test('is never low when full, whatever the machine reports', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (capacity, warning) => {
        expect(stockStatusOf(a(capacity, capacity, warning))).toBe(9)
        expect(stockStandingOf([a(capacity, capacity, warning)])).toEqual({ out: [], low: [], isNear: false })
      }),
    )
  })
})

test('a machine’s stock status names its affected selections in order', () => {
  const levels: StockLevel[] = [a(0, 10, null, '101'), a(0, 10, null, '9'), a(1, 10, null, 'A12'), a(2, 10, null, 'A2')]
  expect(stockStandingOf(levels)).toEqual({ out: ['9', '101'], low: ['A2', 'A12'], isNear: false })
  expect(['10', '9', 'a', 'A'].toSorted(bySelection)).toEqual(['9', '10', 'a', 'A'])
})

test('is near its warning level until it is a tenth of the capacity above it', () => {
  const nearOf = (level: number, capacity: number | null, warning: number | null) =>
    stockStandingOf([a(level, capacity, warning)]).isNear
  expect([5, 6, 7].map((level) => nearOf(level, 20, 4))).toEqual([true, true, false])
  expect([5, 6].map((level) => nearOf(level, null, 4))).toEqual([true, false])
  // Without a level, or at zero, nothing is above it.
  expect([1, 2].map((level) => nearOf(level, 4, null))).toEqual([false, false])
  expect(nearOf(1, null, null)).toBe(false)
})
