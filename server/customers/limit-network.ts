import { ProductError } from '#contract/errors.ts'
import { type Limit, limits } from '#contract/frame/limits.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { countAttempt } from '#database/machines/association-attempt.ts'
import { siteOf } from '#domain/frame/network-site.ts'

/** Counts a public call from a network. Throws TooManyRequests above the limit. */
export async function limitNetwork(
  doors: Doors,
  limit: Extract<Limit, 'customerLink' | 'customerSignIn' | 'machinePage'>,
  address: string,
  now: Date,
): Promise<void> {
  const { most, seconds } = limits[limit]
  const since = new Date(Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000)
  const [calls = 0] = await countAttempt(doors, [`${limit} from ${siteOf(address)}`], since)
  if (calls > most) throw new ProductError('TooManyRequests')
}
