import { expect, test } from 'vitest'
import { isPublicHoliday } from './public-holidays.ts'

test('holidays of a country have fixed dates or move with Easter', () => {
  expect(isPublicHoliday('IT', '2026-08-15')).toBe(true)
  expect(isPublicHoliday('IT', '2026-04-06')).toBe(true)
  expect(isPublicHoliday('IT', '2027-04-06')).toBe(false)
  expect(isPublicHoliday('DE', '2026-10-03')).toBe(true)
  expect(isPublicHoliday('FR', '2026-07-14')).toBe(true)
  expect(isPublicHoliday('IT', '2026-07-14')).toBe(false)
})

test('an unknown country has no holidays, and other years only those with a fixed date', () => {
  expect(isPublicHoliday('ZZ', '2026-12-25')).toBe(false)
  expect(isPublicHoliday('IT', '2080-12-25')).toBe(true)
  expect(isPublicHoliday('IT', '2080-04-08')).toBe(false)
})
