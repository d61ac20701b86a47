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
})

test('merchants stand by name, whatever the case', () => {
  expect(
    byName([merchant('1', 'zeta'), merchant('2', 'Beta'), merchant('3', 'alfa')], 'it').map(({ name }) => name),
  ).toEqual(['alfa', 'Beta', 'zeta'])
})

test('the address comes before what is remembered', () => {
  expect(choose([merchant('a'), merchant('b')], ['b', 'a'])).toBe('b')
})

test("a merchant that is not one's own counts for nothing", () => {
  expect(choose([merchant('a'), merchant('b')], ['stranger', 'a'])).toBe('a')
  expect(choose([merchant('a')], ['stranger', undefined])).toBe('a')
})

test('whoever has several merchants begins with all of them, whoever has one with that one', () => {
  expect(choose([merchant('a'), merchant('b')], [])).toBe(allMerchants)
  expect(choose([merchant('a')], [allMerchants])).toBe('a')
  expect(choose([], [allMerchants])).toBeUndefined()
})
