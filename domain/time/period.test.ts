import { expect, test } from 'vitest'
import { periodPresets } from '#contract/frame/period.ts'
import {
  addDays,
  chartPeriod,
  dayIn,
  daysIn,
  isDay,
  lastDays,
  lastEndedDay,
  mondayOf,
  type PeriodPreset,
  periodOf,
} from './period.ts'

const saturday = new Date('2026-11-21T08:00:00Z')
const days = (preset: PeriodPreset, now = saturday, zone = 'Europe/Rome') => {
  const { startDate, endDate } = periodOf(preset, now, zone)
  return `${startDate} ${endDate}`
}

test('presets are days of the merchant, both ends included', () => {
  expect(Object.fromEntries(periodPresets.map((preset) => [preset, days(preset)]))).toEqual({
    today: '2026-11-21 2026-11-21',
    yesterday: '2026-11-20 2026-11-20',
    last7Days: '2026-11-15 2026-11-21',
    thisWeek: '2026-11-16 2026-11-21',
    previousWeek: '2026-11-09 2026-11-15',
    thisMonth: '2026-11-01 2026-11-21',
    previousMonth: '2026-10-01 2026-10-31',
  })
})

test('a chart of this week shows seven days, and of every other preset the days of the preset', () => {
  const charted = (preset: PeriodPreset) => chartPeriod(preset, periodOf(preset, saturday, 'Europe/Rome'))
  expect(charted('thisWeek')).toEqual({ startDate: '2026-11-16', endDate: '2026-11-22' })
  for (const preset of periodPresets.filter((one) => one !== 'thisWeek'))
    expect(charted(preset), preset).toEqual(periodOf(preset, saturday, 'Europe/Rome'))
  const days = { startDate: '2026-11-16', endDate: '2026-11-17' }
  expect(chartPeriod(undefined, days)).toEqual(days)
})

test('today is the machines’ day, not the reader’s', () => {
  const lateInRome = new Date('2026-11-21T23:30:00Z')
  expect(dayIn(lateInRome, 'Europe/Rome')).toBe('2026-11-22')
  expect(dayIn(lateInRome, 'America/Bogota')).toBe('2026-11-21')
  expect(days('today', lateInRome)).toBe('2026-11-22 2026-11-22')
})

test('a week begins on Monday, on a Monday and on a Sunday too', () => {
  expect([mondayOf('2026-11-16'), mondayOf('2026-11-22'), mondayOf('2026-11-23')]).toEqual([
    '2026-11-16',
    '2026-11-16',
    '2026-11-23',
  ])
})

test('months and years of any length are crossed', () => {
  expect(days('previousMonth', new Date('2028-03-15T12:00:00Z'))).toBe('2028-02-01 2028-02-29')
  expect(days('previousMonth', new Date('2027-01-02T12:00:00Z'))).toBe('2026-12-01 2026-12-31')
  expect(days('yesterday', new Date('2027-01-01T12:00:00Z'))).toBe('2026-12-31 2026-12-31')
})

test('the days on which clocks change are one day each', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-10-26', -2)).toBe('2026-10-24')
  expect(daysIn({ startDate: '2026-10-19', endDate: '2026-10-25' })).toBe(7)
})

test('the last days are whole days that end with the given one', () => {
  expect(lastDays(30, '2026-11-21')).toEqual({ startDate: '2026-10-23', endDate: '2026-11-21' })
  expect(daysIn(lastDays(30, '2026-11-21'))).toBe(30)
})

test('a day has ended an hour after its last midnight, by the merchant’s clock', () => {
  expect(lastEndedDay(new Date('2026-11-21T23:30:00Z'), 'Europe/Rome')).toBe('2026-11-20')
  expect(lastEndedDay(new Date('2026-11-22T00:30:00Z'), 'Europe/Rome')).toBe('2026-11-21')
})

test('an invalid calendar day is recognised', () => {
  expect(['2026-02-28', '2026-02-30', '2026-2-3', '2026-13-01', 'today', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
