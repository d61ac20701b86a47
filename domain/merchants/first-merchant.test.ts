import { expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { firstMerchant } from './first-merchant.ts'

const [a, b] = [{ id: 'a' }, { id: 'b' }]

test('the address precedes the remembered merchant', () => {
  expect(firstMerchant([a, b], ['b', 'a'])).toBe('b')
})

test("another user's merchant is ignored", () => {
  expect(firstMerchant([a, b], ['stranger', 'a'])).toBe('a')
  expect(firstMerchant([a], ['stranger', undefined])).toBe('a')
})

test('a user of several merchants starts with all of them, a user of one with that one', () => {
  expect(firstMerchant([a, b], [])).toBe(allMerchants)
  expect(firstMerchant([a], [allMerchants])).toBe('a')
  expect(firstMerchant([], [allMerchants])).toBeUndefined()
})
