import { expect, test } from 'vitest'
import { stepFor } from './stats-step.ts'

test.each([
  ['2026-03-01', '2026-03-01', 'hour'],
  ['2026-03-01', '2026-03-02', 'hour'],
  ['2026-03-01', '2026-03-31', 'day'],
  ['2026-01-01', '2026-06-30', 'week'],
  ['2024-01-01', '2026-06-30', 'month'],
])('%s to %s is shown by the %s', (startDate, endDate, step) => {
  expect(stepFor({ startDate, endDate })).toBe(step)
})
