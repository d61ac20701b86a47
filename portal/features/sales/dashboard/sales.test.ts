import { expect, test } from 'vitest'
import type { SalesToday } from '#contract/sales/dashboard.ts'
import { drawnSales, vendsOf, weekdayOf } from './sales.ts'

const sold = (currency: SalesToday['currency'], vends: number): SalesToday => ({
  currency,
  hourNow: 10,
  value: vends * 100,
  vends,
  usualDays: 4,
  failedCharge: 0,
  usualValueByNow: 0,
  usualVendsByNow: vends / 2,
  hours: [],
  valueByDay: [],
  vendsByDay: [1, vends],
  cashInBoxes: 0,
  isCashHidden: false,
})

test('vends of several currencies are one number', () => {
  expect(vendsOf([sold('EUR', 4), sold('GBP', 6)])).toEqual({ vends: 10, usual: 5, byDay: [2, 10] })
  expect(vendsOf([])).toEqual({ vends: 0, usual: 0, byDay: [] })
})

test('the chart has the hours of the requested currency, else of the busiest', () => {
  const sales = [sold('EUR', 4), sold('GBP', 6)]
  expect(drawnSales(sales, 'EUR')?.currency).toBe('EUR')
  expect(drawnSales(sales, 'XXX')?.currency).toBe('GBP')
  expect(drawnSales([], undefined)).toBeUndefined()
})

test('a calendar day has its weekday in every zone', () => {
  expect(weekdayOf('2026-11-20')).toBe(5)
})
