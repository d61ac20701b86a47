import { expect, test } from 'vitest'
import { driftOf, endOf, grantUntil, possibleEnds } from './licence-term.ts'

test('a licence is valid through its last day in the merchant’s zone', () => {
  expect(endOf('2026-05-31', 'Europe/Rome')).toEqual(new Date('2026-05-31T22:00:00Z'))
  expect(endOf('2026-05-31', 'America/Mexico_City')).toEqual(new Date('2026-06-01T06:00:00Z'))
  // In Santiago the clocks are put forward at midnight of 6 September 2026: the day starts at one o'clock.
  expect(endOf('2026-09-05', 'America/Santiago')).toEqual(new Date('2026-09-06T04:00:00Z'))
  expect(endOf(null, 'Europe/Rome')).toBeNull()
})

test('a licence ends today or later, and a demo at most 90 days after its activation or creation', () => {
  const now = new Date('2026-05-04T22:30:00Z')
  const since = new Date('2026-05-01T10:00:00Z')
  const at = { since, timeZone: 'Europe/Rome' }
  expect(possibleEnds({ type: 'cashlogy', ...at }, now)).toEqual({ from: '2026-05-05', until: null })
  expect(possibleEnds({ type: 'cashlogyDemo', ...at }, now)).toEqual({ from: '2026-05-05', until: '2026-07-30' })
})

test('an answer is valid for 14 days, and never beyond the end', () => {
  const now = new Date('2026-05-04T10:00:00Z')
  expect(grantUntil(null, now)).toEqual(new Date('2026-05-18T10:00:00Z'))
  const soon = new Date('2026-05-05T22:00:00Z')
  expect(grantUntil(soon, now)).toEqual(soon)
})

test('the drift is by how much the connector’s clock is ahead', () => {
  const now = new Date('2026-05-04T10:00:00Z')
  expect(driftOf(new Date('2027-05-04T10:00:00Z'), now)).toBe(365 * 86_400)
  expect(driftOf(new Date('2026-05-04T09:59:30Z'), now)).toBe(-30)
})
