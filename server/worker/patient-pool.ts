import pg from 'pg'
import { keepTrying } from '../retry/backoff.ts'

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error) => void) => void

/**
 * A pool for libraries with their own loops. While the database is away, all callers wait for one attempt that the pool
 * repeats, so they neither fail nor retry.
 */
export class PatientPool extends pg.Pool {
  #isEnding = new AbortController()
  #return: Promise<void> | undefined

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const client = this.#connect()
    if (!callback) return client
    client.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    const { signal } = this.#isEnding
    for (;;) {
      if (this.#return) await this.#return
      try {
        return await super.connect()
      } catch (error) {
        if (signal.aborted) throw error
        this.#return ??= this.#untilBack().finally(() => {
          this.#return = undefined
        })
      }
    }
  }

  /** Resolves when a connection is ready. */
  #untilBack(): Promise<void> {
    return keepTrying(async () => (await super.connect()).release(), { signal: this.#isEnding.signal })
  }

  /** From here on a failed attempt rejects at once. */
  failFast(): void {
    this.#isEnding.abort()
  }
}
