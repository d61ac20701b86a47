import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { isAway } from '#database/frame/transient.ts'
import { dropMonth, isArchiveBehind, type Month, oldestMonth } from '#database/insight/archived-month.ts'
import type { Retention, RetentionTable } from '#domain/frame/retention.ts'
import { type ArchiveServices, archiveMonth } from '../archive/archive-month.ts'

/** Maximum attempts for a table in use, for as long as a report may take. Then it waits for the next run. */
const attempts = 20
const pauseMs = 500

export interface Dropped {
  /** Names of the dropped partitions. */
  dropped: string[]
  busy: RetentionTable[]
  /** Tables whose months could not be archived, so that they stay. */
  failed: { table: RetentionTable; error: unknown }[]
}

/**
 * Moves expired months to files and drops them. Each attempt to drop waits for the database's lock time-out (200 ms) and is repeated while
 * a reader holds a lock. Several workers may run it at once: one works, the others do nothing.
 */
export const dropExpired = (
  services: ArchiveServices,
  retention: Retention,
  now: Date,
  options: { pauseMs?: number } = {},
): Promise<Dropped> =>
  services.doors.withSystem('partitions', async (db) => {
    const result: Dropped = { dropped: [], busy: [], failed: [] }
    const { rows } = await sql<{ isFirst: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('gettone.archive')) as "isFirst"`.execute(db)
    if (!rows[0]?.isFirst) return result
    for (const [table, months] of Object.entries(retention) as [RetentionTable, number][]) {
      const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
      await dropTable(services, table, before, result, options.pauseMs ?? pauseMs).catch((error: unknown) => {
        result.failed.push({ table, error })
      })
    }
    return result
  })

async function dropTable(
  services: ArchiveServices,
  table: RetentionTable,
  before: Date,
  result: Dropped,
  pauseOf: number,
): Promise<void> {
  for (;;) {
    const month = await oldestMonth(services.doors, table, before)
    if (!month) return
    const name = await moveMonth(services, month, pauseOf)
    if (name === undefined) {
      result.busy.push(table)
      return
    }
    if (name !== null) result.dropped.push(name)
  }
}

/** Returns the name of the dropped partition; undefined if its table stays in use. */
async function moveMonth(services: ArchiveServices, month: Month, pauseOf: number): Promise<string | null | undefined> {
  let archived = await archiveMonth(services, month)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await dropMonth(services.doors, month, archived, new Date())
    } catch (error) {
      if (isArchiveBehind(error)) archived = await archiveMonth(services, month)
      else if (!isAway(error)) throw error
      if (attempt < attempts) await pause(pauseOf * (0.5 + Math.random()))
    }
  }
  return undefined
}
