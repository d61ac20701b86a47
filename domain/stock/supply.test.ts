import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysUntilEmpty, lostPerDay } from './supply.ts'

const weekdays = [5, 5, 5, 5, 5, 0, 0]

test('a level lasts by the usual sales of each coming weekday, and of what is left of today', () => {
  const on = (weekday: number, dayLeft = 1) => daysUntilEmpty(10, weekdays, { weekday, dayLeft })
  expect(on(0)).toBe(2)
  // From Friday noon: 2.5 today, nothing at the weekend, 5 on Monday and half of Tuesday.
  expect(on(4, 0.5)).toBe(0.5 + 2 + 1 + 0.5)
  expect(on(5)).toBe(4)
})

test('nothing left is no day, and what is never sold never ends', () => {
  expect(daysUntilEmpty(0, weekdays, { weekday: 0, dayLeft: 1 })).toBe(0)
  expect(daysUntilEmpty(3, null, { weekday: 0, dayLeft: 1 })).toBeNull()
  expect(daysUntilEmpty(3, [0, 0, 0, 0, 0, 0, 0], { weekday: 0, dayLeft: 1 })).toBeNull()
})

test('more stock lasts longer, by whole weeks for the sales of whole weeks', () => {
  const usual = fc
    .array(fc.integer({ min: 0, max: 40 }), { minLength: 7, maxLength: 7 })
    .filter((week) => week.some(Boolean))
  fc.assert(
    fc.property(
      usual,
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (week, level, weekday, dayLeft) => {
        const at = { weekday, dayLeft }
        const lasts = daysUntilEmpty(level, week, at) as number
        expect(daysUntilEmpty(level + 1, week, at)).toBeGreaterThan(lasts)
        const sold = week.reduce((total, one) => total + one, 0)
        expect((daysUntilEmpty(level + sold * 3, week, at) as number) - lasts).toBeCloseTo(21, 6)
      },
    ),
  )
})

test('a sold-out selection loses its usual sales at their price; one with stock loses nothing', () => {
  expect(lostPerDay({ level: 0, usual: weekdays, price: 120 })).toBe(429)
  expect(lostPerDay({ level: 1, usual: weekdays, price: 120 })).toBe(0)
  expect(lostPerDay({ level: 0, usual: weekdays, price: null })).toBe(0)
})
