import { expect, test } from 'vitest'
import type { PeriodSums } from '#contract/sales/transaction.ts'
import { chartStepsOf, currentStep, localHour, stepNames, stepsFor, stepsOf, valuesOf } from './statsSteps.ts'

const sums = (start: string, value: number): PeriodSums => ({
  start,
  value,
  currency: 'EUR',
  count: 1,
  errorValue: 0,
  valueCharge: 0,
  freeCount: 0,
  errorCount: 0,
})
const day = { startDate: '2026-11-21', endDate: '2026-11-21' }
const fortnight = { startDate: '2026-11-08', endDate: '2026-11-21' }

test('a period has all its steps, including those without sales', () => {
  expect(stepsOf(day, 'hour')).toHaveLength(24)
  expect(stepsOf(day, 'hour').at(-1)).toBe('2026-11-21T23:00')
  expect(stepsOf(fortnight, 'day')).toHaveLength(14)
  expect(stepsOf(fortnight, 'week')).toEqual(['2026-11-02', '2026-11-09', '2026-11-16'])
  expect(stepsOf({ startDate: '2026-10-31', endDate: '2026-11-01' }, 'month')).toEqual(['2026-10-01', '2026-11-01'])
})

test('a chart of this week has seven days, future days without a value', () => {
  const begun = { startDate: '2026-11-30', endDate: '2026-12-01' }
  const steps = chartStepsOf(begun, 'thisWeek', 'day')
  expect(steps).toEqual([30, 1, 2, 3, 4, 5, 6].map((day) => (day === 30 ? '2026-11-30' : `2026-12-0${day}`)))
  expect(valuesOf(steps, [sums('2026-11-30', 5)], ({ value }) => value, 1)).toEqual([
    5,
    0,
    null,
    null,
    null,
    null,
    null,
  ])
  expect(chartStepsOf(begun, 'thisWeek', 'hour')).toHaveLength(7 * 24)
  expect(chartStepsOf({ ...begun, endDate: '2026-11-30' }, 'thisWeek', 'month')).toEqual(['2026-11-01'])
  expect(chartStepsOf(begun, undefined, 'day')).toEqual(['2026-11-30', '2026-12-01'])
})

test('hours are offered for up to a month', () => {
  expect(stepsFor(fortnight)).toContain('hour')
  expect(stepsFor({ startDate: '2026-01-01', endDate: '2026-11-21' })).toEqual(['day', 'week', 'month'])
})

test('the current step follows the merchant’s clock', () => {
  const now = new Date('2026-11-21T23:30:00Z')
  expect(localHour(now, 'Europe/Rome')).toBe('2026-11-22T00:00')
  expect(localHour(now, 'America/Bogota')).toBe('2026-11-21T18:00')
  expect(currentStep(stepsOf(day, 'hour'), 'hour', now, 'America/Bogota')).toBe(18)
  expect(currentStep(stepsOf(day, 'hour'), 'hour', now, 'Europe/Rome')).toBeUndefined()
  expect(currentStep(stepsOf(fortnight, 'week'), 'week', now, 'America/Bogota')).toBe(2)
})

test('a step without rows is zero before now, and unknown after it', () => {
  const steps = ['a', 'b', 'c', 'd']
  expect(valuesOf(steps, [sums('a', 5), sums('c', 7)], ({ value }) => value, 2)).toEqual([5, 0, 7, null])
  expect(valuesOf(steps, [sums('a', 5), sums('a', 2)], ({ value }) => value, undefined)).toEqual([7, 0, 0, 0])
})

test('hours of several days show their day', () => {
  expect(stepNames(['2026-11-21T08:00', '2026-11-21T09:00'], 'hour', 'en')).toEqual(['08:00', '09:00'])
  expect(stepNames(['2026-11-20T08:00', '2026-11-21T09:00'], 'hour', 'en')[0]).toMatch(/Fri/)
  expect(stepNames(['2026-11-01'], 'month', 'it')[0]).toBe('nov 2026')
})
