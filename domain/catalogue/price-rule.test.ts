import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostPrice, priceRoundings } from '#contract/vocabulary/catalogue/price.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { changedPrice, priceWarning, shownUnit } from './price-rule.ts'

const anyCurrency = fc.constantFrom(...(Object.keys(currencies) as Currency[]))
const anyPrice = fc.integer({ min: 0, max: mostPrice })
const anyRounding = fc.constantFrom(...priceRoundings)
/** Percentages with two decimals, as hundredths. */
const hundredths = fc.integer({ min: -9000, max: 100_000 })
const units = { none: 1, nearest5: 5, nearest10: 10, up5: 5, up10: 10 } as const

test('coffee for 1.15 € raised by 5 % costs 1.20 € to the next 5 cents', () => {
  const raise = (price: number, rounding: (typeof priceRoundings)[number], currency: Currency = 'EUR') =>
    changedPrice(price, { kind: 'percent', percent: 5, rounding }, currency)
  expect(raise(115, 'none')).toBe(121)
  expect(raise(115, 'nearest5')).toBe(120)
  expect(raise(115, 'up5')).toBe(125)
  expect(raise(115, 'nearest10')).toBe(120)
  expect(raise(115, 'up10')).toBe(130)
  // Without shown decimals 5 means 5 whole units: 1150 pesos and 5 % are 1207.50.
  expect(raise(115_000, 'nearest5', 'COP')).toBe(121_000)
  expect(raise(115_000, 'none', 'COP')).toBe(120_800)
  expect(raise(1150, 'up10', 'CLP')).toBe(1210)
})

test('a percentage is exact integer arithmetic, in steps of the shown unit', () => {
  fc.assert(
    fc.property(anyPrice, hundredths, anyRounding, anyCurrency, (price, percent, rounding, currency) => {
      const after = changedPrice(price, { kind: 'percent', percent: percent / 100, rounding }, currency)
      const step = BigInt(units[rounding] * shownUnit(currency))
      // Half up: floor of the doubled value plus one, halved.
      const exact = (2n * BigInt(price) * BigInt(10_000 + percent) + 10_000n) / 20_000n
      const below = exact - (exact % step)
      const isUp = exact % step !== 0n && (rounding.startsWith('up') || (exact % step) * 2n >= step)
      const expected = isUp ? below + step : below
      expect(after).toBe(expected > BigInt(mostPrice) ? null : Number(expected))
    }),
  )
})

test('a price is never below zero and never above the largest price', () => {
  const anyRule = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), price: anyPrice }),
    fc.record({ kind: fc.constant('add' as const), amount: fc.integer({ min: -100_000, max: 100_000 }) }),
    fc.record({
      kind: fc.constant('percent' as const),
      percent: hundredths.map((n) => n / 100),
      rounding: anyRounding,
    }),
  )
  fc.assert(
    fc.property(anyPrice, anyRule, anyCurrency, (price, rule, currency) => {
      const after = changedPrice(price, rule, currency)
      if (after === null) return
      expect(Number.isInteger(after) && after >= 0 && after <= mostPrice).toBe(true)
    }),
  )
  expect(changedPrice(30, { kind: 'add', amount: -50 }, 'EUR')).toBe(0)
  expect(changedPrice(mostPrice, { kind: 'add', amount: 1 }, 'EUR')).toBeNull()
})

test('only a set price needs no price before', () => {
  expect(changedPrice(null, { kind: 'set', price: 90 }, 'EUR')).toBe(90)
  expect(changedPrice(null, { kind: 'add', amount: 5 }, 'EUR')).toBeNull()
  expect(changedPrice(null, { kind: 'percent', percent: 5, rounding: 'none' }, 'EUR')).toBeNull()
})

test('raising by zero percent keeps each price that can be shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), anyCurrency, (displayed, currency) => {
      const price = displayed * shownUnit(currency)
      expect(changedPrice(price, { kind: 'percent', percent: 0, rounding: 'none' }, currency)).toBe(price)
    }),
  )
})

test('a price of zero, a price that would fall below zero and a change beyond the band need a confirmation', () => {
  expect(priceWarning(120, 0, 30)).toBe('zero')
  expect(priceWarning(null, 0, 30)).toBe('zero')
  expect(priceWarning(60, 0, 30, { kind: 'add', amount: -500 })).toBe('clamped')
  expect([priceWarning(100, 130, 30), priceWarning(100, 131, 30)]).toEqual([null, 'band'])
  expect([priceWarning(100, 70, 30), priceWarning(100, 69, 30)]).toEqual([null, 'band'])
  // From a free product to any price is beyond every band; without a price before there is nothing to compare with.
  expect([priceWarning(0, 10, 30), priceWarning(null, 100_000, 30), priceWarning(0, 0, 30)]).toEqual([
    'band',
    null,
    null,
  ])
})

test('a change within the band to a price above zero never needs a confirmation', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: mostPrice }),
      fc.integer({ min: 1, max: 99 }),
      anyPrice,
      (before, band, after) => {
        const isWithin = after > 0 && Math.abs(after - before) * 100 <= before * band
        expect(priceWarning(before, after, band) === null).toBe(isWithin || after === before)
      },
    ),
  )
})
