import { expect, test } from 'vitest'
import { type Move, shownShares, soldOutTimes } from './shown.ts'

const sale = (at: number): Move => ({ at, amount: -1, isSale: true, isOpening: false })
const refill = (at: number, amount: number): Move => ({ at, amount, isSale: false, isOpening: false })

test('a selection is sold out from its last piece to the next refill', () => {
  expect(soldOutTimes(3, [sale(10), sale(20), refill(50, 4), sale(60)], 0, 100)).toEqual([{ from: 20, to: 50 }])
  expect(soldOutTimes(0, [sale(10)], 0, 100)).toEqual([{ from: 10, to: 100 }])
  expect(soldOutTimes(0, [], 0, 100)).toEqual([{ from: 0, to: 100 }])
  expect(soldOutTimes(1, [sale(10)], 0, 100)).toEqual([])
})

test('a selection that sells more than was booked was not sold out before', () => {
  expect(soldOutTimes(-2, [sale(10), sale(20), sale(30)], 0, 100)).toEqual([{ from: 30, to: 100 }])
})

test('what was there before the books were opened is unknown', () => {
  const opening = { at: 40, amount: 1, isSale: false, isOpening: true }
  expect(soldOutTimes(0, [sale(60), opening], 0, 100)).toEqual([{ from: 60, to: 100 }])
})

test('the sales of the machine say how many customers a stock-out missed', () => {
  const days = [0, 24, 48]
  expect(shownShares([], days, [])).toEqual([1, 1])
  expect(shownShares([{ from: 12, to: 48 }], days, [])).toEqual([0.5, 0])
  // Half of the first day, but only two of its seven sales.
  const [first] = shownShares([{ from: 12, to: 24 }], days, [1, 2, 3, 4, 5, 13, 20])
  expect(first).toBeCloseTo(1 - (2 + 1.5) / 10)
})
