import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../time/period.ts'
import { isOpenAt, windowAt } from './rollout-window.ts'

const minute = 60_000
const night = { from: '23:00', to: '05:00' }

/** The windows of some days by their instants, found by asking once per quarter of an hour. */
function openSpans(window: { from: string; to: string }, timeZone: string, from: string, to: string): string[] {
  const spans: string[] = []
  let opened: number | null = null
  for (let now = Date.parse(from); now <= Date.parse(to); now += 15 * minute) {
    const isOpen = isOpenAt(window, timeZone, new Date(now))
    if (isOpen && opened === null) opened = now
    if (!isOpen && opened !== null) {
      spans.push(`${new Date(opened).toISOString().slice(0, 16)} ${(now - opened) / minute}`)
      opened = null
    }
  }
  return spans
}

test.each([
  // Rome, forward on 2027-03-28 at 01:00Z. The window of Saturday lasts an hour less, the window after the short day is open too.
  [
    'overnight, over a skipped hour',
    night,
    'Europe/Rome',
    '2027-03-27T12:00Z',
    ['2027-03-27T22:00 300', '2027-03-28T21:00 360'],
  ],
  // Rome, back on 2026-10-25 at 01:00Z.
  [
    'overnight, over a repeated hour',
    night,
    'Europe/Rome',
    '2026-10-24T12:00Z',
    ['2026-10-24T21:00 420', '2026-10-25T22:00 360'],
  ],
  // 02:15 to 02:45 does not exist on that day: as long as on other days.
  [
    'inside the skipped hour',
    { from: '02:15', to: '02:45' },
    'Europe/Rome',
    '2027-03-27T12:00Z',
    ['2027-03-28T01:15 30', '2027-03-29T00:15 30'],
  ],
  [
    'inside the repeated hour',
    { from: '02:15', to: '02:45' },
    'Europe/Rome',
    '2026-10-24T12:00Z',
    ['2026-10-25T00:15 90', '2026-10-26T01:15 30'],
  ],
  [
    'from the skipped hour to its end',
    { from: '02:15', to: '03:00' },
    'Europe/Rome',
    '2027-03-27T12:00Z',
    ['2027-03-28T01:15 45', '2027-03-29T00:15 45'],
  ],
  // Lord Howe shifts by half an hour: 02:00 to 02:30 is skipped on 2026-10-04, 01:30 to 02:00 repeated on 2027-04-04.
  [
    'over a skipped half hour',
    { from: '01:00', to: '03:00' },
    'Australia/Lord_Howe',
    '2026-10-03T03:00Z',
    ['2026-10-03T14:30 90', '2026-10-04T14:00 120'],
  ],
  [
    'inside a skipped half hour',
    { from: '02:00', to: '02:30' },
    'Australia/Lord_Howe',
    '2026-10-03T03:00Z',
    ['2026-10-03T15:30 30', '2026-10-04T15:00 30'],
  ],
  [
    'over a repeated half hour',
    { from: '01:00', to: '03:00' },
    'Australia/Lord_Howe',
    '2027-04-03T03:00Z',
    ['2027-04-03T14:00 150', '2027-04-04T14:30 120'],
  ],
])('a window is open once a day where the clocks change: %s', (_, window, timeZone, from, spans) => {
  const to = new Date(Date.parse(from) + 51 * 60 * minute).toISOString()
  expect(openSpans(window, timeZone, from, to).slice(0, 2)).toEqual(spans)
})

test('the window after midnight is that of the day before, also on the day after a short day', () => {
  // 00:30 on Monday, 23.5 hours after 00:00 on Sunday.
  const monday = new Date('2027-03-28T22:30Z')
  expect(windowAt(night, 'Europe/Rome', monday)).toEqual({
    opensAt: new Date('2027-03-28T21:00Z'),
    closesAt: new Date('2027-03-29T03:00Z'),
  })
  // 23:30 on Saturday: the next window is that of the short Sunday.
  const saturday = new Date('2027-03-27T22:30Z')
  expect(windowAt({ from: '02:00', to: '05:00' }, 'Europe/Rome', saturday)?.closesAt).toEqual(
    new Date('2027-03-28T03:00Z'),
  )
})

const zones = fc.constantFrom(
  'Europe/Rome',
  'Australia/Lord_Howe',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Apia',
)
const times = fc
  .tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '45'))
  .map(([hour, part]) => `${String(hour).padStart(2, '0')}:${part}`)
const windows = fc.record({ from: times, to: times }).filter(({ from, to }) => from !== to)
const changes = [
  '2027-03-28',
  '2026-10-25',
  '2026-10-04',
  '2027-04-04',
  '2027-03-14',
  '2026-11-01',
  '2027-04-03',
  '2026-09-06',
]
const instants = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -36 * 60, max: 36 * 60 }))
  .map(([day, minutes]) => new Date(Date.parse(`${day}T00:00Z`) + minutes * minute))

test('the nearest window is never empty, never longer than a day and an hour, and is open exactly until it closes', () => {
  fc.assert(
    fc.property(windows, zones, instants, (window, timeZone, now) => {
      const next = windowAt(window, timeZone, now)
      if (!next) throw new Error('A window has a next opening.')
      const opens = next.opensAt.getTime()
      const closes = next.closesAt.getTime()
      expect(closes).toBeGreaterThan(now.getTime())
      expect(closes - opens).toBeGreaterThanOrEqual(15 * minute)
      expect(closes - opens).toBeLessThanOrEqual(25 * 60 * minute)
      // No window is skipped: the next one opens within a day, a skipped hour and a repeated one.
      expect(opens - now.getTime()).toBeLessThanOrEqual(26 * 60 * minute)
      expect(isOpenAt(window, timeZone, now)).toBe(next.opensAt <= now)
      expect(isOpenAt(window, timeZone, new Date(closes - 1))).toBe(true)
      // The same window by any instant inside it.
      expect(windowAt(window, timeZone, new Date(Math.max(opens, now.getTime())))).toEqual(next)
    }),
    { numRuns: 400 },
  )
})

test('between two days a window opens on each local day', () => {
  const window = { from: '04:00', to: '05:00' }
  for (const day of changes) {
    let now = new Date(`${addDays(day, -2)}T12:00Z`)
    const opened: string[] = []
    for (let count = 0; count < 4; count++) {
      const next = windowAt(window, 'Europe/Rome', now)
      opened.push(next?.opensAt.toISOString().slice(0, 10) ?? '')
      now = next?.closesAt ?? now
    }
    expect(opened).toEqual([-1, 0, 1, 2].map((days) => addDays(day, days)))
  }
})
