import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
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
    async (db) =>
      (
        await sql<{ id: string; name: string; timeZone: string; since: Date | null }>`
          select m.id, m.name, m.time_zone as "timeZone", least(
            (select min(s.day) from packed_sales_days s where s.merchant_id = m.id)::timestamp at time zone m.time_zone,
            (select min(s.day) from open_sales_hourly s where s.merchant_id = m.id)::timestamp at time zone m.time_zone,
            (select min(c.hour) from cash_hourly c where c.merchant_id = m.id),
            (select min(t.created_at) from transactions t where t.merchant_id = m.id),
            (select min(r.at) from cash_readings r where r.merchant_id = m.id)) as since
          from merchants m where ${id === undefined ? sql`true` : sql`m.id = ${id}`} order by lower(m.name), m.id`.execute(
          db,
        )
      ).rows,
    'single statement',
  )

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
