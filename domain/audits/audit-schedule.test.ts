import { expect, test } from 'vitest'
import { spreadOf, turnOf } from './audit-schedule.ts'

const turn = (at: string, zone: string, minutes: number) =>
  new Date(turnOf(Date.parse(at), zone, minutes)).toISOString()

test.each([
  // Midnight in Rome is 22:00 or 23:00 UTC.
  ['2026-07-10T08:15:00Z', 'Europe/Rome', 1440, '2026-07-09T22:00:00.000Z'],
  ['2026-01-10T22:59:59Z', 'Europe/Rome', 1440, '2026-01-09T23:00:00.000Z'],
  ['2026-01-10T23:00:00Z', 'Europe/Rome', 1440, '2026-01-10T23:00:00.000Z'],
  ['2026-07-10T08:15:00Z', 'Europe/Rome', 360, '2026-07-10T04:00:00.000Z'],
  ['2026-07-10T08:15:00Z', 'America/Mexico_City', 60, '2026-07-10T08:00:00.000Z'],
  // 600 minutes do not divide a day: the schedule restarts each day.
  ['2026-07-10T21:30:00Z', 'UTC', 600, '2026-07-10T20:00:00.000Z'],
  ['2026-07-11T01:00:00Z', 'UTC', 600, '2026-07-11T00:00:00.000Z'],
  // A week begins on its Monday.
  ['2026-07-10T08:15:00Z', 'Europe/Rome', 10_080, '2026-07-05T22:00:00.000Z'],
])('at %s in %s, every %i minutes, the interval started at %s', (at, zone, minutes, began) => {
  expect(turn(at, zone, minutes)).toBe(began)
})

test('on the days on which the clocks change, turns begin by the wall clock', () => {
  // 29 March 2026: 02:00 becomes 03:00 in Rome; 25 October: 03:00 becomes 02:00.
  expect(turn('2026-03-29T05:00:00Z', 'Europe/Rome', 360)).toBe('2026-03-29T04:00:00.000Z')
  expect(turn('2026-10-25T05:30:00Z', 'Europe/Rome', 360)).toBe('2026-10-25T05:00:00.000Z')
  expect(turn('2026-10-25T00:30:00Z', 'Europe/Rome', 60)).toBe('2026-10-25T00:00:00.000Z')
  expect(turn('2026-10-25T01:30:00Z', 'Europe/Rome', 60)).toBe('2026-10-25T01:00:00.000Z')
})

test('machines are spread over a quarter of the turn, up to an hour', () => {
  expect([1, 15, 60, 1440, 10_080].map(spreadOf)).toEqual([1, 3, 15, 60, 60])
})
