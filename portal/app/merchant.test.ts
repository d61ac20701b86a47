import { expect, test } from 'vitest'
import type { MerchantFacts } from '#contract/people/user.ts'
import { byName } from './merchant.tsx'

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
