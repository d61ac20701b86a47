import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysIn, type Period } from '../time/period.ts'
import { kpiPartsOf } from './kpi-months.ts'

const daysOf = (period: Period) => Array.from({ length: daysIn(period) }, (_, day) => addDays(period.startDate, day))
const monthOf = (first: string) =>
  daysOf({ startDate: first, endDate: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) })

test('months and days of any period are exactly its days, and few days are read', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 800 }),
      fc.integer({ min: 1, max: 366 }),
      fc.nat(40),
      (start, length, later) => {
        const startDate = addDays('2024-01-01', start)
        const period = { startDate, endDate: addDays(startDate, length - 1) }
        const { months, plus, minus } = kpiPartsOf(period, addDays(period.endDate, later))
        const times = new Map<string, number>()
        const add = (days: readonly string[], sign: number) => {
          for (const day of days) times.set(day, (times.get(day) ?? 0) + sign)
        }
        for (const month of months) add(monthOf(month), 1)
        for (const part of plus) add(daysOf(part), 1)
        for (const part of minus) add(daysOf(part), -1)
        const covered = [...times].filter(([, count]) => count !== 0)
        expect(covered.every(([, count]) => count === 1)).toBe(true)
        expect(covered.map(([day]) => day).sort()).toEqual(daysOf(period))
        expect(plus.reduce((sum, part) => sum + daysIn(part), 0)).toBeLessThanOrEqual(32)
        expect(months.length).toBeLessThanOrEqual(13)
      },
    ),
  )
})

test('a year that ends yesterday reads no day of the running month', () => {
  const { months, plus, minus } = kpiPartsOf({ startDate: '2025-11-24', endDate: '2026-11-23' }, '2026-11-24')
  expect(months).toHaveLength(12)
  expect(plus).toEqual([{ startDate: '2025-11-24', endDate: '2025-11-30' }])
  expect(minus).toEqual([{ startDate: '2026-11-24', endDate: '2026-11-30' }])
})

test('a period without days has no parts', () => {
  expect(kpiPartsOf({ startDate: '2026-11-05', endDate: '2026-10-30' }, '2026-11-06').months).toEqual([])
})
