import type { Doors } from '#database/frame/tenant.ts'
import { crowdedDays, daysToPack, dueDays, packGroups, packSettled, sumUpDay } from '#database/sums/sum-up.ts'

/** Days per query; the next query takes the rest. */
const daysAtOnce = 1000

/**
 * Sums up ended days and days with late data, and packs the settled hours of crowded ones. A merchant that another process has locked, or a day to which an item was added
 * meanwhile, waits for the next call, and so do the later days of that merchant: days are due from the one after the last.
 */
export async function sumUpDays(doors: Doors, now: Date): Promise<number> {
  let done = 0
  const waiting = new Set<string>()
  for (const due of await dueDays(doors, now, daysAtOnce)) {
    if (waiting.has(due.merchantId)) continue
    if (await unlessChanged(() => sumUpDay(doors, due))) done++
    else waiting.add(due.merchantId)
  }
  for (const day of await daysToPack(doors, daysAtOnce)) await unlessChanged(() => packGroups(doors, day))
  for (const day of await crowdedDays(doors, now)) await unlessChanged(() => packSettled(doors, day, now))
  return done
}

/** SQLSTATEs of a transaction that lost against another: its snapshot is outdated, both waited for each other, or it waited for too long. */
const lost = ['40001', '40P01', '55P03']

async function unlessChanged(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (lost.includes(String((error as { code?: unknown }).code))) return false
    throw error
  }
}
