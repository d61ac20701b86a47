import { expect, test } from 'vitest'
import { averageOf, chargedForFailure, isFailedVend, isVend, vendsOf } from './sale.ts'

const sale = (more: object = {}) => ({ type: 1, errorSale: false, value: 150, ...more })

test('a vend that did not fail charged nothing for a failure', () => {
  expect([isVend(sale()), chargedForFailure(sale())]).toEqual([true, 0])
})

test('a failed vend is no vend; the money that it charged is named apart', () => {
  const failed = sale({ errorSale: true })
  expect([isVend(failed), isFailedVend(failed), chargedForFailure(failed)]).toEqual([false, true, 150])
})

test('a failed vend without money charged nothing', () => {
  expect(chargedForFailure(sale({ errorSale: true, value: 0 }))).toBe(0)
})

test('a recharge is neither a vend nor turnover', () => {
  const recharge = sale({ type: 4 })
  expect([isVend(recharge), isFailedVend({ ...recharge, errorSale: true })]).toEqual([false, false])
})

test('the average is over vends that did not fail', () => {
  expect(vendsOf({ count: 5, errorCount: 1 })).toBe(4)
  expect(averageOf({ count: 5, errorCount: 1, value: 602 })).toBe(151)
  expect(averageOf({ count: 1, errorCount: 1, value: 0 })).toBe(0)
})
