import { expect, test } from 'vitest'
import { type Payment, paidWithOf } from './paid-with.ts'

const payment = (more: Partial<Payment>): Payment => ({ type: 1, mediaType: 1, mediaSource: 1, ...more })

test('a sale is paid with its medium', () => {
  expect(paidWithOf(payment({ mediaType: 2, mediaSource: 3 }))).toBe(2)
  expect(paidWithOf(payment({ mediaType: 5, mediaSource: 4, type: 14 }))).toBe(5)
})

test('a key does not pay for its own recharge: at the machine cash does', () => {
  expect(paidWithOf(payment({ type: 4, mediaType: 2, mediaSource: 3 }))).toBe(1)
  expect(paidWithOf(payment({ type: 4, mediaType: 7, mediaSource: 2 }))).toBe(1)
})

test('coins that load cloud credit at the machine are cash', () => {
  expect(paidWithOf(payment({ type: 4, mediaType: 2, mediaSource: 5 }))).toBe(1)
})

test('a recharge by bank card, in the cloud or on the web is not paid in cash', () => {
  expect(paidWithOf(payment({ type: 4, mediaType: 5, mediaSource: 4 }))).toBe(5)
  expect(paidWithOf(payment({ type: 107, mediaType: 4, mediaSource: 5 }))).toBe(4)
  expect(paidWithOf(payment({ type: 109, mediaType: 10, mediaSource: 5 }))).toBe(10)
})

test('what comes through the coin mechanism or the bill validator is cash, except tokens', () => {
  expect(paidWithOf(payment({ mediaType: 0, mediaSource: 2 }))).toBe(1)
  expect(paidWithOf(payment({ mediaType: 2, mediaSource: 1 }))).toBe(1)
  expect(paidWithOf(payment({ mediaType: 6, mediaSource: 1 }))).toBe(6)
})

test('tubes, boxes and overpaid money are cash, also without a medium', () => {
  expect([7, 8, 9, 10, 11, 12].map((type) => paidWithOf({ type, mediaType: 0, mediaSource: 0 }))).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
})

test('the machine’s own word decides', () => {
  expect(paidWithOf(payment({ type: 4, mediaType: 2, mediaSource: 3, paidWith: 5 }))).toBe(5)
  expect(paidWithOf(payment({ type: 4, mediaType: 2, mediaSource: 5, paidWith: 1 }))).toBe(1)
})

test('an unknown medium stays unknown', () => {
  expect(paidWithOf({ type: 1, mediaType: 99, mediaSource: 1 })).toBe(99)
  expect(paidWithOf({ type: 1, mediaType: 0, mediaSource: 0 })).toBe(0)
})
