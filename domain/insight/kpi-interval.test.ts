import { expect, test } from 'vitest'
import { kpiPeriod, kpiPeriodOrToday } from './kpi-interval.ts'

test('KPIs of 30 days are the last 30 ended days', () => {
  expect(kpiPeriod({}, '2026-11-26')).toEqual({ startDate: '2026-10-28', endDate: '2026-11-26' })
  expect(kpiPeriod({ days: 2 }, '2026-11-26')).toEqual({ startDate: '2026-11-25', endDate: '2026-11-26' })
})

test('chosen days are cut at the last ended day', () => {
  const days = { startDate: '2026-11-01', endDate: '2026-11-27' }
  expect(kpiPeriod(days, '2026-11-26')).toEqual({ ...days, endDate: '2026-11-26' })
  expect(kpiPeriod({ ...days, endDate: '2026-11-05' }, '2026-11-26')).toEqual({ ...days, endDate: '2026-11-05' })
})

test('a period that has not ended a day is read as it runs, where today alone may be chosen', () => {
  const today = { startDate: '2026-11-27', endDate: '2026-11-27' }
  expect(kpiPeriodOrToday(today, '2026-11-26')).toEqual(today)
  expect(kpiPeriodOrToday({ ...today, startDate: '2026-11-20' }, '2026-11-26')).toEqual({
    startDate: '2026-11-20',
    endDate: '2026-11-26',
  })
})
