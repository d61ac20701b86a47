import { expect, test } from 'vitest'
import { instantOf, type StatedTime } from './reading-time.ts'

const at = (text: string) => Date.parse(text)
const frame = {
  receivedAt: at('2026-11-27T10:00:00Z'),
  zone: 'Europe/Rome',
  oldestAt: at('2026-08-29T10:00:00Z'),
}
const read = (stated: StatedTime, more: object = {}) => {
  const instant = instantOf(stated, { ...frame, ...more })
  return instant === null ? null : new Date(instant).toISOString()
}

test('a wall clock is read in the machine’s zone, to the millisecond', () => {
  expect(read({ wall: '2026-11-26T23:55:54.217' })).toBe('2026-11-26T22:55:54.217Z')
  expect(read({ at: at('2026-11-26T23:55:54.217Z') })).toBe('2026-11-26T23:55:54.217Z')
})

test('a measured drift corrects the clock, and two minutes are tolerated', () => {
  expect(read({ wall: '2026-11-26T23:55:54' }, { drift: 3_600_000 })).toBe('2026-11-26T23:55:54.000Z')
  expect(read({ wall: '2026-11-26T23:55:54' }, { drift: 60_000 })).toBe('2026-11-26T22:55:54.000Z')
  expect(read({ wall: '2026-11-27T11:01:00' })).toBe('2026-11-27T10:00:00.000Z')
})

test.each([
  ['2026-11-27T11:03:00', 'the future'],
  ['2026-08-01T08:00:00', 'before what is kept'],
  ['2000-01-01T00:07:00', 'a clock that was never set'],
  ['2026-02-31T08:00:00', 'no real date'],
])('%s is %s, and no time of a reading', (wall) => {
  expect(read({ wall })).toBeNull()
})

test('in an hour that occurs twice the later one counts, unless it is in the future', () => {
  const october = { oldestAt: at('2026-08-01T00:00:00Z') }
  expect(read({ wall: '2026-10-25T02:30:00' }, october)).toBe('2026-10-25T01:30:00.000Z')
  expect(read({ wall: '2026-10-25T02:30:00' }, { ...october, receivedAt: at('2026-10-25T00:40:00Z') })).toBe(
    '2026-10-25T00:30:00.000Z',
  )
})
