import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Doors, SystemDb } from '#database/frame/tenant.ts'
import { isAway } from '#database/frame/transient.ts'
import type { Retention, RetentionTable } from '#domain/frame/retention.ts'

/** Maximum attempts for a table in use, for as long as a report may take. Then it waits for the next run. */
const attempts = 20
const pauseMs = 500

/**
 * Drops expired months and returns their names. Each attempt waits for the database's lock time-out (200 ms) and is
 * repeated while a reader holds a lock. Several workers may run it at once.
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
      if (table in carried) await carryOldest(db, table as keyof typeof carried, before)
      const { rows } = await sql<{ name: string | null }>`select drop_partition(${table}, ${before}) as name`.execute(
        db,
      )
      return rows[0]?.name ?? null
    },
    table in carried ? 'transaction' : 'single statement',
  )

/** What a merchant's rows before an instant moved, by table; a sale is a movement of each selection that it lowered. */
const carried = {
  stock_movements: (merchantId: string, before: Date) =>
    sql`select movement.machine_id, movement.selection, sum(movement.amount)::int as sum from stock_movements movement
      where movement.merchant_id = ${merchantId} and movement.at < ${before} group by 1, 2`,
  transactions: (merchantId: string, before: Date) =>
    sql`select sale.machine_id, lowered.selection, -count(*)::int as sum from transactions sale
      cross join lateral (values (case when sale.lowers_line then sale.price_line::text end), (sale.lowers_total)) lowered (selection)
      where sale.merchant_id = ${merchantId} and sale.created_at < ${before} and lowered.selection is not null group by 1, 2`,
}

/** Sums the movements of the next month to drop, because a balance is the sum of all movements. */
async function carryOldest(db: SystemDb, table: keyof typeof carried, before: Date): Promise<void> {
  // As in drop_partition, so that no two workers carry the same month.
  await sql`select pg_advisory_xact_lock(hashtext('gettone.partitions'))`.execute(db)
  const { rows } = await sql<{ endsAt: Date }>`
    select bounds.ends_at as "endsAt" from pg_class parent join pg_inherits on inhparent = parent.oid join pg_class child on child.oid = inhrelid
    cross join lateral (
      select substring(pg_get_expr(child.relpartbound, child.oid) from $re$TO \\('([^']+)'\\)$re$)::timestamptz as ends_at
    ) bounds
    where parent.relname = ${table} and parent.relnamespace = 'public'::regnamespace and bounds.ends_at <= ${before}
    order by 1 limit 1`.execute(db)
  const [oldest] = rows
  if (!oldest) return
  // Each statement names its merchant, as on a distributed database.
  for (const { id } of await db.selectFrom('merchants').select('id').orderBy('id').execute())
    await sql`update machine_stock stock set carried = stock.carried + dropped.sum
      from (${carried[table](id, oldest.endsAt)}) dropped
      where stock.merchant_id = ${id} and stock.machine_id = dropped.machine_id and stock.selection = dropped.selection`.execute(
      db,
    )
}
