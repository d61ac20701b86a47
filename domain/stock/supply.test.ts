import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysUntilEmpty, lostPerDay, type Outlook, soldUntil } from './supply.ts'

const ofWeek = (usual: number[]): Outlook => ({ firstDay: null, days: [], usual })
const weekdays = ofWeek([5, 5, 5, 5, 5, 0, 0])
/** 2 November 2026 is a Monday. */
const on = (weekday: number, dayLeft = 1) => ({ day: `2026-11-0${2 + weekday}`, dayLeft })

test('a level lasts by the sales of each coming weekday, and of what is left of today', () => {
  const lasts = (weekday: number, dayLeft = 1) => daysUntilEmpty(10, weekdays, on(weekday, dayLeft))
  expect(lasts(0)).toBe(2)
  // From Friday noon: 2.5 today, nothing at the weekend, 5 on Monday and half of Tuesday.
  expect(lasts(4, 0.5)).toBe(0.5 + 2 + 1 + 0.5)
  expect(lasts(5)).toBe(4)
})

test('the figures of the coming days count first, whenever they were computed', () => {
  const outlook = { ...weekdays, firstDay: '2026-11-02', days: [1, 2, 3, 0, 0, 0, 0, 0, 0] }
  expect(daysUntilEmpty(6, outlook, on(0))).toBe(3)
  expect(daysUntilEmpty(5, outlook, on(1))).toBe(2)
  // Nine days have figures; the eleventh and twelfth are a Thursday and a Friday again.
  expect(daysUntilEmpty(7, outlook, on(0))).toBe(9 + 0.2)
  expect(daysUntilEmpty(7, { ...outlook, usual: [0, 0, 0, 0, 0, 0, 0] }, on(0))).toBeNull()
  expect(soldUntil(outlook, on(1, 0.5), 2)).toBe(1 + 3)
})

test('sales until a day are those of what is left of today and of the days between', () => {
  const outlook = ofWeek([1, 2, 3, 4, 5, 6, 7])
  expect(soldUntil(outlook, on(5, 0.5), 3)).toBe(3 + 7 + 1)
  expect(soldUntil(outlook, on(5, 0.5), 1)).toBe(3)
  expect(soldUntil(outlook, on(5, 0.5), 0)).toBe(0)
  expect(soldUntil(null, on(5, 0.5), 3)).toBe(0)
})

test('nothing left is no day, and what is never sold never ends', () => {
  expect(daysUntilEmpty(0, weekdays, on(0))).toBe(0)
  expect(daysUntilEmpty(3, null, on(0))).toBeNull()
  expect(daysUntilEmpty(3, ofWeek([0, 0, 0, 0, 0, 0, 0]), on(0))).toBeNull()
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
        const at = on(weekday, dayLeft)
        const lasts = daysUntilEmpty(level, ofWeek(week), at) as number
        expect(daysUntilEmpty(level + 1, ofWeek(week), at)).toBeGreaterThan(lasts)
        const sold = week.reduce((total, one) => total + one, 0)
        expect((daysUntilEmpty(level + sold * 3, ofWeek(week), at) as number) - lasts).toBeCloseTo(21, 6)
      },
    ),
  )
})

test('a sold-out selection loses the sales of the coming week at their price; one with stock loses nothing', () => {
  expect(lostPerDay({ level: 0, outlook: weekdays, price: 120 }, on(3))).toBe(429)
  expect(lostPerDay({ level: 1, outlook: weekdays, price: 120 }, on(3))).toBe(0)
  expect(lostPerDay({ level: 0, outlook: weekdays, price: null }, on(3))).toBe(0)
  const closed = { ...weekdays, firstDay: '2026-11-02', days: Array<number>(14).fill(0) }
  expect(lostPerDay({ level: 0, outlook: closed, price: 120 }, on(3))).toBe(0)
})
