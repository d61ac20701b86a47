import { expect, test } from 'vitest'
import { shownState } from './shownState.ts'

const row = (day: string, timeZone = 'Europe/Rome', state: 'notRead' | 'agrees' = 'notRead') => ({
  day,
  timeZone,
  state,
})

test("a day without a reading is missing only after its end in the machine's time zone", () => {
  const now = new Date('2026-11-21T05:30:00Z')
  expect(shownState(row('2026-11-20'), now)).toBe('notRead')
  expect(shownState(row('2026-11-21'), now)).toBe('notYet')
  expect(shownState(row('2026-11-20', 'America/Mexico_City'), now)).toBe('notYet')
  expect(shownState(row('2026-11-19', 'America/Mexico_City'), now)).toBe('notRead')
})

test('a day with readings has their state, even before its end', () => {
  expect(shownState(row('2026-11-21', 'Europe/Rome', 'agrees'), new Date('2026-11-21T08:00:00Z'))).toBe('agrees')
})
