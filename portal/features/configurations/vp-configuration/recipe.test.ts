import { expect, test } from 'vitest'
import { stepsOf, ticksOf, totalsOf, withStart } from './recipe.ts'

test('a recipe ends with its last step, and rinsing water is not in the cup', () => {
  const steps = stepsOf([
    { kind: 'water', start: 5, seconds: 9.2, amount: 38 },
    { kind: 'milk', start: 14, seconds: 18, amount: 95 },
    { kind: 'rinse', start: 32, seconds: 2, amount: 20 },
    { kind: 'mix', start: 'soon', seconds: null, amount: -3 },
  ])
  expect(totalsOf(steps)).toEqual({ seconds: 34, millilitres: 133 })
  expect(steps[3]).toEqual({ kind: 'mix', start: 0, seconds: 0, amount: 0 })
})

test('a dragged step stays within its bounds, in tenths of a second', () => {
  expect(withStart(14, -2.04, 0, 90)).toBe(12)
  expect(withStart(1, -5, 0, 90)).toBe(0)
  expect(withStart(89, 5, 0, 90)).toBe(90)
})

test('an axis has at most eight parts', () => {
  expect(ticksOf(35)).toEqual([0, 5, 10, 15, 20, 25, 30, 35])
  expect(ticksOf(100).length).toBeLessThanOrEqual(9)
})
