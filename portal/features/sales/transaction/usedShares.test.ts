import { expect, test } from 'vitest'
import type { UsedCode } from '#contract/sales/transaction.ts'
import { sharesOf } from './usedShares.ts'

const used = (code: number, currency: UsedCode['currency'], count: number, value: number): UsedCode => ({
  code,
  currency,
  count,
  value,
  errorValue: 0,
  valueCharge: 0,
  freeCount: 0,
  errorCount: 0,
})

const codeOf = ({ code }: UsedCode) => code

test('shares are of the number of transactions, the most used first', () => {
  expect(sharesOf([used(1, 'EUR', 1, 100), used(2, 'EUR', 3, 500)], codeOf)).toEqual([
    { code: 2, count: 3, share: 0.75, money: { value: 500, currency: 'EUR' } },
    { code: 1, count: 1, share: 0.25, money: { value: 100, currency: 'EUR' } },
  ])
})

test('money of different currencies is never added up', () => {
  expect(sharesOf([used(1, 'EUR', 1, 100), used(1, 'COP', 1, 9000)], codeOf)).toEqual([
    { code: 1, count: 2, share: 1, money: undefined },
  ])
})

test('without transactions there are no shares', () => {
  expect(sharesOf([], codeOf)).toEqual([])
})
