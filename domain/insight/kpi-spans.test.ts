import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysIn, type Period } from '../time/period.ts'
import { endOf, firstOf, kpiPartsOf, kpiSpans } from './kpi-spans.ts'

const daysOf = (period: Period) => Array.from({ length: daysIn(period) }, (_, day) => addDays(period.startDate, day))

test('spans follow each other without gaps, and every day belongs to the span that contains it', () => {
  for (const span of kpiSpans)
    for (let day = '2023-12-01'; day < '2025-02-01'; day = addDays(day, 1)) {
      const first = firstOf(span, day)
      expect(first <= day && day < endOf(span, first)).toBe(true)
      expect(firstOf(span, endOf(span, first))).toBe(endOf(span, first))
    }
})

test('the parts of any period are exactly its days, and few rows are read', () => {
  fc.assert(
    fc.property(fc.nat(800), fc.integer({ min: 1, max: 365 }), fc.nat(40), (start, length, later) => {
      const startDate = addDays('2024-01-01', start)
      const period = { startDate, endDate: addDays(startDate, length - 1) }
      const { spans, days } = kpiPartsOf(period, addDays(period.endDate, later))
      const times = new Map<string, number>()
      const add = (some: readonly string[], sign: number) => {
        for (const day of some) times.set(day, (times.get(day) ?? 0) + sign)
      }
      const today = addDays(period.endDate, later)
      let rows = 0
      for (const { sign, span, firsts } of spans)
        for (const startDate of firsts) {
          rows += 1
          add(
            daysOf({ startDate, endDate: addDays(endOf(span, startDate), -1) }).filter((day) => day <= today),
            sign,
          )
        }
      for (const { sign, periods } of days)
        for (const part of periods) {
          rows += daysIn(part)
          add(daysOf(part), sign)
        }
      const covered = [...times].filter(([, count]) => count !== 0)
      expect(covered.every(([, count]) => count === 1)).toBe(true)
      expect(covered.map(([day]) => day).sort()).toEqual(daysOf(period))
      expect(rows).toBeLessThanOrEqual(22)
    }),
  )
})

test('a year that ended yesterday reads six rows', () => {
  expect(kpiPartsOf({ startDate: '2025-11-24', endDate: '2026-11-23' }, '2026-11-24')).toEqual({
    spans: [
      { sign: 1, span: 'year', firsts: ['2026-01-01'] },
      { sign: 1, span: 'month', firsts: ['2025-12-01'] },
      { sign: 1, span: 'tens', firsts: ['2025-11-21'] },
    ],
    days: [
      {
        sign: -1,
        periods: [
          { startDate: '2025-11-21', endDate: '2025-11-23' },
          { startDate: '2026-11-24', endDate: '2026-11-24' },
        ],
      },
    ],
  })
})

test('a period without days has no parts', () => {
  expect(kpiPartsOf({ startDate: '2026-11-05', endDate: '2026-10-30' }, '2026-11-06')).toEqual({ spans: [], days: [] })
})
