import { ProductError } from '#contract/errors.ts'
import { limits } from '#contract/frame/limits.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { countAttempt } from '#database/machines/association-attempt.ts'

/** Counts a call against its limit, under the key of whom it limits. Throws TooManyRequests above the limit. */
export async function limitAttempts(doors: Doors, limit: 'licenceMail', of: string, now: Date): Promise<void> {
  const { most, seconds } = limits[limit]
  const since = new Date(Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000)
  const [calls = 0] = await countAttempt(doors, [`${limit} of ${of}`], since)
  if (calls > most) throw new ProductError('TooManyRequests')
}
