import { describe, expect, test } from 'vitest'
import { compareForecasts } from '#testkit/stock/forecast-errors.ts'
import { drive, forecast, weekdayAverage } from '#testkit/stock/simulated-rounds.ts'
import { type ShapeName, shapes, siteOf } from '#testkit/stock/simulated-sales.ts'
import { addDays } from '../../time/period.ts'
import { daysAhead, daysKept, forecastMachine } from './forecast.ts'

const names = Object.keys(shapes) as ShapeName[] // Cast: the keys of a literal.
/** Days end on Sunday, 1 November 2026. */
const lastDay = '2026-11-01'
const courseOf = (piecesOn: (day: number) => number, days = 56) => {
  const sold = Array.from({ length: days }, (_, at) => piecesOn(at))
  return { sold, shown: sold.map(() => 1) }
}
const noHoliday = () => false
const machine = (piecesOn: (day: number) => number, days = 56, isHoliday: (day: string) => boolean = noHoliday) => {
  const [result] = forecastMachine({ lastDay, courses: [courseOf(piecesOn, days)], isHoliday })
  return result ?? { days: [], usual: [] }
}

describe('against the average of each weekday over 28 days', () => {
  const compared = names.map((name) => ({ name, ...compareForecasts(name, { seeds: 3, step: 17 }) }))
  const all = (rule: 'forecast' | 'average', error: 'day' | 'week' | 'fortnightLater') =>
    compared.reduce((sum, one) => sum + one[rule][error], 0)

  test('a forecast is better in a simulated year: for a day, for a week, and for the weeks after the next two', () => {
    expect(all('forecast', 'day')).toBeLessThan(0.92 * all('average', 'day'))
    expect(all('forecast', 'week')).toBeLessThan(0.92 * all('average', 'week'))
    expect(all('forecast', 'fortnightLater')).toBeLessThan(0.85 * all('average', 'fortnightLater'))
  })

  test.each(compared)('no kind of site has worse forecasts: $name', ({ forecast, average }) => {
    expect(forecast.day).toBeLessThan(average.day)
    expect(forecast.week).toBeLessThan(1.03 * average.week)
  })

  test('a machine with a few weeks of sales has no worse forecasts', () => {
    const young = names.map((name) => compareForecasts(name, { seeds: 1, step: 61, from: 21 }))
    const sum = (rule: 'forecast' | 'average') => young.reduce((total, one) => total + one[rule].day, 0)
    expect(sum('forecast')).toBeLessThan(0.95 * sum('average'))
  })

  test('rounds miss fewer sales, with fewer visits', () => {
    const driven = (['school', 'seasonal', 'slow'] as const).map((name) => {
      const site = siteOf(name, 100)
      return {
        average: drive(site, weekdayAverage),
        forecast: drive(site, forecast),
        later: drive(site, forecast, 0.7),
      }
    })
    const sum = (rule: 'average' | 'forecast' | 'later', of: 'visits' | 'missed') =>
      driven.reduce((total, one) => total + one[rule][of], 0)
    // By the same rule; then by a rule with a third of a day less in reserve.
    expect(sum('forecast', 'missed')).toBeLessThan(0.8 * sum('average', 'missed'))
    expect(sum('later', 'missed')).toBeLessThanOrEqual(sum('average', 'missed'))
    expect(sum('later', 'visits')).toBeLessThan(sum('average', 'visits'))
  })
})

test('an even course is expected to continue', () => {
  const { days, usual } = machine(() => 4)
  expect(days).toHaveLength(daysAhead)
  for (const pieces of [...days, ...usual]) expect(pieces).toBeCloseTo(4, 1)
})

test('nothing is expected of a selection that never sold, and of a machine without selections', () => {
  expect(machine(() => 0)).toEqual({ days: Array(daysAhead).fill(0), usual: Array(7).fill(0) })
  expect(forecastMachine({ lastDay, courses: [], isHoliday: noHoliday })).toEqual([])
})

test('days on which a selection was sold out say nothing about its customers', () => {
  const other = courseOf(() => 10)
  const sold = other.sold.map((_, at) => (at >= 46 ? 0 : 3))
  const shown = sold.map((pieces) => (pieces === 0 ? 0 : 1))
  const [, isOut] = forecastMachine({ lastDay, courses: [other, { sold, shown }], isHoliday: noHoliday })
  const [, isUnwanted] = forecastMachine({
    lastDay,
    courses: [other, { sold, shown: other.shown }],
    isHoliday: noHoliday,
  })
  expect(isOut?.days[0]).toBeCloseTo(3, 0)
  expect(isUnwanted?.days[0]).toBeLessThan(1.5)
})

test('the total of hot drinks is no further sale of the machine, but has a forecast', () => {
  const line = courseOf(() => 5)
  const total = { ...line, isTotal: true }
  const [ofLine, ofTotal] = forecastMachine({ lastDay, courses: [line, total], isHoliday: noHoliday })
  expect(ofTotal).toEqual(ofLine)
})

test('a selection that sells little follows the week of its machine', () => {
  const office = courseOf((at) => (at % 7 < 5 ? 30 : 0))
  const slow = courseOf((at) => (at % 14 === 2 ? 1 : 0))
  const [, one] = forecastMachine({ lastDay, courses: [office, slow], isHoliday: noHoliday })
  expect(one?.usual[0]).toBeGreaterThan(0.05)
  expect(one?.usual[6]).toBeLessThan(0.02)
})

test('a holiday sells like a Sunday until the machine has had one', () => {
  const office = (at: number) => (at % 7 < 5 ? 20 : 0)
  const holiday = addDays(lastDay, 3)
  const { days } = machine(office, 56, (day) => day === holiday)
  expect([Math.round(days[0] ?? 0), Math.round(days[1] ?? 0)]).toEqual([20, 20])
  expect(days[2]).toBeLessThan(1)
  // A station has sold as ever on its holidays.
  const before = new Set([addDays(lastDay, -6), addDays(lastDay, -19), holiday])
  const station = machine(
    (at) => (at % 7 < 5 ? 20 : 2),
    56,
    (day) => before.has(day),
  )
  expect(station.days[2]).toBeGreaterThan(12)
})

test('a site that closed is expected to stay closed as long as it has been, and opens with its first usual day', () => {
  const open = (at: number) => (at % 7 < 5 ? 20 : 0)
  const closing = (from: number, to: number) => machine((at) => (at >= from && at < to ? 0 : open(at)))
  // Closed for the last two weeks.
  const { days, usual } = closing(42, 56)
  expect(days.slice(0, 14)).toEqual(Array(14).fill(0))
  expect(days[14]).toBeCloseTo(20, 0)
  expect(usual[0]).toBeCloseTo(20, 0)
  expect(closing(35, 49).days[0]).toBeCloseTo(20, 0)
})

test('a closure of last year is expected again on the same weekdays', () => {
  const closed = (at: number, first: number) => at >= first && at < first + 21
  const first = daysKept - 364 + 7
  const { days } = machine((at) => (closed(at, first) ? 0 : 12), daysKept)
  expect(days[6]).toBeCloseTo(12, 0)
  expect(days.slice(7, 28)).toEqual(Array(21).fill(0))
})
