import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { vendsOf } from '#domain/sales/sale.ts'
import { hoursOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, closingMs, dayIn } from '#domain/time/period.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type DowntimeRecord, downtimeWithin } from './downtime.ts'
import { type Amounts, addToGroups, amounts, type KindOfSales, summedGroup, sumsOfAmounts } from './group-hours.ts'
import { writeKpis } from './kpi-days.ts'
import { openBefore, packDay, packHours } from './packing.ts'
import { sumsLock } from './sums-lock.ts'
import { moveToDate, packedOn, toDateParts } from './to-date.ts'

export interface DueDay {
  merchantId: string
  timeZone: string
  day: string
}

/**
 * Ended days that have not been summed up, have changed since, or were summed up by a program without sums to date; the oldest first, so that none is
 * left out.
 */
export async function dueDays(doors: Doors, now: Date, limit: number): Promise<DueDay[]> {
  const closedBefore = new Date(now.getTime() - closingMs)
  return doors.withSystem(
    'rollups',
    async (db) => {
      // Every merchant has settings: sub-selects of rows on the same node are supported where the row outside them is on one node too.
      const { rows: merchants } = await sql<{ merchantId: string; timeZone: string; first: string | null }>`
        select settings.merchant_id as "merchantId", m.time_zone as "timeZone", coalesce(
          (select max(s.day) + 1 from summed_days s where s.merchant_id = settings.merchant_id),
          least((select min(h.day) from open_sales_hourly h where h.merchant_id = settings.merchant_id),
            (select min(p.day) from packed_sales_days p where p.merchant_id = settings.merchant_id)))::text as first
        from merchant_settings settings join merchants m on m.id = settings.merchant_id`.execute(db)
      const { rows: changed } = await sql<{ merchantId: string; day: string }>`
        select merchant_id as "merchantId", day::text as day from changed_days order by day limit ${changedAtOnce}`.execute(
        db,
      )
      const { rows: withoutToDate } = await sql<{ merchantId: string; day: string }>`
        select merchant_id as "merchantId", day::text as day from summed_days where to_date_at is distinct from summed_at
        order by day limit ${changedAtOnce}`.execute(db)
      const changedOf = Map.groupBy([...changed, ...withoutToDate], ({ merchantId }) => merchantId)
      const due = merchants.flatMap(({ merchantId, timeZone, first }) => {
        const last = addDays(dayIn(closedBefore, timeZone), -1)
        const days = new Set((changedOf.get(merchantId) ?? []).map(({ day }) => day).filter((day) => day <= last))
        for (let day = first; day !== null && day <= last && days.size <= changedAtOnce; day = addDays(day, 1))
          days.add(day)
        return [...days].map((day) => ({ merchantId, timeZone, day }))
      })
      return due.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(0, limit)
    },
    'single statement',
  )
}

/** At most this many changed days are read, and as many ended days of a merchant. */
const changedAtOnce = 10_000

const keyOf = ({ day, merchantId }: DueDay) => `${day} ${merchantId}`

/**
 * Sums up a merchant's day from its hours, with its hours of downtime and its KPIs, and packs the hours. The transaction uses one snapshot, so that
 * later changes of the day keep their mark; it fails if one of its hours changes meanwhile. False if another process works on the merchant's sums.
 */
export const sumUpDay = (doors: Doors, due: DueDay): Promise<boolean> =>
  inSnapshot(doors, due.merchantId, (db) => writeDay(db, due))

/**
 * The longest that summing up waits for a gateway's row. Both lock rows of one day, each in an order of its own, so a gateway would wait for this
 * transaction while it waits for the gateway. PostgreSQL ends a transaction that has waited for a second (`deadlock_timeout`): the gateway's.
 */
const patienceMs = 200

/** Works on a merchant's sums in one snapshot; false if another process does. */
function inSnapshot(doors: Doors, merchantId: string, work: (db: TenantDb) => Promise<void>): Promise<boolean> {
  const scope = [{ merchantId, groups: 'all' as const }]
  return doors.withTenant(scope, async (holding) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${sumsLock(merchantId)}) as mine`.execute(holding.query)
    if (!rows[0]?.mine) return false
    // An outer transaction holds the lock: this one's snapshot must begin after the last holder's commit.
    await doors.withTenant(scope, async (db) => {
      await sql`set transaction isolation level repeatable read`.execute(db.query)
      await sql`set local lock_timeout = ${sql.lit(`${patienceMs}ms`)}`.execute(db.query)
      await work(db)
    })
    return true
  })
}

/** Days that have been summed up, to whose groups hours were added since, by machines that changed their group. */
export async function daysToPack(doors: Doors, limit: number): Promise<Pick<DueDay, 'merchantId' | 'day'>[]> {
  return doors.withSystem(
    'rollups',
    async (db) =>
      (
        await sql<Pick<DueDay, 'merchantId' | 'day'>>`
          select distinct o.merchant_id as "merchantId", o.day::text as day from open_group_sales_hourly o
          join summed_days s on s.merchant_id = o.merchant_id and s.day = o.day
          where o.slot >= 0 order by 2, 1 limit ${limit}`.execute(db)
      ).rows,
    'single statement',
  )
}

/** Packs the hours of a day's groups, as `sumUpDay`. */
export const packGroups = (doors: Doors, { merchantId, day }: Pick<DueDay, 'merchantId' | 'day'>): Promise<boolean> =>
  inSnapshot(doors, merchantId, (db) => packDay(db, 'group', merchantId, day))

/** Open hours of machines from which it pays to pack them before the day has ended. */
const manyHours = 10_000
/** Hours that have ended for so long are packed: machines rarely add to them. */
const settledMs = 10 * 60_000

/** Days with many open hours of machines, which are packed while the day is running: readers add open hours one by one. */
export async function crowdedDays(
  doors: Doors,
  now: Date,
  least = manyHours,
): Promise<Pick<DueDay, 'merchantId' | 'day'>[]> {
  return doors.withSystem(
    'rollups',
    async (db) =>
      (
        await sql<Pick<DueDay, 'merchantId' | 'day'>>`
          select o.merchant_id as "merchantId", o.day::text as day from open_sales_hourly o
          where o.hour < ${settledBefore(now)} group by 1, 2 having count(*) >= ${least}::bigint order by 2, 1`.execute(
          db,
        )
      ).rows,
    'single statement',
  )
}

/** Hours that begin before this instant have settled. */
const settledBefore = (now: Date) => new Date(now.getTime() - 3_600_000 - settledMs)

/**
 * Packs the settled hours of machines on a day, and adds them to the day's sums by machine and product: the sums of a day are those of its packed hours
 * at any moment. As `sumUpDay`, it fails if one of the hours changes meanwhile.
 */
export const packSettled = (doors: Doors, due: Pick<DueDay, 'merchantId' | 'day'>, now: Date): Promise<boolean> =>
  inSnapshot(doors, due.merchantId, async (db) => {
    const before = settledBefore(now)
    const open = openBefore(due, before)
    for (const [table, codes] of [
      ['sales_daily', machineCodes],
      ['merchant_products_daily', productCodes],
    ] as const) {
      const rows = await sumsOf(db, open, codes)
      await insertRows(
        db.query,
        table,
        ['merchant_id', 'day', ...codes, ...amounts],
        rows.map((row) => [due.merchantId, due.day, ...row.codes, ...amounts.map((name) => row.sums[name])]),
        `on conflict (merchant_id, day, ${codes.join(', ')}) do update set
          ${amounts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`,
      )
    }
    for (const part of toDateParts) await moveToDate(db, part, due, sql`select s.* from ${open}`, { isMore: true })
    await packHours(db, due, before)
  })

/** Removes the sums by machine and product of a day whose hours are all open. */
export async function clearDay(db: TenantDb, due: Pick<DueDay, 'merchantId' | 'day'>): Promise<void> {
  for (const table of ['sales_daily', 'merchant_products_daily'] as const)
    await sql`delete from ${sql.table(table)} s where s.merchant_id = ${due.merchantId} and s.day = ${due.day}::date`.execute(
      db.query,
    )
  for (const part of toDateParts) await moveToDate(db, part, due, packedOn(part, due))
}

/** Rewrites the sums of a day from its hours, inside the caller's transaction. */
export async function writeDay(db: TenantDb, due: DueDay): Promise<void> {
  const { merchantId, timeZone, day } = due
  const hours = hoursOfLocalDay(day, timeZone)
  const first = hours[0]?.from ?? 0
  const last = hours.at(-1)?.to ?? 0
  const ofDay = sql`merchant_id = ${merchantId} and day = ${day}::date`
  const inserted = (row: Sums) => [merchantId, day, ...row.codes, ...amounts.map((name) => row.sums[name])]
  await sql`delete from changed_days where ${db.narrow('changed_days')} and ${ofDay}`.execute(db.query)
  await sql`delete from sales_daily where ${db.narrow('sales_daily')} and ${ofDay}`.execute(db.query)
  await sql`delete from merchant_products_daily where merchant_id = ${merchantId} and day = ${day}::date`.execute(
    db.query,
  )
  await packDay(db, 'machine', merchantId, day)
  await packDay(db, 'group', merchantId, day)
  const sums = await sumsOfDay(db, merchantId, day, machineCodes)
  await insertRows(db.query, 'sales_daily', ['merchant_id', 'day', ...machineCodes, ...amounts], sums.map(inserted))
  const products = await sumsOfDay(db, merchantId, day, productCodes)
  await insertRows(
    db.query,
    'merchant_products_daily',
    ['merchant_id', 'day', ...productCodes, ...amounts],
    products.map(inserted),
  )
  for (const part of toDateParts) await moveToDate(db, part, due, packedOn(part, due))
  await sql`delete from group_sales_daily where ${ofDay}`.execute(db.query)
  await addToGroups(db, 'day', await kindsByGroup(db, merchantId, day, sums), { whole: true })
  const down = await writeDowntime(db, merchantId, hours)
  await writeKpis(db, { merchantId, day, from: first, to: last }, { cycles: cyclesOf(sums), down })
  await sql`insert into summed_days (merchant_id, day, summed_at, to_date_at) values (${merchantId}, ${day}, now(), now())
    on conflict (merchant_id, day) do update set summed_at = excluded.summed_at, to_date_at = excluded.to_date_at`.execute(
    db.query,
  )
}

const kinds = ['type', 'media_type', 'media_source'] as const
const machineCodes = ['machine_id', ...kinds] as const
const productCodes = [...kinds, 'price_table', 'product'] as const

const pick = (row: Amounts) => Object.fromEntries(amounts.map((name) => [name, row[name]])) as Amounts

export type Sums = { codes: (string | number)[]; sums: Amounts }

/** The sums of a merchant's day by these codes. */
const sumsOfDay = (db: TenantDb, merchantId: string, day: string, codes: readonly string[]): Promise<Sums[]> =>
  sumsOf(
    db,
    sql`sales_hourly s where ${db.narrow('sales_hourly', 's')} and s.merchant_id = ${merchantId} and s.day = ${day}::date`,
    codes,
  )

async function sumsOf(db: TenantDb, source: RawBuilder<unknown>, codes: readonly string[]): Promise<Sums[]> {
  const names = sql.join(codes.map((name) => sql.ref(`s.${name}`)))
  const { rows } = await sql<Record<string, string | number> & Amounts>`
    select ${names}, ${sumsOfAmounts('s')} from ${source} group by ${names} order by ${names}`.execute(db.query)
  return rows.map((row) => ({ codes: codes.map((name) => row[name] as string | number), sums: pick(row) }))
}

/** The sums of a merchant's day by machine and kind. */
export const machineSumsOfDay = (db: TenantDb, merchantId: string, day: string): Promise<Sums[]> =>
  sumsOfDay(db, merchantId, day, machineCodes)

/** The sales of machines, by the group under which their sums are stored. */
async function kindsByGroup(
  db: TenantDb,
  merchantId: string,
  day: string,
  rows: readonly Sums[],
): Promise<(KindOfSales & { day: string })[]> {
  const { rows: machines } = await sql<{ id: string; groupId: string | null }>`
    select p.id, ${summedGroup} as "groupId" from machines p
    left join regrouped_machines r on r.merchant_id = p.merchant_id and r.machine_id = p.id and r.merchant_id = ${merchantId}
    where p.merchant_id = ${merchantId}`.execute(db.query)
  const groupOf = new Map(machines.map(({ id, groupId }) => [id, groupId]))
  return rows.map(({ codes, sums }) => {
    const [machineId, type, mediaType, mediaSource] = codes as [string, number, number, number]
    return { merchantId, groupId: groupOf.get(machineId) ?? null, day, type, mediaType, mediaSource, ...sums }
  })
}

/** Vends that did not fail, by machine. */
export function cyclesOf(rows: readonly Sums[]): Map<string, number> {
  const cycles = new Map<string, number>()
  for (const { codes, sums } of rows) {
    const [machineId, type] = codes as [string, number]
    if (!saleTypes.includes(type)) continue
    const vends = vendsOf({ count: sums.count, errorCount: sums.error_count })
    cycles.set(machineId, (cycles.get(machineId) ?? 0) + vends)
  }
  return cycles
}

async function writeDowntime(
  db: TenantDb,
  merchantId: string,
  hours: readonly { from: number; to: number }[],
): Promise<readonly DowntimeRecord[]> {
  const down = await downtimeWithin(db, { merchantId }, hours)
  const first = hours[0]?.from ?? 0
  const last = hours.at(-1)?.to ?? 0
  await sql`delete from downtime_hourly where ${db.narrow('downtime_hourly')} and merchant_id = ${merchantId}
    and hour >= ${new Date(first)} and hour < ${new Date(last)}`.execute(db.query)
  await insertRows(
    db.query,
    'downtime_hourly',
    ['merchant_id', 'hour', 'machine_id', 'blocked_seconds', 'absent_seconds'],
    down.map((row) => [merchantId, row.from, row.machineId, row.blockedSeconds, row.absentSeconds]),
  )
  return down
}
