import { expect, test } from 'vitest'
import { brokenLimit, limitsOf } from './recharge-limit.ts'

const limits = {
  largestRecharge: 100,
  largestBalance: 150,
  largestDailyRecharge: 200,
  largestDailyRechargeOfMachine: 300,
}
const none = { balance: 0, ofDay: 0, ofDayAtMachine: 0 }

test.each([
  ['the largest recharge', 100, none, null],
  ['more than the largest recharge', 101, none, { limit: 'largestRecharge', allowed: 100 }],
  ['a recharge up to the largest balance', 60, { ...none, balance: 90 }, null],
  ['a recharge above the largest balance', 61, { ...none, balance: 90 }, { limit: 'largestBalance', allowed: 150 }],
  ['one above the day of the medium', 60, { ...none, ofDay: 141 }, { limit: 'largestDailyRecharge', allowed: 200 }],
  [
    'one above the day of the machine',
    60,
    { ...none, ofDayAtMachine: 241 },
    { limit: 'largestDailyRechargeOfMachine', allowed: 300 },
  ],
  ['a payment on the web beside a busy machine', 60, { ...none, ofDayAtMachine: null }, null],
] as const)('%s', (_, amount, place, broken) => {
  expect(brokenLimit(limits, amount, place)).toEqual(broken)
})

test('a merchant’s own limits replace the defaults of its currency, one by one', () => {
  const ownLimits = {
    largestRecharge: 42,
    largestBalance: null,
    largestDailyRecharge: null,
    largestDailyRechargeOfMachine: null,
  }
  expect(limitsOf(ownLimits, 'CLP')).toEqual({
    largestRecharge: 42,
    largestBalance: 500_000,
    largestDailyRecharge: 500_000,
    largestDailyRechargeOfMachine: 5_000_000,
  })
})
