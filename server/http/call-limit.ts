import type { FastifyReply } from 'fastify'
import { ProductError } from '#contract/errors.ts'

/** Seconds in which calls are counted. */
const windowSeconds = 60
/** Callers that are counted at a time. Beyond it the count starts again, which only lets more calls pass. */
const mostCallers = 50_000

/** Who is limited, each with the calls that are accepted in a minute. */
export type CallLimits = Readonly<Record<'token' | 'user', number>>

/**
 * Counts the calls of tokens and users, and says in the headers of each answer how many are left (draft-ietf-httpapi-ratelimit-headers-10).
 * Calls are counted in the memory of this process: a count in the database would cost more than most calls. Several processes accept as many
 * each; a proxy that spreads calls evenly multiplies the limit by their number.
 */
export function createCallLimit(limits: CallLimits) {
  let window = -1
  let calls = new Map<string, number>()
  /** Counts a call. Throws TooManyRequests above the limit, with the seconds until calls are accepted again in `Retry-After`. */
  return (reply: FastifyReply, kind: keyof CallLimits, caller: string, now = Date.now()): void => {
    const current = Math.floor(now / 1000 / windowSeconds)
    if (current !== window || calls.size >= mostCallers) {
      window = current
      calls = new Map()
    }
    const key = `${kind} ${caller}`
    const count = (calls.get(key) ?? 0) + 1
    calls.set(key, count)
    const most = limits[kind]
    const left = Math.max(0, most - count)
    const seconds = Math.ceil(((current + 1) * windowSeconds * 1000 - now) / 1000)
    reply.header('ratelimit-policy', `"${kind}";q=${most};w=${windowSeconds}`)
    reply.header('ratelimit', `"${kind}";r=${left};t=${seconds}`)
    if (count <= most) return
    reply.header('retry-after', String(seconds))
    throw new ProductError('TooManyRequests')
  }
}
export type CallLimit = ReturnType<typeof createCallLimit>
