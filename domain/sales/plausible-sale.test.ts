import { expect, test } from 'vitest'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { largestPrice } from '#contract/vocabulary/world/money-limits.ts'
import { isPlausible } from './plausible-sale.ts'

test.each(Object.keys(currencies) as (keyof typeof currencies)[])(
  'a vend in %s is plausible up to the largest price',
  (currency) => {
    const most = largestPrice(currency)
    expect(isPlausible({ type: 1, value: most, valueCharge: 0 }, currency)).toBe(true)
    expect(isPlausible({ type: 1, value: most + 1, valueCharge: 0 }, currency)).toBe(false)
    expect(isPlausible({ type: 1, value: 100, valueCharge: most + 1 }, currency)).toBe(false)
  },
)

test('only vends have a largest price: a collection or a recharge may be larger', () => {
  for (const type of [4, 12]) expect(isPlausible({ type, value: 10_000_000, valueCharge: 0 }, 'EUR')).toBe(true)
})
