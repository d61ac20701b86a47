import type { Doors } from '#database/frame/tenant.ts'
import { dueDays, sumUpDay } from '#database/sales/sum-up.ts'

/** Days of merchants that are looked for at once; the next look takes the rest. */
const daysAtOnce = 1000

/**
 * Sums up the days that have ended and the days with late data. A merchant locked by another process is left for
 * later.
 */
export async function sumUpDays(doors: Doors, now: Date): Promise<number> {
  let done = 0
  for (const due of await dueDays(doors, now, daysAtOnce)) if (await sumUpDay(doors, due)) done++
  return done
}
