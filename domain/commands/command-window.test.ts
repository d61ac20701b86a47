import { expect, test } from 'vitest'
import { windowIn } from './command-window.ts'

const span = (timeZone: string, day: string, from: string, until: string) => {
  const { notBefore, expiresAt } = windowIn(timeZone, { day, from, until })
  return [notBefore, expiresAt].map((at) => at.toISOString().slice(0, 16))
}

test('a window is in each zone’s local time', () => {
  expect(span('Europe/Rome', '2026-11-22', '02:00', '05:00')).toEqual(['2026-11-22T01:00', '2026-11-22T04:00'])
  expect(span('America/Bogota', '2026-11-22', '02:00', '05:00')).toEqual(['2026-11-22T07:00', '2026-11-22T10:00'])
})

test('an end that is not later than the start is on the next day', () => {
  expect(span('Europe/Rome', '2026-11-22', '23:00', '01:00')).toEqual(['2026-11-22T22:00', '2026-11-23T00:00'])
  expect(span('Europe/Rome', '2026-11-22', '23:00', '23:00')).toEqual(['2026-11-22T22:00', '2026-11-23T22:00'])
})

test('if clocks are put back during a window, it includes the repeated hour twice', () => {
  // 25 October 2026: 03:00 CEST becomes 02:00 CET at 01:00 UTC.
  expect(span('Europe/Rome', '2026-10-25', '02:00', '02:30')).toEqual(['2026-10-25T00:00', '2026-10-25T01:30'])
  expect(span('Europe/Rome', '2026-10-25', '01:00', '04:00')).toEqual(['2026-10-24T23:00', '2026-10-25T03:00'])
})

test('on the day on which they are put forward a window inside the missing hour is as long as ever', () => {
  // 28 March 2027: 02:00 CET becomes 03:00 CEST at 01:00 UTC.
  expect(span('Europe/Rome', '2027-03-28', '02:15', '02:45')).toEqual(['2027-03-28T01:15', '2027-03-28T01:45'])
  expect(span('Europe/Rome', '2027-03-28', '01:00', '04:00')).toEqual(['2027-03-28T00:00', '2027-03-28T02:00'])
})

test('a window that begins in the missing hour and ends right after it is never empty', () => {
  const { notBefore, expiresAt } = windowIn('Europe/Rome', { day: '2027-03-28', from: '02:30', until: '03:15' })
  expect(expiresAt.getTime()).toBeGreaterThan(notBefore.getTime())
})
