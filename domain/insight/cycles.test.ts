import { expect, test } from 'vitest'
import { mcbfOf } from './cycles.ts'

test('MCBF is cycles by blocking faults', () => {
  expect(mcbfOf(1000, 4)).toEqual({ cycles: 250, isMore: false })
  expect(mcbfOf(1000, 3)).toEqual({ cycles: 333, isMore: false })
  expect(mcbfOf(0, 2)).toEqual({ cycles: 0, isMore: false })
})

test('without a fault it is more than the cycles', () => {
  expect(mcbfOf(1000, 0)).toEqual({ cycles: 1000, isMore: true })
})
