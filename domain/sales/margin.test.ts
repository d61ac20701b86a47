import { expect, test } from 'vitest'
import { marginOf, marginRateOf } from './margin.ts'

test('the margin is turnover less VAT, commission and cost, and its rate is of net turnover', () => {
  const sums = { turnover: 1220, vat: 220, commission: 100, cost: 400 }
  expect(marginOf(sums)).toBe(500)
  expect(marginRateOf(sums)).toBe(0.5)
  expect(marginRateOf({ turnover: 0, vat: 0, commission: 0, cost: 40 })).toBeNull()
})
