import type { Doors } from '#database/frame/tenant.ts'
import { dueDays, sumUpDay } from '#database/sums/sum-up.ts'

/** Days per query; the next query takes the rest. */
const daysAtOnce = 1000

/** Sums up ended days and days with late data. Skips a merchant locked by another process. */
export async function sumUpDays(doors: Doors, now: Date): Promise<number> {
  let done = 0
  for (const due of await dueDays(doors, now, daysAtOnce)) if (await sumUpDay(doors, due)) done++
  return done
}
