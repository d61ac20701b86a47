import { expect, test } from 'vitest'
import { collectionStatuses } from '#contract/vocabulary/cash.ts'
import { depositStatusOf, mayDeposit } from './deposit.ts'

test('a deposit is open until the bank credits it, and differs if the bank credits another amount', () => {
  expect(depositStatusOf({ amount: 100, credited: null })).toBe('open')
  expect(depositStatusOf({ amount: 100, credited: 100 })).toBe('credited')
  expect(depositStatusOf({ amount: 100, credited: 99 })).toBe('differs')
  expect(depositStatusOf({ amount: 100, credited: 0 })).toBe('differs')
})

test('only counted money is deposited', () => {
  expect(collectionStatuses.filter(mayDeposit)).toEqual(['counted', 'disputed', 'closed'])
})
