import { ProductError } from '#contract/errors.ts'
import { type Limit, limits } from '#contract/frame/limits.ts'
import { networkOf } from '#domain/frame/network-site.ts'

/** Counts calls in one process, by limit and network. */
export type NetworkLimit = (limit: Limit, address: string, now: Date) => void

/**
 * Limits public calls by the caller's network. They are counted in memory: a count in the database would cost more than the calls. With several
 * processes, a network has the limit at each of them. Throws TooManyRequests.
 */
export function createNetworkLimit(): NetworkLimit {
  const counts = new Map<Limit, { since: number; calls: Map<string, number> }>()
  return (limit, address, now) => {
    const { most, seconds } = limits[limit]
    if (seconds === null) throw new Error(`${limit} has no interval.`)
    const since = Math.floor(now.getTime() / (seconds * 1000))
    let current = counts.get(limit)
    if (current?.since !== since) counts.set(limit, (current = { since, calls: new Map() }))
    const network = networkOf(address)
    const calls = (current.calls.get(network) ?? 0) + 1
    current.calls.set(network, calls)
    if (calls > most) throw new ProductError('TooManyRequests')
  }
}
