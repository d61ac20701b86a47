import { ProductError } from '#contract/errors.ts'
import { type Limit, limits } from '#contract/frame/limits.ts'
import { countCall } from '#database/frame/call-count.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { networkOf } from '#domain/frame/network-site.ts'

/** Counts a call by its limit and network. Throws TooManyRequests above the limit. */
export type NetworkLimit = (limit: Limit, address: string, now: Date) => Promise<void>

/**
 * Limits public calls by the caller's network. Calls are counted in the memory of this process: a count in the database would cost more than most
 * of them. Calls that guess at secrets (`isShared`) are also counted in the database, for all processes together.
 */
export function createNetworkLimit(doors: Doors): NetworkLimit {
  const counts = new Map<Limit, { since: number; calls: Map<string, number> }>()
  return async (limit, address, now) => {
    const { most, seconds } = limits[limit]
    if (seconds === null) throw new Error(`${limit} has no interval.`)
    const since = Math.floor(now.getTime() / (seconds * 1000))
    let current = counts.get(limit)
    if (current?.since !== since) counts.set(limit, (current = { since, calls: new Map() }))
    const network = networkOf(address)
    const calls = (current.calls.get(network) ?? 0) + 1
    current.calls.set(network, calls)
    if (calls > most) throw new ProductError('TooManyRequests')
    if (!('isShared' in limits[limit])) return
    const all = await countCall(doors, limit, network, new Date(since * seconds * 1000))
    if (all <= most) return
    // Further calls are refused here, without the database.
    current.calls.set(network, all)
    throw new ProductError('TooManyRequests')
  }
}
