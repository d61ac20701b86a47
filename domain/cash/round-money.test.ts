import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FundEntry, mayBook, openFund } from './change-fund.ts'
import { roundTotals } from './round-money.ts'

const amount = fc.integer({ min: 1, max: 1_000_000 })

test('whatever is given and returned, a driver never returns more than the round has', () => {
  const entry = fc.record({ kind: fc.constantFrom('given' as const, 'returned' as const), amount })
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const booked: FundEntry[] = []
      for (const next of entries) if (mayBook(booked, next)) booked.push(next)
      expect(openFund(booked)).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('over − short is counted − expected of the bags with both, and a collection of two visits counts once', () => {
  const bag = fc.record({
    collectionId: fc.uuid(),
    counted: fc.option(amount),
    expected: fc.option(amount),
  })
  fc.assert(
    fc.property(fc.uniqueArray(bag, { selector: ({ collectionId }) => collectionId }), (bags) => {
      const totals = roundTotals([...bags, ...bags])
      const both = bags.flatMap(({ counted, expected }) =>
        counted !== null && expected !== null ? [counted - expected] : [],
      )
      expect(totals.over - totals.short).toBe(both.reduce((sum, one) => sum + one, 0))
      expect(totals.collected).toBe(bags.length)
    }),
  )
})

test('a stop without a taken box is no bag', () => {
  expect(roundTotals([{ collectionId: null, counted: null, expected: null }])).toEqual({
    collected: 0,
    uncounted: 0,
    counted: 0,
    expected: 0,
    over: 0,
    short: 0,
  })
})
