import type { RolloutWindow } from '#contract/updates/rollout-plan.ts'
import { windowIn } from '../commands/command-window.ts'
import { localDayOf } from '../time/local-hour.ts'

const dayMs = 86_400_000

/**
 * The window that is open at an instant by the clock of a zone, or else the next one. Without a window machines install at any time: null.
 * A window inside the hour that the clocks skip is as long as on other days; one in the repeated hour includes both.
 */
export function windowAt(
  window: RolloutWindow | null,
  timeZone: string,
  now: Date,
): { opensAt: Date; closesAt: Date } | null {
  if (!window) return null
  for (let days = -1; ; days++) {
    const day = localDayOf(now.getTime() + days * dayMs, timeZone)
    const { notBefore, expiresAt } = windowIn(timeZone, { day, from: window.from, until: window.to })
    if (expiresAt > now) return { opensAt: notBefore, closesAt: expiresAt }
  }
}

export const isOpenAt = (window: RolloutWindow | null, timeZone: string, now: Date): boolean => {
  const next = windowAt(window, timeZone, now)
  return !next || next.opensAt <= now
}
