import { expect, test } from 'vitest'
import { wrongDatesIn } from './wrongDates.ts'

test.each([
  ['days and presets', { startDate: '2026-11-01', endDate: '2026-11-30' }, []],
  ['a preset', { period: 'last7Days' }, []],
  ['no dates', { search: '2026-02-31', posIds: ['a', 'b'] }, []],
  ['a period of a list’s own', { createdAt: ['2026-11-01', '2026-11-02'] }, []],
  ['a day that does not exist', { startDate: '2026-02-31', endDate: '2026-03-02' }, ['2026-02-31']],
  ['two days that do not exist', { startDate: '2026-02-31', endDate: '31.12.2026' }, ['2026-02-31', '31.12.2026']],
  ['text in place of a day', { startDate: 'yesterday', endDate: '2026-03-02' }, ['yesterday']],
  ['one end alone', { endDate: '2026-03-02' }, ['2026-03-02']],
  ['an end before the start', { startDate: '2026-03-02', endDate: '2026-03-01' }, ['2026-03-02 – 2026-03-01']],
  ['an unknown period', { period: 'nextCentury' }, ['nextCentury']],
  ['a wrong day of a list’s own period', { createdAt: ['2026-11-31', '2026-12-02'] }, ['2026-11-31 – 2026-12-02']],
])('%s', (_, search, wrong) => {
  expect(wrongDatesIn(search)).toEqual(wrong)
})
