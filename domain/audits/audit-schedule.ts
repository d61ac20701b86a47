import { instantsOf, offsetAt } from '../time/local-hour.ts'

const minute = 60_000
const day = 1440
/** A Monday, so that weekly schedules begin with the week. */
const firstMonday = Date.UTC(1970, 0, 5)

/**
 * When the present turn of a schedule began that comes every so many minutes of a zone's wall clock: within the day counted from
 * midnight, from a day on counted in whole turns from a Monday's midnight.
 */
export function turnOf(at: number, timeZone: string, everyMinutes: number): number {
  const wall = at + offsetAt(at, timeZone)
  const since = everyMinutes < day ? Math.floor(wall / (day * minute)) * day * minute : firstMonday
  const length = everyMinutes * minute
  const began = instantsOf(since + Math.floor((wall - since) / length) * length, timeZone)
  // In the hour that comes twice the later beginning may not have come yet.
  return began.findLast((instant) => instant <= at) ?? began[0]
}

/** Machines of a merchant are not asked all at once: over how many minutes of a turn they are spread. */
export const spreadOf = (everyMinutes: number): number => Math.max(1, Math.min(60, Math.floor(everyMinutes / 4)))
