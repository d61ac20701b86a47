import { expect, test } from 'vitest'
import { mayLast } from './kiosk.ts'

test('a wall display ends today at the earliest, and within a year', () => {
  const today = '2026-11-28'
  expect(mayLast('2026-11-27', today)).toBe(false)
  expect(mayLast('2026-11-28', today)).toBe(true)
  expect(mayLast('2027-11-29', today)).toBe(true)
  expect(mayLast('2027-11-30', today)).toBe(false)
})
