import { isoWeekdayOf } from '../time/period.ts'

/** Days of a route, or of a machine on it; a machine without days has those of its route. ISO weekdays, 1 Monday to 7 Sunday. */
type Days = readonly number[]

/** The days on which a route serves a machine. */
export const servedDays = (route: Days, stop: Days): number[] =>
  route.filter((day) => stop.length === 0 || stop.includes(day))

/** The days on which two routes serve the same machine. */
export const sharedDays = (one: { route: Days; stop: Days }, other: { route: Days; stop: Days }): number[] => {
  const days = servedDays(other.route, other.stop)
  return servedDays(one.route, one.stop).filter((day) => days.includes(day))
}

/** The machines of a route that a round of a day visits, in their order. Deleted machines are left out. */
export function stopsOn<Stop extends { days: Days; isDeleted: boolean }>(stops: readonly Stop[], day: string): Stop[] {
  const weekday = isoWeekdayOf(day) + 1
  return stops.filter(({ days, isDeleted }) => !isDeleted && (days.length === 0 || days.includes(weekday)))
}
