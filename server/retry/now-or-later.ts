import { isDistributed } from '#database/frame/distributed.ts'
import { type BackoffLimits, createBackoff, keepTrying } from './backoff.ts'

/** Work at a start that needs all database nodes. */
export interface NowOrLater {
  /**
   * Does the work. Where a node is away, the work is tried again until it is done, and the machines of the other nodes are served meanwhile. Rejects on
   * one node, where the start waits for the database.
   */
  run(work: () => Promise<void>): Promise<void>
  stop(): void
}

const usual: BackoffLimits = { leastMs: 2_000, mostMs: 15_000 }

export function nowOrLater(onFailure: (error: unknown) => void, limits = usual): NowOrLater {
  const stopped = new AbortController()
  const { signal } = stopped
  return {
    async run(work) {
      try {
        await work()
      } catch (error) {
        if (!isDistributed()) throw error
        onFailure(error)
        void keepTrying(work, { signal, backoff: createBackoff(limits), onFailure }).catch(() => undefined)
      }
    },
    stop: () => stopped.abort(),
  }
}
