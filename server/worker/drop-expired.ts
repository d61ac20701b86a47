import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Doors } from '#database/frame/tenant.ts'
import { isAway } from '#database/frame/transient.ts'
import type { Retention, RetentionTable } from '#domain/frame/retention.ts'

/** Asks so often for a table that is in use, for as long as a report may take; then it is left for the next time. */
const attempts = 20
const pauseMs = 500

/**
 * Drops expired months and returns their names. It waits for the database's lock time-out (200 ms); while a reader
 * holds a lock, it is retried. Any number of workers may run it at once.
 */
export async function dropExpired(
  doors: Doors,
  retention: Retention,
  now: Date,
  options: { pauseMs?: number } = {},
): Promise<{ dropped: string[]; busy: RetentionTable[] }> {
  const dropped: string[] = []
  const busy: RetentionTable[] = []
  for (const [table, months] of Object.entries(retention) as [RetentionTable, number][]) {
    const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
    for (let attempt = 1; ; ) {
      try {
        const name = await dropOldest(doors, table, before)
        if (name === null) break
        dropped.push(name)
      } catch (error) {
        if (!isAway(error)) throw error
        if (attempt++ === attempts) {
          busy.push(table)
          break
        }
        await pause((options.pauseMs ?? pauseMs) * (0.5 + Math.random()))
      }
    }
  }
  return { dropped, busy }
}

const dropOldest = (doors: Doors, table: RetentionTable, before: Date): Promise<string | null> =>
  doors.withSystem(
    'partitions',
    async (db) => {
      const { rows } = await sql<{ name: string | null }>`select drop_partition(${table}, ${before}) as name`.execute(
        db,
      )
      return rows[0]?.name ?? null
    },
    'single statement',
  )
