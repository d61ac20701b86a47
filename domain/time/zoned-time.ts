import { instantsOf, offsetAt } from './local-hour.ts'
import { isDay } from './period.ts'

/**
 * The moments at which a zone's wall clock shows a day and a time (`14:30`): one as a rule, two where the clocks are put back over
 * it, none where they are put forward over it. Nothing for what is no day or no time.
 */
export function momentsAt(day: string, time: string, timeZone: string): Date[] | undefined {
  if (!isDay(day) || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined
  const naive = Date.parse(`${day}T${time}:00Z`)
  return instantsOf(naive, timeZone)
    .filter((instant) => instant + offsetAt(instant, timeZone) === naive)
    .map((instant) => new Date(instant))
}

/** The local date and time of an instant, to the minute. */
export function wallAt(moment: Date, timeZone: string): { day: string; time: string } {
  const wall = new Date(moment.getTime() + offsetAt(moment.getTime(), timeZone)).toISOString()
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) }
}

/** The offset of a zone from UTC at an instant: `UTC+02:00`. */
export function writeOffset(moment: Date, timeZone: string): string {
  const minutes = offsetAt(moment.getTime(), timeZone) / 60_000
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  return `UTC${minutes < 0 ? '\u2212' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** A typed time of day, as `14:30`; also accepts 14.30, 1430 and 9. Undefined for an invalid time. */
export function readTime(text: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:[:.h ]?(\d{2}))?$/i.exec(text.trim()) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${hours.padStart(2, '0')}:${minutes}`
}

/**
 * A typed day of the calendar, as `2026-11-21`: day, month and year in the order of our six languages, parted by points, strokes
 * or blanks, or the ISO form. Two digits of a year are of this century.
 */
export function readDay(text: string): string | undefined {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})[./\s-]+(\d{1,2})[./\s-]+(\d{4}|\d{2})$/.exec(text.trim()) ?? []
  const iso = day ? `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.trim()
  return isDay(iso) ? iso : undefined
}
