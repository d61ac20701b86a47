import { expect, test } from 'vitest'
import { directionOf, movementSums } from './movement.ts'

test('sales and fills bring money in, refunds and collections take it out, whatever the sign', () => {
  const sums = movementSums([
    { type: 1, mediaType: 1, count: 10, value: 1500 },
    { type: 6, mediaType: 1, count: 1, value: -150 },
    { type: 12, mediaType: 1, count: 1, value: 9000 },
    { type: 11, mediaType: 1, count: 1, value: 2000 },
    { type: 14, mediaType: 5, count: 2, value: 300 },
    { type: 16, mediaType: 5, count: 1, value: -100 },
  ])
  expect(sums.cash).toEqual({ in: 3500, out: 9150 })
  expect(sums.cashless).toEqual({ in: 300, out: 100 })
  expect(sums.movements.map(({ type, direction, value }) => [type, direction, value])).toEqual([
    [12, 'out', 9000],
    [11, 'in', 2000],
    [1, 'in', 1500],
    [14, 'in', 300],
    [6, 'out', 150],
    [16, 'out', 100],
  ])
})

test('free vends and unknown movements move no money', () => {
  expect([2, 3, 5, 99].map(directionOf)).toEqual(['none', 'none', 'none', 'none'])
})
