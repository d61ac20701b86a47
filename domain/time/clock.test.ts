import fc from 'fast-check'
import { expect, test } from 'vitest'
import { driftOf, earlierBy, happenedAt, naiveOf } from './clock.ts'

const zone = 'Europe/Rome'
const receivedAt = Date.parse('2026-07-01T10:00:00Z')
const oldestAt = receivedAt - 90 * 86_400_000
const clock = (text: string) => naiveOf(text) as number
const happened = (itemAt: string, sentAt: string, more: { receivedAt?: number; knownDrift?: number } = {}) =>
  new Date(
    happenedAt({ itemAt: naiveOf(itemAt), sentAt: naiveOf(sentAt), receivedAt, zone, oldestAt, ...more }),
  ).toISOString()

test.each([
  '2026-02-30T10:00:00',
  '2026-13-01T10:00:00',
  '2026-01-01T24:00:00',
  '0000-00-00T00:00:00',
  '2026-01-01T10:00:60',
])('%s is not a date', (text) => expect(naiveOf(text)).toBeNull())

test('milliseconds are kept', () =>
  expect(naiveOf('2026-07-01T12:00:00.25')).toBe(Date.parse('2026-07-01T12:00:00.250Z')))

test('a clock that is right is read in the merchant’s zone', () => {
  expect(happened('2026-07-01T11:30:00', '2026-07-01T12:00:00')).toBe('2026-07-01T09:30:00.000Z')
  expect(happened('2026-07-01T11:30:00', '2026-07-01T11:58:30')).toBe('2026-07-01T09:30:00.000Z')
})

test.each([
  ['a day behind', '2026-06-30T11:30:00', '2026-06-30T12:00:00'],
  ['a year ahead', '2027-07-01T11:30:00', '2027-07-01T12:00:00'],
  ['in another zone', '2026-07-01T09:30:00', '2026-07-01T10:00:00'],
  ['at its maker’s first day', '2000-01-01T00:10:00', '2000-01-01T00:40:00'],
])('a clock %s only gives the age of an event', (_, item, sent) => {
  expect(happened(item, sent)).toBe('2026-07-01T09:30:00.000Z')
})

test('no event is in the future, or older than the retention', () => {
  expect(happened('2026-07-01T12:01:00', '2026-07-01T12:00:00')).toBe('2026-07-01T10:00:00.000Z')
  expect(happened('2020-01-02T00:00:00', '2026-07-01T12:00:00')).toBe(new Date(oldestAt).toISOString())
})

test.each([
  ['1970-01-01T00:04:00', 'its first second'],
  ['2000-01-01T12:00:00', 'its maker’s first day'],
])('an event at %s (%s), before the clock was set, gets the time of receipt', (item) => {
  expect(happened(item, '2026-07-01T12:00:00')).toBe('2026-07-01T10:00:00.000Z')
  // Set, but wrong by a day.
  expect(happened(item, '2026-06-30T12:00:00')).toBe('2026-07-01T10:00:00.000Z')
})

test('an event from before the clock fell back to 1970 has the time of its clock', () => {
  expect(happened('2026-06-30T11:30:00', '1970-01-01T00:00:20')).toBe('2026-06-30T09:30:00.000Z')
  expect(happened('2026-07-01T11:30:00', '1970-01-01T00:00:20')).toBe('2026-07-01T09:30:00.000Z')
  // A clock in another future is never later than now either.
  expect(happened('2031-01-01T00:00:00', '1970-01-01T00:00:20')).toBe('2026-07-01T10:00:00.000Z')
})

test('a message of 29 February 2026, an invalid date, keeps the times of its events', () => {
  expect(happened('2026-07-01T11:30:00', '2026-02-29T12:00:00')).toBe('2026-07-01T09:30:00.000Z')
  expect(happened('2026-02-29T11:30:00', '2026-07-01T12:00:00')).toBe('2026-07-01T10:00:00.000Z')
})

test('an item with an impossible time gets the time of its arrival', () => {
  expect(happened('2026-99-01T12:01:00', '2026-07-01T12:00:00')).toBe('2026-07-01T10:00:00.000Z')
})

test('in a repeated hour the later reading counts, unless it is in the future', () => {
  const at = (now: string) => ({ receivedAt: Date.parse(now) })
  expect(happened('2026-10-25T02:20:00', '2026-10-25T02:30:00', at('2026-10-25T01:30:00Z'))).toBe(
    '2026-10-25T01:20:00.000Z',
  )
  expect(happened('2026-10-25T02:20:00', '2026-10-25T02:30:00', at('2026-10-25T00:30:00Z'))).toBe(
    '2026-10-25T00:20:00.000Z',
  )
  expect(happened('2026-10-25T02:50:00', '2026-10-25T03:10:00', at('2026-10-25T02:10:00Z'))).toBe(
    '2026-10-25T01:50:00.000Z',
  )
})

test('a message that was sent again long after is read with the drift known before', () => {
  expect(happened('2026-07-01T11:30:00', '2026-07-01T11:30:01', { knownDrift: 0 })).toBe('2026-07-01T09:30:00.000Z')
  expect(happened('2026-07-01T09:30:00', '2026-07-01T09:30:01', { knownDrift: 7_200_000 })).toBe(
    '2026-07-01T09:30:00.000Z',
  )
})

test('drift is the time by which the clock is behind', () => {
  expect(driftOf(receivedAt, clock('2026-07-01T11:50:00'), zone)).toBe(600_000)
  expect(driftOf(receivedAt, clock('2026-07-01T12:10:00'), zone)).toBe(-600_000)
})

test('whatever the clocks show, the result is within the retention', () => {
  const anyTime = fc.option(fc.integer({ min: 0, max: Date.parse('9999-12-31') }))
  fc.assert(
    fc.property(anyTime, anyTime, (itemAt, sentAt) => {
      const at = happenedAt({ itemAt, sentAt, receivedAt, zone, oldestAt })
      expect(at).toBeGreaterThanOrEqual(oldestAt)
      expect(at).toBeLessThanOrEqual(receivedAt)
    }),
  )
})

const earlier = (clockNow: string, clockThen: string, at = receivedAt) => {
  const then = earlierBy({ at, timeZone: zone }, clockNow, clockThen)
  return then === null ? null : new Date(then).toISOString()
}

test('a time in the past is converted with the machine’s clock, right or wrong', () => {
  expect(earlier('2026-07-01T12:00:00', '2026-06-30T07:30:00')).toBe('2026-06-30T05:30:00.000Z')
  // Two days and a half ahead.
  expect(earlier('2026-07-04T00:00:00', '2026-07-03T00:00:00')).toBe('2026-06-30T10:00:00.000Z')
  // The clocks were put forward in between.
  expect(earlier('2026-07-01T12:00:00', '2026-03-01T12:00:00')).toBe('2026-03-01T11:00:00.000Z')
})

test('no event is in the future, or from before the machine had a clock', () => {
  expect(earlier('2026-07-01T12:00:00', '2026-07-01T13:00:00')).toBe('2026-07-01T10:00:00.000Z')
  expect(earlier('2026-07-01T12:00:00', '1970-01-01T00:00:00')).toBeNull()
  expect(earlier('2026-07-01T12:00:00', '2026-02-30T12:00:00')).toBeNull()
})
