import { expect, test } from 'vitest'
import type { MerchantFacts } from '#contract/people/user.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { byName, choose } from './merchant.tsx'

const merchant = (id: string, name = id): MerchantFacts => ({
  id,
  name,
  country: 'IT',
  language: 'it',
  timeZone: 'Europe/Rome',
  currency: 'EUR',
  isDemo: false,
  demoExpiresOn: null,
  demoDaysLeft: null,
  closedBy: null,
  features: [],
  productFamilies: [],
  screenConfigurationManagement: false,
})

test('merchants are sorted by name, ignoring case', () => {
  expect(
    byName([merchant('1', 'zeta'), merchant('2', 'Beta'), merchant('3', 'alfa')], 'it').map(({ name }) => name),
  ).toEqual(['alfa', 'Beta', 'zeta'])
})

test('the address precedes the remembered merchant', () => {
  expect(choose([merchant('a'), merchant('b')], ['b', 'a'])).toBe('b')
})

test("another user's merchant is ignored", () => {
  expect(choose([merchant('a'), merchant('b')], ['stranger', 'a'])).toBe('a')
  expect(choose([merchant('a')], ['stranger', undefined])).toBe('a')
})

test('a user of several merchants starts with all of them, a user of one with that one', () => {
  expect(choose([merchant('a'), merchant('b')], [])).toBe(allMerchants)
  expect(choose([merchant('a')], [allMerchants])).toBe('a')
  expect(choose([], [allMerchants])).toBeUndefined()
})
