import { expect, test } from 'vitest'
import { canBeCancelled, creditOf, isEnded } from './commandState.ts'

const at = '2026-11-21T08:00:00.000'

test('only scheduled and running commands are in progress', () => {
  expect(([0, 1, 2, 3, 4, 5] as const).map((status) => isEnded({ status }))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ])
})

test('a command can be cancelled until its machine has started it', () => {
  expect(canBeCancelled({ status: 0, startedAt: null, cancelRequested: false })).toBe(true)
  expect(canBeCancelled({ status: 1, startedAt: null, cancelRequested: false })).toBe(true)
  expect(canBeCancelled({ status: 1, startedAt: at, cancelRequested: false })).toBe(false)
  expect(canBeCancelled({ status: 1, startedAt: null, cancelRequested: true })).toBe(false)
  expect(canBeCancelled({ status: 2, startedAt: null, cancelRequested: false })).toBe(false)
})

test('the credit is the amount of the parameters, if it is a number', () => {
  expect(creditOf({ parameters: { amount: 250 } })).toBe(250)
  expect(creditOf({ parameters: { amount: '250' } })).toBeUndefined()
  expect(creditOf({ parameters: {} })).toBeUndefined()
})
