import { setTimeout as pause } from 'node:timers/promises'

export interface BackoffLimits {
  /** After the first failure. */
  leastMs: number
  mostMs: number
}

/** What was away is found again within three seconds of its return. */
export const usualLimits: BackoffLimits = { leastMs: 250, mostMs: 3_000 }

/** How long to wait after failures in a row: twice as long each time, up to a limit. Chance takes up to half off, so that many do not come at once. */
export interface Backoff {
  /** Notes a failure; answers how many milliseconds to wait. */
  failed(): number
  /** The next failure is a first one again. */
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

/**
 * Tries until it works, one attempt at a time. Rejects when `signal` is aborted, and with an error that is not worth another attempt.
 */
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
