import { expect, test } from 'vitest'
import { type QuietHours, quietUntil } from './quiet-hours.ts'

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const night: QuietHours = { from: 22 * 60, to: 7 * 60, days: everyDay }
const rome = 'Europe/Rome'
const untilOf = (at: string, quiet = night, zone = rome) => quietUntil(new Date(at), quiet, zone)?.toISOString() ?? null

test('a night spans midnight, from its first minute to the one before its last', () => {
  // Rome is an hour ahead of UTC in November.
  expect(untilOf('2026-11-20T20:59:59Z')).toBeNull()
  expect(untilOf('2026-11-20T21:00:00Z')).toBe('2026-11-21T06:00:00.000Z')
  expect(untilOf('2026-11-21T02:00:00Z')).toBe('2026-11-21T06:00:00.000Z')
  expect(untilOf('2026-11-21T05:59:59Z')).toBe('2026-11-21T06:00:00.000Z')
  expect(untilOf('2026-11-21T06:00:00Z')).toBeNull()
})

test('it is the merchant’s own night', () => {
  expect(untilOf('2026-11-20T23:00:00Z', night, 'America/Mexico_City')).toBeNull()
  expect(untilOf('2026-11-21T05:00:00Z', night, 'America/Mexico_City')).toBe('2026-11-21T13:00:00.000Z')
})

test('the night in which clocks go forward is an hour shorter, the one in which they go back an hour longer', () => {
  expect(untilOf('2026-03-28T21:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
  expect(untilOf('2026-10-24T20:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
})

test('an end that a clock change skips counts as before the change', () => {
  const short = { from: 0, to: 150, days: everyDay }
  // 02:30 does not exist in Rome on 29 March: at 01:00 UTC it is 03:00 already.
  const end = untilOf('2026-03-29T00:30:00Z', short)
  expect(end).toBe('2026-03-29T01:30:00.000Z')
  expect(untilOf(end ?? '', short)).toBeNull()
})

test('an end that occurs twice ends the quiet hours twice, since the wall clock decides', () => {
  const short = { from: 0, to: 150, days: everyDay }
  expect(untilOf('2026-10-25T00:10:00Z', short)).toBe('2026-10-25T00:30:00.000Z')
  expect(untilOf('2026-10-25T00:40:00Z', short)).toBeNull()
  expect(untilOf('2026-10-25T01:10:00Z', short)).toBe('2026-10-25T01:30:00.000Z')
})

test('a stretch belongs to the day on which it begins', () => {
  const fridayNight = { ...night, days: [5] }
  // 20 November 2026 is a Friday.
  expect(untilOf('2026-11-21T02:00:00Z', fridayNight)).toBe('2026-11-21T06:00:00.000Z')
  expect(untilOf('2026-11-20T02:00:00Z', fridayNight)).toBeNull()
  expect(untilOf('2026-11-21T22:00:00Z', fridayNight)).toBeNull()
})

test('inside a day it ends on the same day', () => {
  const siesta = { from: 13 * 60, to: 15 * 60, days: everyDay }
  expect(untilOf('2026-11-20T12:30:00Z', siesta)).toBe('2026-11-20T14:00:00.000Z')
  expect(untilOf('2026-11-20T14:00:00Z', siesta)).toBeNull()
})

test('stretches that meet are one, and seven whole days still end', () => {
  const weekend = { from: 0, to: 0, days: [6, 7] }
  expect(untilOf('2026-11-21T11:00:00Z', weekend)).toBe('2026-11-22T23:00:00.000Z')
  expect(untilOf('2026-11-21T11:00:00Z', { from: 0, to: 0, days: everyDay })).toBe('2026-11-27T23:00:00.000Z')
})

test('without days there are no quiet hours', () => {
  expect(untilOf('2026-11-21T02:00:00Z', { ...night, days: [] })).toBeNull()
})
