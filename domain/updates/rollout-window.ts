import type { RolloutWindow } from '#contract/updates/rollout-plan.ts'
import { windowIn } from '../commands/command-window.ts'
import { localDayOf } from '../time/local-hour.ts'
import { addDays } from '../time/period.ts'

export interface OpenWindow {
  opensAt: Date
  closesAt: Date
}

const minuteMs = 60_000

/** The windows that have not closed at an instant, by the clock of a zone: one for each local day, the nearest first. */
function* windowsFrom(window: RolloutWindow, timeZone: string, now: Date): Generator<OpenWindow, never> {
  // One over midnight is of the day before. Days are counted by the calendar: a day of 23 hours is not skipped.
  for (let day = addDays(localDayOf(now.getTime(), timeZone), -1); ; day = addDays(day, 1)) {
    const { notBefore, expiresAt } = windowIn(timeZone, { day, from: window.from, until: window.to })
    if (expiresAt > now) yield { opensAt: notBefore, closesAt: expiresAt }
  }
}

/**
 * The time that an update needs in a window, in milliseconds: its usual minutes, but at most half of the window, so that a short window is
 * of use too.
 */
const neededIn = ({ opensAt, closesAt }: OpenWindow, usualMinutes: number) =>
  Math.min(usualMinutes * minuteMs, (closesAt.getTime() - opensAt.getTime()) / 2)

/**
 * The window in which an update of so many minutes can start now, or else the next one. Without a window machines install at any time: null.
 * A window inside the hour that the clocks skip is as long as on other days; one in the repeated hour includes both.
 */
export function windowAt(
  window: RolloutWindow | null,
  timeZone: string,
  now: Date,
  usualMinutes = 0,
): OpenWindow | null {
  if (!window) return null
  for (const next of windowsFrom(window, timeZone, now))
    if (next.closesAt.getTime() - now.getTime() >= neededIn(next, usualMinutes)) return next
  return null
}

/** Whether a window is open, with enough of it left for an update of so many minutes. */
export function isOpenAt(window: RolloutWindow | null, timeZone: string, now: Date, usualMinutes = 0): boolean {
  const next = windowAt(window, timeZone, now, usualMinutes)
  return !next || next.opensAt <= now
}
