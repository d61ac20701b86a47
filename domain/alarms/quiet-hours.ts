import { instantsOf, offsetAt } from '../time/local-hour.ts'

/** A part of a merchant's local day without notices. */
export interface QuietHours {
  /** Minutes of the local day. A period whose end is not after its start spans midnight. */
  from: number
  to: number
  /** ISO days (Monday is 1) on which it begins. */
  days: readonly number[]
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/**
 * The instant at which the quiet hours end that an instant lies in; null when it lies in none. What the wall clock shows decides: where
 * clocks are changed inside the stretch it is an hour longer or shorter. Stretches that meet are one.
 */
export function quietUntil(at: Date, quiet: QuietHours, zone: string): Date | null {
  let until: number | null = null
  // Seven stretches of a whole day that meet would never end; a week later is late enough.
  for (let count = 0; count < 7; count++) {
    const end = endOfStretch(until ?? at.getTime(), quiet, zone)
    if (end === null) break
    until = end
  }
  return until === null ? null : new Date(until)
}

function endOfStretch(instant: number, { from, to, days }: QuietHours, zone: string): number | null {
  const naive = instant + offsetAt(instant, zone)
  const today = Math.floor(naive / dayMs) * dayMs
  for (const day of [today - dayMs, today]) {
    // 1 January 1970 was a Thursday.
    const isoDay = ((day / dayMs + 3) % 7) + 1
    const start = day + from * minuteMs
    const end = day + to * minuteMs + (to <= from ? dayMs : 0)
    if (!days.includes(isoDay) || naive < start || naive >= end) continue
    return instantsOf(end, zone).find((each) => each > instant) ?? null
  }
  return null
}
