import pg from 'pg'
import { keepTrying } from '../retry/backoff.ts'

/** A database connection that is reopened whenever it breaks. */
export interface HeldConnection {
  /** Undefined while disconnected. */
  readonly client: pg.Client | undefined
  close(): Promise<void>
}

/** Time-out for a connection attempt: a dying database may never answer. */
const openMs = 10_000

/**
 * Holds one connection for as long as this process runs. Rejects if the first attempt fails. Later attempts run one at a
 * time with growing pauses; each asks for its address. `prepare` runs on each new connection before it is used, `onRefused` after an attempt that failed.
 */
export async function holdConnection(
  configOf: () => pg.ClientConfig,
  handlers: {
    prepare(client: pg.Client): Promise<unknown>
    onLost?(error: Error | undefined): void
    onBack?(): void
    onRefused?(error: unknown): Promise<void>
  },
): Promise<HeldConnection> {
  const stopped = new AbortController()
  const { signal } = stopped
  let current: pg.Client | undefined

  async function open(): Promise<void> {
    const next = new pg.Client({ keepAlive: true, connectionTimeoutMillis: openMs, ...configOf() })
    let isBroken = false
    const onEnd = (error?: Error) => {
      isBroken = true
      // A failed attempt ends too; reconnect only after a connection that was established.
      if (current === next) lose(error)
    }
    next.on('error', onEnd)
    next.on('end', onEnd)
    try {
      await next.connect()
      await handlers.prepare(next)
      if (isBroken) throw new Error('The connection ended during preparation')
      signal.throwIfAborted()
    } catch (error) {
      next.end().catch(() => {})
      await handlers.onRefused?.(error).catch(() => {})
      throw error
    }
    current = next
  }

  function lose(error: Error | undefined): void {
    current = undefined
    if (signal.aborted) return
    handlers.onLost?.(error)
    keepTrying(open, { signal }).then(
      () => handlers.onBack?.(),
      // Stopped meanwhile.
      () => {},
    )
  }

  await open()
  return {
    get client() {
      return current
    },
    async close() {
      stopped.abort()
      const last = current
      current = undefined
      await last?.end().catch(() => {})
    },
  }
}
