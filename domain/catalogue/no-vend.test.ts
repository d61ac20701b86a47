import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holidayRules, NewNoVendProfile, overlappingWindows } from '#contract/catalogue/no-vend-profile.ts'
import { ParameterName, ParameterValue } from '#contract/vocabulary/configuration.ts'
import { offsetAt } from '../time/local-hour.ts'
import { decodeNoVend, encodeNoVend, isNoVendTime, isSold, type MachineNoVend, replaceNoVend } from './no-vend.ts'

const dayMs = 86_400_000
const two = (value: number) => String(value).padStart(2, '0')
const clockOf = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

const someClock = fc.oneof(
  fc.constantFrom('00:00', '23:59', '22:00', '06:00'),
  fc.integer({ min: 0, max: 1439 }).map(clockOf),
)
const someWindow = fc.record({
  days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  from: someClock,
  to: someClock,
})
/** Around a change of the clocks, so that holidays and windows meet the minutes that are checked. */
const firstDay = Date.UTC(2026, 9, 20)
const someHoliday = fc
  .integer({ min: 0, max: 6 })
  .map((day) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10))
const someSelection = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map(String),
  fc.stringMatching(/^[A-Z][0-9]{1,3}$/),
  fc.constantFrom('Menü 1', '𝔘𝔫'.repeat(10)),
)
const someProfile: fc.Arbitrary<MachineNoVend> = fc.record({
  selections: fc.uniqueArray(someSelection, { maxLength: 100 }),
  priceTables: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8]),
  windows: fc.array(someWindow, { maxLength: 28 }),
  holidays: fc.uniqueArray(someHoliday),
  onHolidays: fc.constantFrom(...holidayRules),
})
const inOrder = (profile: MachineNoVend) => ({
  ...profile,
  selections: profile.selections.toSorted(),
  holidays: profile.holidays.toSorted(),
})

describe('parameters', () => {
  test('a machine reads the profile that was written', () => {
    fc.assert(
      fc.property(someProfile, (profile) => {
        const read = decodeNoVend(encodeNoVend(profile))
        expect(read && inOrder(read)).toEqual(inOrder(profile))
      }),
    )
  })

  test('names and values fit into a configuration', () => {
    fc.assert(
      fc.property(someProfile, (profile) => {
        for (const [name, value] of Object.entries(encodeNoVend(profile))) {
          expect(ParameterName.safeParse(name).success).toBe(true)
          expect(ParameterValue.safeParse(value).success).toBe(true)
        }
      }),
    )
  })

  test('the order in which users wrote a profile does not change its parameters', () => {
    const profile: MachineNoVend = {
      selections: ['10', '2', 'A1', '2'],
      priceTables: [8, 1],
      windows: [{ days: [5, 1], from: '08:00', to: '13:00' }],
      holidays: ['2026-12-25', '2026-12-24'],
      onHolidays: 'never',
    }
    expect(encodeNoVend(profile)).toEqual({
      'novend.selections': '2,10,A1',
      'novend.priceTables': '1,8',
      'novend.windows': '15 08:00-13:00',
      'novend.holidays': '2026-12-24,2026-12-25',
      'novend.onHolidays': 'never',
    })
  })

  test('a shorter profile empties the parameters that it does not use, and no profile empties all', () => {
    fc.assert(
      fc.property(someProfile, someProfile, (before, after) => {
        const sent = replaceNoVend({ ...encodeNoVend(before), 'display.brightness': '80' }, after)
        const machine = { ...encodeNoVend(before), ...sent }
        expect(decodeNoVend(machine)).toEqual(decodeNoVend(encodeNoVend(after)))
        expect(sent).not.toHaveProperty(['display.brightness'])
        expect(decodeNoVend({ ...machine, ...replaceNoVend(machine, null) })).toBeNull()
      }),
    )
  })
})

const days = 8
/** The minutes of eight days at which a profile applies, marked one by one as a person would read the windows. */
function markedMinutes({ windows, holidays, onHolidays }: MachineNoVend): boolean[] {
  const minutes = new Array<boolean>(days * 1440).fill(false)
  // From the day before, whose windows may cross midnight.
  for (let day = -1; day < days; day++) {
    const weekday = new Date(firstDay + day * dayMs).getUTCDay() || 7
    for (const window of windows) {
      if (!window.days.includes(weekday)) continue
      const { from, to } = window
      let minute = day * 1440
      while (clockOf(((minute % 1440) + 1440) % 1440) !== from) minute++
      do {
        if (minute >= 0 && minute < minutes.length) minutes[minute] = true
        minute++
      } while (clockOf(((minute % 1440) + 1440) % 1440) !== to)
    }
  }
  if (onHolidays !== 'asUsual')
    for (const holiday of holidays) {
      const start = ((Date.parse(holiday) - firstDay) / dayMs) * 1440
      minutes.fill(onHolidays === 'allDay', start, start + 1440)
    }
  return minutes
}

test('a profile applies at the minutes that a reader of its windows and holidays marks', () => {
  fc.assert(
    fc.property(someProfile, fc.array(someWindow, { maxLength: 5 }), (some, windows) => {
      const profile = { ...some, windows }
      const expected = markedMinutes(profile)
      const calculated = expected.map((_, minute) => isNoVendTime(profile, firstDay + minute * 60_000))
      expect(calculated).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})

const nightly: MachineNoVend = {
  selections: ['12'],
  priceTables: [2],
  windows: [{ days: [6], from: '22:00', to: '02:30' }],
  holidays: [],
  onHolidays: 'asUsual',
}
const at = (text: string) => Date.parse(`${text}Z`)

test('only what the profile names is not sold', () => {
  const saturday = at('2026-11-21T23:00')
  expect(isSold(nightly, '12', 1, saturday)).toBe(false)
  expect(isSold(nightly, '13', 1, saturday)).toBe(true)
  expect(isSold(nightly, '13', 2, saturday)).toBe(false)
  expect(isSold(nightly, '13', null, saturday)).toBe(true)
  expect(isSold(nightly, '12', 2, at('2026-11-20T23:00'))).toBe(true)
})

test('a window that crosses midnight ends on the next day, also from Sunday to Monday', () => {
  expect(isSold(nightly, '12', 1, at('2026-11-22T02:29:59.999'))).toBe(false)
  expect(isSold(nightly, '12', 1, at('2026-11-22T02:30'))).toBe(true)
  expect(isSold(nightly, '12', 1, at('2026-11-22T23:00'))).toBe(true)
  const sunday = { ...nightly, windows: [{ days: [7], from: '22:00', to: '06:00' }] }
  expect(isSold(sunday, '12', 1, at('2026-11-23T05:59'))).toBe(false)
})

test('a whole day is from midnight to midnight', () => {
  const whole = { ...nightly, windows: [{ days: [6], from: '00:00', to: '00:00' }] }
  expect(isSold(whole, '12', 1, at('2026-11-20T23:59'))).toBe(true)
  expect(isSold(whole, '12', 1, at('2026-11-21T00:00'))).toBe(false)
  expect(isSold(whole, '12', 1, at('2026-11-21T23:59'))).toBe(false)
  expect(isSold(whole, '12', 1, at('2026-11-22T00:00'))).toBe(true)
})

describe('on nights when the clocks change, the window follows the clock on the wall', () => {
  /** Minutes of a night in Rome, counted from an instant, at which selection 12 is not sold. */
  const withheld = (profile: MachineNoVend, from: string, hours: number) => {
    const start = Date.parse(from)
    let minutes = 0
    for (let minute = 0; minute < hours * 60; minute++) {
      const instant = start + minute * 60_000
      if (!isSold(profile, '12', 1, instant + offsetAt(instant, 'Europe/Rome'))) minutes++
    }
    return minutes
  }

  test('put back: the hour that comes twice counts twice', () => {
    // 25 October 2026: 03:00 CEST becomes 02:00 CET at 01:00 UTC.
    expect(withheld(nightly, '2026-10-24T18:00Z', 12)).toBe(5 * 60)
    const early = { ...nightly, windows: [{ days: [7], from: '02:00', to: '02:30' }] }
    expect(withheld(early, '2026-10-24T18:00Z', 12)).toBe(2 * 30)
  })

  test('put forward: the hour that is skipped does not count', () => {
    // 29 March 2026: 02:00 CET becomes 03:00 CEST at 01:00 UTC.
    expect(withheld(nightly, '2026-03-28T18:00Z', 12)).toBe(4 * 60)
    const missing = { ...nightly, windows: [{ days: [7], from: '02:00', to: '03:00' }] }
    expect(withheld(missing, '2026-03-28T18:00Z', 12)).toBe(0)
  })
})

test.each([
  ['asUsual', false, true],
  ['never', true, true],
  ['allDay', false, false],
] as const)('on a holiday with the rule %s, the window and the rest of the day', (onHolidays, inWindow, outside) => {
  const profile = { ...nightly, windows: [{ days: [5], from: '08:00', to: '12:00' }], holidays: ['2026-12-25'] }
  expect(isSold({ ...profile, onHolidays }, '12', 1, at('2026-12-25T09:00'))).toBe(inWindow)
  expect(isSold({ ...profile, onHolidays }, '12', 1, at('2026-12-25T15:00'))).toBe(outside)
  // The next Friday is an ordinary day.
  expect(isSold({ ...profile, onHolidays }, '12', 1, at('2027-01-01T09:00'))).toBe(false)
})

test('a holiday begins and ends at midnight, whenever a window started', () => {
  const profile = {
    ...nightly,
    windows: [{ days: [4, 5], from: '22:00', to: '06:00' }],
    holidays: ['2026-12-25'],
    onHolidays: 'never' as const,
  }
  expect(isSold(profile, '12', 1, at('2026-12-24T23:59'))).toBe(false)
  expect(isSold(profile, '12', 1, at('2026-12-25T00:00'))).toBe(true)
  expect(isSold(profile, '12', 1, at('2026-12-25T23:59'))).toBe(true)
  expect(isSold(profile, '12', 1, at('2026-12-26T00:00'))).toBe(false)
})

test('a configuration without the parameters has no profile', () => {
  expect(decodeNoVend({})).toBeNull()
  expect(decodeNoVend({ 'novend.onHolidays': '' })).toBeNull()
  expect(decodeNoVend({ 'novend.onHolidays': 'never', 'novend.windows': 'x,1 08:00-09:00' })?.windows).toEqual([
    { days: [1], from: '08:00', to: '09:00' },
  ])
})

test('windows that share a minute of the week overlap, windows that touch do not', () => {
  const window = (days: number[], from: string, to: string) => ({ days, from, to })
  const overlaps = (...windows: ReturnType<typeof window>[]) => overlappingWindows(windows)
  expect(overlaps(window([1], '08:00', '12:00'), window([1], '11:59', '13:00'))).toEqual([1])
  expect(overlaps(window([1], '08:00', '12:00'), window([1], '12:00', '13:00'))).toEqual([])
  expect(overlaps(window([1], '08:00', '12:00'), window([2], '08:00', '12:00'))).toEqual([])
  // Across midnight, and from Sunday to Monday.
  expect(overlaps(window([1], '22:00', '06:00'), window([2], '05:00', '07:00'))).toEqual([1])
  expect(overlaps(window([1], '05:00', '07:00'), window([7], '22:00', '06:00'))).toEqual([1])
  expect(overlaps(window([1, 2, 3, 4, 5, 6, 7], '00:00', '00:00'))).toEqual([])
  const profile = { name: 'School', selections: ['1'], onHolidays: 'asUsual' }
  const windows = [window([1], '08:00', '12:00'), window([1, 2], '10:00', '13:00')]
  const [issue] = NewNoVendProfile.safeParse({ ...profile, windows }).error?.issues ?? []
  expect(issue).toMatchObject({ message: 'rule.overlap', path: ['windows', 1] })
  expect(NewNoVendProfile.safeParse({ ...profile, windows: [], selections: ['A1', 'a1'] }).success).toBe(false)
})

test('windows overlap exactly where both apply to a minute', () => {
  const week = Array.from({ length: 7 * 48 }, (_, half) => half * 30)
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 })
  const time = fc.integer({ min: 0, max: 47 }).map((half) => clockOf(half * 30))
  const windowOf = fc.record({ days, from: time, to: time })
  // Day 4 of 1970 was the first Monday.
  const at = (minute: number) => 4 * dayMs + minute * 60_000
  const appliesAt = (one: { days: number[]; from: string; to: string }, minute: number) =>
    isNoVendTime({ windows: [one], holidays: [], onHolidays: 'asUsual' }, at(minute))
  fc.assert(
    fc.property(windowOf, windowOf, (one, other) => {
      const isShared = week.some((minute) => appliesAt(one, minute) && appliesAt(other, minute))
      expect(overlappingWindows([one, other]).length > 0).toBe(isShared)
    }),
  )
})
