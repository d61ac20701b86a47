import { offsetAt } from '#domain/time/local-hour.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The wall clock of a time zone, quick enough for a million readings. Instants are milliseconds. */
export interface ZoneClock {
  /** What the clock shows, in milliseconds as if it were UTC. */
  wall(at: number): number
  /** `2026-11-21T08:00:00.000`, as a machine in that zone would print it. */
  local(at: number): string
  /** The hour of the local week, from Monday 00:00 (0) to Sunday 23:00 (167). */
  weekHour(at: number): number
  /** Minutes since local midnight. */
  minuteOfDay(at: number): number
}

export function zoneClock(timeZone: string): ZoneClock {
  const wallOf = (at: number) => at + offsetAt(at, timeZone)
  const dates = new Map<number, string>()
  function dateOf(day: number): string {
    let date = dates.get(day)
    if (date === undefined) {
      if (dates.size > 5000) dates.clear()
      date = new Date(day * dayMs).toISOString().slice(0, 11)
      dates.set(day, date)
    }
    return date
  }
  return {
    wall: wallOf,
    local(at) {
      const wall = wallOf(at)
      const day = Math.floor(wall / dayMs)
      return dateOf(day) + timeOfDay(wall - day * dayMs)
    },
    // 1 January 1970 was a Thursday.
    weekHour: (at) => (Math.floor(wallOf(at) / hourMs) + 3 * 24) % 168,
    minuteOfDay: (at) => Math.floor((wallOf(at) % dayMs) / 60_000),
  }
}

const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'))

function timeOfDay(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const rest = three[Math.floor(milliseconds - seconds * 1000)]
  return `${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}.${rest}`
}
