import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { when } from '#database/frame/conditions.ts'
import type { Doors, SystemDb } from '#database/frame/tenant.ts'
import { isAway } from '#database/frame/transient.ts'
import { type Difference, differencesOf, type HourlySums, rawTables, rewriteDay } from '#database/sums/recount.ts'
import { firstOf } from '#domain/insight/kpi-spans.ts'
import { localDayOf, startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays } from '#domain/time/period.ts'
import { createBackoff } from '../retry/backoff.ts'

export interface RollupOrder {
  /** All merchants when undefined. */
  merchantId?: string | undefined
  /** Local days of the merchant, both included. By default from the first day with sums or rows to today. */
  from?: string | undefined
  to?: string | undefined
  isCheck: boolean
}

export interface RollupDay {
  merchantName: string
  day: string
  /** Sums that differ from their rows. A rebuild corrects them. */
  different: Difference[]
  /** Sums whose raw rows are deleted: neither compared nor rewritten. */
  refused: HourlySums[]
}

const allSums = Object.keys(rawTables) as HourlySums[]
const attempts = 5

/** Compares daily sums with the sums of their rows. Rewrites wrong sums, unless it is a check. */
export async function* workRollups(doors: Doors, order: RollupOrder, now: Date): AsyncGenerator<RollupDay> {
  const dropped = await droppedBefore(doors)
  for (const merchant of await merchantsOf(doors, order.merchantId)) {
    const today = localDayOf(now.getTime(), merchant.timeZone)
    const first = order.from ?? (merchant.since ? localDayOf(merchant.since.getTime(), merchant.timeZone) : undefined)
    const last = order.to !== undefined && order.to < today ? order.to : today
    if (first === undefined) continue
    for (let day = first; day <= last; day = addDays(day, 1)) {
      const start = startOfLocalDay(day, merchant.timeZone)
      const refused = allSums.filter((table) => start < (dropped.get(rawTables[table])?.getTime() ?? 0))
      const due = { merchantId: merchant.id, timeZone: merchant.timeZone, day }
      const tables = allSums.filter((table) => !refused.includes(table))
      // Spans of KPIs once each: on their first day, or on the first day of the order.
      const withSpans = day === first || day === firstOf('tens', day)
      const different = await again(() => differencesOf(doors, due, tables, { withSpans }))
      if (different.length > 0 && !order.isCheck) await again(() => rewriteDay(doors, due, tables))
      yield { merchantName: merchant.name, day, different, refused }
    }
  }
}

/** A selection whose books do not add up. */
export interface WrongBooks {
  merchantName: string
  machineName: string
  selection: string
  balance: number
  sum: number
}

/** Selections whose balance is not the sum of their movements. Only added to, movements are never rebuilt. */
export async function wrongBooks(doors: Doors, merchantId: string | undefined): Promise<WrongBooks[]> {
  const wrong: WrongBooks[] = []
  for (const { id, name } of await merchantsOf(doors, merchantId)) {
    const rows = await doors.withSystem('rollups', (db) => wrongBooksOf(db, id), 'single statement')
    wrong.push(...rows.map((row) => ({ merchantName: name, ...row })))
  }
  return wrong
}

const wrongBooksOf = async (db: SystemDb, id: string) =>
  (
    await sql<Omit<WrongBooks, 'merchantName'>>`
      with moved as (
        select movement.machine_id, movement.selection, sum(movement.amount)::int as sum from stock_entries movement
        where movement.merchant_id = ${id} group by 1, 2
      ), known as (
        select stock.machine_id, stock.selection, stock.balance, stock.carried from machine_stock stock
        where stock.merchant_id = ${id}
      )
      select machine.name as "machineName", selection, coalesce(known.balance, 0) as balance,
        coalesce(known.carried, 0) + coalesce(moved.sum, 0) as sum
      from known full join moved using (machine_id, selection) join machines machine on machine.id = machine_id
      where machine.merchant_id = ${id}
        and coalesce(known.balance, 0) <> coalesce(known.carried, 0) + coalesce(moved.sum, 0)
      order by lower(machine.name), selection`.execute(db)
  ).rows

/** The date before which the rows of each table have been dropped. */
const droppedBefore = (doors: Doors): Promise<Map<string, Date>> =>
  doors.withSystem(
    'rollups',
    async (db) => {
      const { rows } = await sql<{ name: string; at: Date }>`
        select table_name as name, max(ends_at) as at from dropped_partitions group by 1`.execute(db)
      return new Map(rows.map(({ name, at }) => [name, at]))
    },
    'single statement',
  )

const merchantsOf = (doors: Doors, id: string | undefined) =>
  doors.withSystem(
    'rollups',
    async (db) => {
      const merchants = await db
        .selectFrom('merchants')
        .where(when(id, (one) => sql<boolean>`id = ${one}::uuid`))
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .select(['id', 'name', 'time_zone as timeZone'])
        .execute()
      const found: ((typeof merchants)[number] & { since: Date | null })[] = []
      for (const merchant of merchants) found.push({ ...merchant, since: await firstRow(db, merchant) })
      return found
    },
    'single statement',
  )

/** The first instant of which a merchant has rows. */
async function firstRow(db: SystemDb, { id, timeZone }: { id: string; timeZone: string }): Promise<Date | null> {
  const first = (table: string, column: string) =>
    sql`(select min(${sql.ref(column)}) from ${sql.table(table)} where merchant_id = ${id}::uuid)`
  const { rows } = await sql<{ since: Date | null }>`select least(
    ${first('packed_sales_days', 'day')}::timestamp at time zone ${timeZone}::text,
    ${first('open_sales_hourly', 'day')}::timestamp at time zone ${timeZone}::text,
    ${first('cash_hourly', 'hour')}, ${first('transactions', 'created_at')}, ${first('cash_readings', 'at')}) as since`.execute(
    db,
  )
  return rows[0]?.since ?? null
}

/** A concurrent write was faster, such as a newly attached machine: retry. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  const backoff = createBackoff()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isDouble = (error as { code?: unknown }).code === '23505'
      if (attempt === attempts || !(isDouble || isAway(error))) throw error
      await pause(backoff.failed())
    }
  }
}
