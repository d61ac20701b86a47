import { expect, test } from 'vitest'
import { changeOf, comparedPeriods, meanOver, periodsWithData, usualDaysOf } from './comparison.ts'
import type { PeriodPreset } from './period.ts'

const of = (text: string) => {
  const [startDate = '', endDate = startDate] = text.split(' ')
  return { startDate, endDate }
}
const written = (periods: readonly { startDate: string; endDate: string }[]) =>
  periods.map(({ startDate, endDate }) => `${startDate} ${endDate}`)

test.each<[string, string, PeriodPreset?]>([
  // As many days right before.
  ['2026-11-24', '2026-11-23 2026-11-23'],
  ['2026-11-18 2026-11-24', '2026-11-11 2026-11-17'],
  ['2026-11-23 2026-11-24', '2026-11-21 2026-11-22'],
  // A week, and the days of this week so far.
  ['2026-11-16 2026-11-22', '2026-11-09 2026-11-15'],
  ['2026-11-23 2026-11-24', '2026-11-16 2026-11-17', 'thisWeek'],
  ['2026-11-23', '2026-11-16 2026-11-16', 'thisWeek'],
  // Months, and the days of this month so far.
  ['2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ['2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['2026-02-01 2026-02-28', '2026-01-01 2026-01-31'],
  ['2026-01-01 2026-03-31', '2025-10-01 2025-12-31'],
  ['2026-11-01 2026-11-24', '2026-10-01 2026-10-24', 'thisMonth'],
  ['2026-03-01 2026-03-30', '2026-02-01 2026-02-28', 'thisMonth'],
  ['2026-11-01', '2026-10-01 2026-10-01', 'thisMonth'],
  ['2026-11-01', '2026-10-31 2026-10-31'],
])('the period before %s is %s', (period, before, preset) => {
  expect(written(comparedPeriods('previous', of(period), preset))).toEqual([before])
})

test.each([
  ['2026-11-24', '2025-11-24 2025-11-24'],
  ['2028-02-01 2028-02-29', '2027-02-01 2027-02-28'],
  ['2027-02-01 2027-02-28', '2026-02-01 2026-02-28'],
  // A week is compared with a week of the same weekdays.
  ['2026-11-16 2026-11-22', '2025-11-17 2025-11-23'],
])('a year before %s is %s', (period, before) => {
  expect(written(comparedPeriods('lastYear', of(period)))).toEqual([before])
})

test('the usual is the last four equal periods on the same weekdays', () => {
  const days = written(comparedPeriods('usual', of('2026-11-24')))
  expect(days).toEqual(['2026-11-17', '2026-11-10', '2026-11-03', '2026-10-27'].map((day) => `${day} ${day}`))
  expect(written(comparedPeriods('usual', of('2026-11-23 2026-11-24')))[0]).toBe('2026-11-16 2026-11-17')
  // Ten days overlap neither themselves nor each other.
  expect(written(comparedPeriods('usual', of('2026-11-15 2026-11-24'))).slice(0, 2)).toEqual([
    '2026-11-01 2026-11-10',
    '2026-10-18 2026-10-27',
  ])
})

test('no compared period overlaps the period', () => {
  for (const days of ['2026-11-01 2026-11-24', '2026-01-01 2026-12-31', '2026-10-26 2026-11-01', '2024-02-29'])
    for (const comparison of ['previous', 'lastYear', 'usual'] as const)
      for (const { endDate } of comparedPeriods(comparison, of(days))) expect(endDate < of(days).startDate).toBe(true)
})

test('periods before the data begin are left out, and so is the period in which they begin', () => {
  const mondays = comparedPeriods('usual', of('2026-11-23'))
  expect(written(periodsWithData(mondays, '2026-11-04'))).toEqual(['2026-11-16 2026-11-16', '2026-11-09 2026-11-09'])
  // The data begin in the course of their first day.
  expect(periodsWithData(mondays, '2026-11-09')).toHaveLength(1)
  expect(periodsWithData(mondays, '2026-11-08')).toHaveLength(2)
  expect(periodsWithData(mondays, '2020-01-01')).toEqual(mondays)
  expect(periodsWithData(mondays, null)).toEqual([])
  // Three days of September are not compared with October.
  expect(periodsWithData(comparedPeriods('previous', of('2026-10-01 2026-10-31')), '2026-09-28')).toEqual([])
  expect(
    [null, '2026-11-22', '2026-11-02', '2026-11-01', '2026-10-20'].map((day) => usualDaysOf('2026-11-23', day)),
  ).toEqual([0, 0, 2, 3, 4])
})

test('a mean counts periods without sales, and a change needs something to compare with', () => {
  expect(meanOver([400, 800, 400], 4)).toBe(400)
  expect(meanOver([], 0)).toBe(0)
  expect(changeOf(110, 100)).toBeCloseTo(0.1)
  expect(changeOf(0, 100)).toBe(-1)
  expect(changeOf(5, 0)).toBeUndefined()
})
