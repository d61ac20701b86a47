import { expect, test } from 'vitest'
import { cashMoved, directionOf, movementSums } from './movement.ts'

test('sales and fills bring money in, refunds and collections take it out, whatever the sign', () => {
  const sums = movementSums([
    { type: 1, mediaType: 1, count: 10, value: 1500, cash: 1500 },
    { type: 6, mediaType: 1, count: 1, value: -150, cash: -150 },
    { type: 12, mediaType: 1, count: 1, value: 9000, cash: -9000 },
    { type: 11, mediaType: 1, count: 1, value: 2000, cash: 2000 },
    { type: 14, mediaType: 5, count: 2, value: 300, cash: 0 },
    { type: 16, mediaType: 5, count: 1, value: -100, cash: 0 },
  ])
  expect(sums.cash).toEqual({ in: 3500, out: 9150 })
  expect(sums.cashless).toEqual({ in: 300, out: 100 })
  expect(sums.movements.map(({ type, direction, value, cash }) => [type, direction, value, cash])).toEqual([
    [12, 'out', 9000, 9000],
    [11, 'in', 2000, 2000],
    [1, 'in', 1500, 1500],
    [14, 'in', 300, 0],
    [6, 'out', 150, 150],
    [16, 'out', 100, 0],
  ])
})

test('keys loaded with coins are cash in, keys loaded by card are not', () => {
  const { cash, cashless } = movementSums([{ type: 4, mediaType: 2, count: 3, value: 3000, cash: 2000 }])
  expect([cash.in, cashless.in]).toEqual([2000, 1000])
})

test('free vends and unknown movements move no money', () => {
  expect([2, 3, 5, 99].map(directionOf)).toEqual(['none', 'none', 'none', 'none'])
})

const inCash = { mediaType: 1, mediaSource: 1, errorSale: false }

test('cash enters by a sale or a recharge, and leaves by a refund or a collection', () => {
  expect(cashMoved({ ...inCash, type: 1, value: 120 })).toBe(120)
  expect(cashMoved({ ...inCash, type: 4, mediaType: 2, mediaSource: 3, value: 500 })).toBe(500)
  expect(cashMoved({ ...inCash, type: 6, value: -120 })).toBe(-120)
  expect(cashMoved({ ...inCash, type: 12, value: 4000 })).toBe(-4000)
  expect(cashMoved({ ...inCash, type: 1, mediaType: 2, mediaSource: 3, value: 120 })).toBe(0)
})

test('a failed vend that was charged left its coins in the machine; a failed payout gave none', () => {
  expect(cashMoved({ ...inCash, type: 1, value: 120, errorSale: true })).toBe(120)
  expect(cashMoved({ ...inCash, type: 6, value: -120, errorSale: true })).toBe(0)
  expect(cashMoved({ ...inCash, type: 12, value: 4000, errorSale: true })).toBe(0)
})
