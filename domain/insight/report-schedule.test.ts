import { expect, test } from 'vitest'
import type { ReportSchedule } from '#contract/insight/report.ts'
import { nextSend } from './report-schedule.ts'

const rome = 'Europe/Rome'
const times = (schedule: ReportSchedule, after: string, count: number): string[] => {
  const times: string[] = []
  for (let at = new Date(after); times.length < count; ) {
    at = nextSend(schedule, at, rome)
    times.push(at.toISOString().slice(0, 16))
  }
  return times
}

test('a report is sent at the hour of the merchant, before and after the clocks change', () => {
  expect(times({ every: 'day', hour: 7 }, '2026-03-28T06:00:00Z', 2)).toEqual(['2026-03-29T05:00', '2026-03-30T05:00'])
  expect(times({ every: 'day', hour: 7 }, '2026-03-28T05:59:59Z', 1)).toEqual(['2026-03-28T06:00'])
})

test('an hour that the clocks repeat or skip counts once', () => {
  expect(times({ every: 'day', hour: 2 }, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-10-26T01:00'])
  expect(times({ every: 'day', hour: 2 }, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:00'])
})

test('a weekly report is sent on its weekday', () => {
  expect(times({ every: 'week', day: 1, hour: 8 }, '2026-11-24T00:00:00Z', 2)).toEqual([
    '2026-11-30T07:00',
    '2026-12-07T07:00',
  ])
})

test('a monthly report on day 31 is sent on the last day of shorter months', () => {
  expect(times({ every: 'month', day: 31, hour: 0 }, '2026-01-31T12:00:00Z', 3)).toEqual([
    '2026-02-27T23:00',
    '2026-03-30T22:00',
    '2026-04-29T22:00',
  ])
})
