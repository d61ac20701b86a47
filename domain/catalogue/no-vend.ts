import {
  type HolidayRule,
  holidayRules,
  type NoVendProfile,
  type NoVendWindow,
} from '#contract/catalogue/no-vend-profile.ts'
import { noVendPrefix, type Parameters } from '#contract/vocabulary/configuration.ts'

/** What one machine does not sell and when: a profile with its products replaced by the machine's selections. */
export type MachineNoVend = Pick<NoVendProfile, 'selections' | 'priceTables' | 'windows' | 'holidays' | 'onHolidays'>

/** A parameter's value has at most 500 characters; a longer list continues in the next parameter. */
const longestValue = 500
const minuteMs = 60_000
const dayMinutes = 24 * 60

const lists = ['selections', 'priceTables', 'windows', 'holidays'] as const
type List = (typeof lists)[number]
const nameOf = (list: List, part: number) => `${noVendPrefix}${list}${part === 1 ? '' : `.${part}`}`
const ruleName = `${noVendPrefix}onHolidays`

/** Selections by number where they are numbers: 2 before 10. The same on every system, unlike a sort of a locale. */
const bySelection = (one: string, other: string) => {
  const first = Number(one)
  const second = Number(other)
  if (first !== second && Number.isFinite(first) && Number.isFinite(second)) return first - second
  return one < other ? -1 : one > other ? 1 : 0
}

const writeWindow = ({ days, from, to }: NoVendWindow) => `${days.toSorted().join('')} ${from}-${to}`

/** Packs entries into values, separated by commas, no entry cut in two. */
function valuesOf(entries: readonly string[]): string[] {
  const values = ['']
  for (const entry of entries) {
    const last = values.at(-1) ?? ''
    const longer = last === '' ? entry : `${last},${entry}`
    if (longer.length <= longestValue) values[values.length - 1] = longer
    else values.push(entry)
  }
  return values
}

/** A profile of one machine as parameters of its configuration. The same profile gives the same text. */
export function encodeNoVend(profile: MachineNoVend): Parameters {
  const entries: Record<List, string[]> = {
    selections: [...new Set(profile.selections)].sort(bySelection),
    priceTables: profile.priceTables.toSorted((one, other) => one - other).map(String),
    windows: profile.windows.map(writeWindow),
    holidays: profile.holidays.toSorted(),
  }
  const parameters: Parameters = {}
  for (const list of lists)
    valuesOf(entries[list]).forEach((value, part) => {
      parameters[nameOf(list, part + 1)] = value
    })
  parameters[ruleName] = profile.onHolidays
  return parameters
}

/**
 * The parameters to send where a machine had others before: an unused parameter is sent empty, because a machine keeps what a
 * command does not name. Without a profile all of them are empty.
 */
export function replaceNoVend(before: Parameters, profile: MachineNoVend | null): Parameters {
  const cleared = Object.fromEntries(
    Object.keys(before)
      .filter((name) => name.startsWith(noVendPrefix))
      .map((name) => [name, '']),
  )
  return { ...cleared, ...(profile && encodeNoVend(profile)) }
}

const windowText = /^([1-7]+) (\d\d:\d\d)-(\d\d:\d\d)$/

/** The profile in a machine's configuration; null without one. What cannot be read is left out. */
export function decodeNoVend(parameters: Parameters): MachineNoVend | null {
  const textOf = (name: string) => (Object.hasOwn(parameters, name) ? (parameters[name] ?? '') : '')
  const entriesOf = (list: List) => {
    const entries: string[] = []
    for (let part = 1, value = textOf(nameOf(list, part)); value !== ''; value = textOf(nameOf(list, ++part)))
      entries.push(...value.split(','))
    return entries
  }
  const rule = textOf(ruleName)
  const onHolidays = holidayRules.find((holidayRule) => holidayRule === rule)
  if (!onHolidays) return null
  return {
    selections: entriesOf('selections'),
    priceTables: entriesOf('priceTables').map(Number),
    windows: entriesOf('windows').flatMap((text) => {
      const [, days, from, to] = windowText.exec(text) ?? []
      return days && from && to ? [{ days: [...days].map(Number), from, to }] : []
    }),
    holidays: entriesOf('holidays'),
    onHolidays,
  }
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const dayOf = (naive: number) => Math.floor(naive / (dayMinutes * minuteMs))
/** 1 Monday to 7 Sunday; day 0, 1 January 1970, was a Thursday. */
const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1

/** Whether a window covers a minute of a day: it started on this day, or on the day before and crosses midnight. */
function covers({ days, from, to }: NoVendWindow, day: number, minute: number): boolean {
  const start = minuteOf(from)
  const end = minuteOf(to)
  const crosses = end <= start
  if (days.includes(weekdayOf(day)) && minute >= start && (crosses || minute < end)) return true
  return crosses && days.includes(weekdayOf(day - 1)) && minute < end
}

/**
 * Whether the times of a profile apply at what the machine's clock shows, in milliseconds as if it were UTC (`domain/time/local-hour.ts`). The
 * clock on the wall decides: a skipped hour does not count, a repeated hour counts twice. A holiday lasts from midnight
 * to midnight, whenever its windows started.
 */
export function isNoVendTime(
  { windows, holidays, onHolidays }: Pick<MachineNoVend, 'windows' | 'holidays' | 'onHolidays'>,
  naive: number,
): boolean {
  const day = dayOf(naive)
  const rule: HolidayRule = onHolidays
  if (rule !== 'asUsual' && holidays.includes(new Date(naive).toISOString().slice(0, 10))) return rule === 'allDay'
  const minute = Math.floor(naive / minuteMs) - day * dayMinutes
  return windows.some((window) => covers(window, day, minute))
}

/** Whether a machine sells a selection from a price table at what its clock shows; null for a sale without a price table. */
export const isSold = (profile: MachineNoVend, selection: string, priceTable: number | null, naive: number): boolean =>
  !(
    (profile.selections.includes(selection) || (priceTable !== null && profile.priceTables.includes(priceTable))) &&
    isNoVendTime(profile, naive)
  )
