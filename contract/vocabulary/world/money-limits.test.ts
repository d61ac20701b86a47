import { expect, test } from 'vitest'
import { type Currency, currencies } from './currencies.ts'
import { defaultRechargeLimits, largestAmount, largestPrice, mostAmount, rechargeLimits } from './money-limits.ts'

test.each(Object.keys(currencies) as Currency[])('the limits in %s are whole amounts in their order', (currency) => {
  const limits = defaultRechargeLimits(currency)
  const unit = 10 ** currencies[currency].storageDigits
  for (const limit of rechargeLimits) expect(limits[limit] % unit).toBe(0)
  expect(limits.largestRecharge).toBeLessThanOrEqual(limits.largestBalance)
  expect(limits.largestRecharge).toBeLessThanOrEqual(limits.largestDailyRecharge)
  expect(limits.largestDailyRecharge).toBeLessThanOrEqual(limits.largestDailyRechargeOfMachine)
  expect(largestPrice(currency)).toBeGreaterThan(limits.largestRecharge)
  // An order of a currency with large numbers takes what the currency allows.
  expect(largestAmount(currency)).toBeGreaterThanOrEqual(limits.largestDailyRechargeOfMachine)
  expect(mostAmount).toBeGreaterThanOrEqual(largestAmount(currency))
})

test('a limit in euros is what it says', () => {
  expect(defaultRechargeLimits('EUR')).toEqual({
    largestRecharge: 250_00,
    largestBalance: 500_00,
    largestDailyRecharge: 500_00,
    largestDailyRechargeOfMachine: 5_000_00,
  })
})
