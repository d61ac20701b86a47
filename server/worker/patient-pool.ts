import pg from 'pg'
import { keepTrying } from '../backoff.ts'

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error) => void) => void

/**
 * A pool for loops of libraries. While the database is away all callers wait for one attempt, which the pool
 * repeats; so they neither fail nor retry on their own.
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
      (own) => callback(undefined, own, (error) => own.release(error)),
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

  /** From now on callers do not wait: a failed attempt rejects at once. */
  loseItsPatience(): void {
    this.#isEnding.abort()
  }
}
