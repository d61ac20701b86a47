import fc from 'fast-check'
import { expect, test } from 'vitest'
import { purchaseOf } from './buying.ts'

const demand = { missing: 10, expected: 30, onHand: 5, packSize: null, minimumPacks: null }

test('what machines lack and will sell is bought, without what there is', () => {
  expect(purchaseOf(demand)).toEqual({ packs: 35, toBuy: 35 })
  expect(purchaseOf({ ...demand, onHand: 40 })).toEqual({ packs: 0, toBuy: 0 })
})

test('in whole packs, and no fewer than the smallest purchase', () => {
  expect(purchaseOf({ ...demand, packSize: 24 })).toEqual({ packs: 2, toBuy: 48 })
  expect(purchaseOf({ ...demand, packSize: 24, minimumPacks: 5 })).toEqual({ packs: 5, toBuy: 120 })
})

test('what a van owes is bought too', () => {
  expect(purchaseOf({ ...demand, onHand: -5 }).toBuy).toBe(45)
})

test('any purchase suffices, and one pack less would not, unless it is the smallest', () => {
  const pieces = fc.integer({ min: 0, max: 10_000 })
  const packs = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null })
  fc.assert(
    fc.property(
      fc.record({ missing: pieces, expected: pieces, onHand: pieces, packSize: packs, minimumPacks: packs }),
      (one) => {
        const { packs, toBuy } = purchaseOf(one)
        const lacking = one.missing + one.expected - one.onHand
        expect(toBuy).toBeGreaterThanOrEqual(Math.max(0, lacking))
        if (packs > (one.minimumPacks ?? 1)) expect((packs - 1) * (one.packSize ?? 1)).toBeLessThan(lacking)
        if (lacking <= 0) expect(packs).toBe(0)
      },
    ),
  )
})
