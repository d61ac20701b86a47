import { expect, test } from 'vitest'
import type { ReadingSeries } from '#contract/machines/reading.ts'
import { gapOf, joined, moved, spanBefore, spanOfPeriod, summaryOf, wallOf } from './readingWindow.ts'

const at = (time: string) => `2026-11-21T${time}:00.000`
const series = (more: Partial<ReadingSeries>): ReadingSeries => ({
  from: at('00:00'),
  to: at('12:00'),
  stepSeconds: 3600,
  timeZone: 'Europe/Rome',
  minimum: null,
  maximum: null,
  points: [],
  ...more,
})
const point = (time: string, avg: number) => ({ at: at(time), min: avg - 1, max: avg + 1, avg, count: 4 })
const wall = (time: string) => Date.parse(`2026-11-21T${time}:00Z`)

test('times use the merchant’s clock', () => {
  const { points, step } = joined(series({ points: [point('08:00', 5)] }), undefined)
  expect(points).toEqual([{ at: wall('09:00'), min: 4, max: 6, avg: 5, count: 4 }])
  expect(step).toBe(3_600_000)
})

test('a finer part replaces the points it covers', () => {
  const whole = series({ points: ['07:00', '08:00', '09:00', '10:00'].map((time) => point(time, 5)) })
  const part = series({
    from: at('08:00'),
    to: at('10:00'),
    stepSeconds: 600,
    points: [point('08:10', 7), point('09:50', 8)],
  })
  expect(joined(whole, part).points.map((one) => [one.at, one.avg])).toEqual([
    [wall('08:00'), 5],
    [wall('09:10'), 7],
    [wall('10:50'), 8],
    [wall('11:00'), 5],
  ])
  expect(joined(whole, { ...part, stepSeconds: 3600 }).points).toHaveLength(4)
})

test('the points in view have a lowest, highest and mean value', () => {
  const points = [1, 2, 3].map((hour) => ({ at: hour * 100, min: hour, max: hour * 10, avg: hour * 2 }))
  expect(summaryOf(points, [150, 300], 50)).toMatchObject({ min: 2, max: 30, avg: 5 })
  expect(summaryOf(points, [500, 600], 50)).toBeUndefined()
})

test('a series measured less often than the step has gaps only at missing points', () => {
  const quarter = 15 * 60_000
  const points = [0, 1, 2, 3, 9, 10].map((index) => ({ at: index * quarter, min: 1, max: 1, avg: 1 }))
  const gap = gapOf(points, 5 * 60_000)
  expect(gap).toBeGreaterThan(quarter)
  expect(gap).toBeLessThan(6 * quarter)
  expect(gapOf(points, 60 * 60_000)).toBe(2.5 * 60 * 60_000)
  expect(gapOf([], 1000)).toBe(2500)
})

test('the part in view stays within the whole', () => {
  const hour = 3_600_000
  const whole = { from: 0, to: 24 * hour }
  expect(moved([0, 24 * hour], 'in', whole)).toEqual([6 * hour, 18 * hour])
  expect(moved([18 * hour, 24 * hour], 'later', whole)).toEqual([18 * hour, 24 * hour])
  expect(moved([0, 12 * hour], 'out', whole)).toEqual([0, 24 * hour])
  expect(moved([12 * hour, 18 * hour], 'earlier', whole)).toEqual([9 * hour, 15 * hour])
  expect(moved([0, hour / 2], 'in', whole)).toEqual([0, hour / 2])
})

test('a period ends on a step of five minutes', () => {
  const now = Date.UTC(2026, 10, 21, 10, 3)
  expect(spanBefore(24, now)).toEqual({ from: Date.UTC(2026, 10, 20, 10, 5), to: Date.UTC(2026, 10, 21, 10, 5) })
  expect(wallOf(now, 'Europe/Rome')).toBe(Date.UTC(2026, 10, 21, 11, 3))
})

test('a period is from midnight to midnight of the merchant, also when the clocks change', () => {
  const { from, to } = spanOfPeriod({ startDate: '2026-10-25', endDate: '2026-10-26' }, 'Europe/Rome')
  expect([from, to]).toEqual([Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 26, 23)])
})
