import type { periodPresets } from '#contract/frame/period.ts'

export type PeriodPreset = (typeof periodPresets)[number]

/** Calendar days in the merchant's zone (`2026-11-21`), both included. */
export interface Period {
  startDate: string
  endDate: string
}

const dayMs = 86_400_000
const atNoon = (day: string) => new Date(`${day}T12:00:00Z`)
const written = (date: Date) => date.toISOString().slice(0, 10)

/** The calendar day an instant falls on in a zone. */
export const dayIn = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

/** A later day, or an earlier one for a negative number. */
export const addDays = (day: string, days: number): string => written(new Date(atNoon(day).getTime() + days * dayMs))

/** The weekday of a day, from 0 for Monday. */
export const isoWeekdayOf = (day: string): number => (atNoon(day).getUTCDay() + 6) % 7

/** The Monday of a day's week (ISO 8601). */
export const mondayOf = (day: string): string => addDays(day, -isoWeekdayOf(day))

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** "The last N days" everywhere: whole calendar days, ending with and including `last`. */
export const lastDays = (days: number, last: string): Period => ({ startDate: addDays(last, 1 - days), endDate: last })

/** Machines may send the items of a day this long after its end; then the day is summed up. */
export const closingMs = 60 * 60_000

/** The last day that has ended in a zone, with the items sent at its end. */
export const lastEndedDay = (now: Date, timeZone: string): string =>
  addDays(dayIn(new Date(now.getTime() - closingMs), timeZone), -1)

/** Number of days in a period, both ends counted. */
export const daysIn = ({ startDate, endDate }: Period): number =>
  Math.round((atNoon(endDate).getTime() - atNoon(startDate).getTime()) / dayMs) + 1

/** The days a preset means now. */
export const periodOf = (preset: PeriodPreset, now: Date, timeZone: string): Period =>
  periodOn(preset, dayIn(now, timeZone))

/** The days a preset means on a day. "This week" and "this month" end on it; the last 7 days include it. */
export function periodOn(preset: PeriodPreset, today: string): Period {
  const monday = mondayOf(today)
  const first = firstOfMonth(today)
  switch (preset) {
    case 'today':
      return { startDate: today, endDate: today }
    case 'yesterday':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) }
    case 'last7Days':
      return lastDays(7, today)
    case 'thisWeek':
      return { startDate: monday, endDate: today }
    case 'previousWeek':
      return { startDate: addDays(monday, -7), endDate: addDays(monday, -1) }
    case 'thisMonth':
      return { startDate: first, endDate: today }
    case 'previousMonth':
      return { startDate: firstOfMonth(addDays(first, -1)), endDate: addDays(first, -1) }
  }
}

/** The days that a time chart draws for a period: "this week" is seven days, future days empty. */
export const chartPeriod = (preset: string | undefined, period: Period): Period =>
  preset === 'thisWeek' ? { ...period, endDate: addDays(period.startDate, 6) } : period

/** Whether a text is a valid day: `2026-02-30` is not. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(atNoon(text).getTime()) && written(atNoon(text)) === text
