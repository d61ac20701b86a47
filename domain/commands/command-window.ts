import { instantsOf } from '../time/local-hour.ts'

/** The start and the expiry of a command. */
export interface CommandWindow {
  notBefore: Date
  expiresAt: Date
}

const dayMs = 86_400_000
const naiveOf = (day: string, time: string) => Date.parse(`${day}T${time}:00Z`)

/**
 * A stretch of a day by a zone's own clock (`2026-11-21`, `02:00` to `05:00`) as instants. An end that is not later than the
 * beginning is of the next day. Where the clocks are put back over it, it lasts from the first showing of its beginning to the
 * last of its end; where they are put forward over it, it is as long as it would have been, and never empty.
 */
export function windowIn(
  timeZone: string,
  { day, from, until }: { day: string; from: string; until: string },
): CommandWindow {
  const begins = naiveOf(day, from)
  const ends = naiveOf(day, until)
  const [first] = instantsOf(begins, timeZone)
  const closes = ends > begins ? ends : ends + dayMs
  const last = instantsOf(closes, timeZone).at(-1) ?? first
  // A window that begins in the skipped hour may end before the time that stands for its beginning.
  return { notBefore: new Date(first), expiresAt: new Date(last > first ? last : first + (closes - begins)) }
}
