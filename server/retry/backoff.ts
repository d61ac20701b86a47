import { setTimeout as pause } from 'node:timers/promises'

export interface BackoffLimits {
  /** After the first failure. */
  leastMs: number
  mostMs: number
}

/** A service is found again within three seconds of its return. */
export const usualLimits: BackoffLimits = { leastMs: 250, mostMs: 3_000 }

/**
 * The wait after consecutive failures doubles each time, up to a limit. A random part of up to half is subtracted, so that
 * clients do not retry together.
 */
export interface Backoff {
  /** Notes a failure. Returns the milliseconds to wait. */
  failed(): number
  /** Resets the wait. */
  worked(): void
  /** Whether the wait after the last failure is over. */
  isDue(): boolean
}

export function createBackoff({ leastMs, mostMs }: BackoffLimits = usualLimits): Backoff {
  let failures = 0
  let dueAt = 0
  return {
    failed() {
      const waitMs = Math.min(mostMs, leastMs * 2 ** failures) * (0.5 + Math.random() / 2)
      failures += 1
      dueAt = performance.now() + waitMs
      return waitMs
    },
    worked() {
      failures = 0
      dueAt = 0
    },
    isDue: () => performance.now() >= dueAt,
  }
}

/** Retries until it succeeds, one attempt at a time. Rejects when `signal` is aborted, and on an error that no retry can fix. */
export async function keepTrying<T>(
  attempt: () => Promise<T>,
  options: {
    signal: AbortSignal
    backoff?: Backoff
    isWorthAnother?: (error: unknown) => boolean
    onFailure?: (error: unknown) => void
  },
): Promise<T> {
  const { signal, backoff = createBackoff(), isWorthAnother = () => true, onFailure } = options
  for (;;) {
    signal.throwIfAborted()
    try {
      const result = await attempt()
      backoff.worked()
      return result
    } catch (error) {
      if (signal.aborted || !isWorthAnother(error)) throw error
      onFailure?.(error)
      await pause(backoff.failed(), undefined, { signal })
    }
  }
}
