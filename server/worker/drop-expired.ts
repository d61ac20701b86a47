import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SystemDb } from '#database/frame/tenant.ts'
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
      return await services.doors.withSystem('partitions', async (db) => {
        if (month.table in carried) await carry(db, month)
        return dropMonth(db, month, archived, new Date())
      })
    } catch (error) {
      if (isArchiveBehind(error)) archived = await archiveMonth(services, month)
      else if (!isAway(error)) throw error
      if (attempt < attempts) await pause(pauseOf * (0.5 + Math.random()))
    }
  }
  return undefined
}

/** What a merchant's rows before an instant moved, by table; a sale is a movement of each selection that it lowered. */
const carried: { readonly [table in RetentionTable]?: (merchantId: string, before: Date) => ReturnType<typeof sql> } = {
  stock_movements: (merchantId, before) =>
    sql`select movement.machine_id, movement.selection, sum(movement.amount)::int as sum from stock_movements movement
      where movement.merchant_id = ${merchantId} and movement.at < ${before} group by 1, 2`,
  transactions: (merchantId, before) =>
    sql`select sale.machine_id, lowered.selection, -count(*)::int as sum from transactions sale
      cross join lateral (values (case when sale.lowers_line then sale.price_line::text end), (sale.lowers_total)) lowered (selection)
      where sale.merchant_id = ${merchantId} and sale.created_at < ${before} and lowered.selection is not null group by 1, 2`,
}

/** Sums the movements of a month to drop, because a balance is the sum of all movements. */
async function carry(db: SystemDb, { table, to }: Month): Promise<void> {
  const dropped = carried[table]
  if (!dropped) return
  // As in drop_partition, so that no two workers carry the same month.
  await sql`select pg_advisory_xact_lock(hashtext('gettone.partitions'))`.execute(db)
  // Each statement names its merchant, as on a distributed database.
  for (const { id } of await db.selectFrom('merchants').select('id').orderBy('id').execute())
    await sql`update machine_stock stock set carried = stock.carried + dropped.sum
      from (${dropped(id, to)}) dropped
      where stock.merchant_id = ${id} and stock.machine_id = dropped.machine_id and stock.selection = dropped.selection`.execute(
      db,
    )
}
