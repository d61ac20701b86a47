import { type RawBuilder, sql } from 'kysely'
import { hoursOfLocalDay } from '#domain/time/local-hour.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { type Doors, noGroup, type TenantDb, wholeMerchantGroup } from '../frame/tenant.ts'
import { countedAmounts } from './counted-amounts.ts'
import { downtimeWithin } from './downtime.ts'
import { addToGroups, amounts, amountsOf, isoOf, type KindOfSales, summedGroup, sumsOfAmounts } from './group-hours.ts'
import { kpiDifferences } from './kpi-days.ts'
import { areSpansDifferent, rewriteSpans } from './kpi-spans.ts'
import { clearDay, cyclesOf, type DueDay, machineSumsOfDay, writeDay } from './sum-up.ts'
import { sumsLock } from './sums-lock.ts'
import { isToDateDifferent, rewriteToDate, toDateParts, toDateTables } from './to-date.ts'

/** Hourly sums that can be recounted from raw rows. */
export type HourlySums = 'sales_hourly' | 'cash_hourly'
type HourRange = { from: number; to: number }

const columnsOf = {
  sales_hourly: {
    codes: ['day', 'hour', 'machine_id', 'type', 'media_type', 'media_source', 'price_table', 'product'],
    sums: amounts,
  },
  cash_hourly: { codes: ['hour', 'machine_id', 'denomination'], sums: ['accepted', 'rejected'] },
} as const satisfies Record<HourlySums, { codes: readonly string[]; sums: readonly string[] }>

/** The tables that sums are written to. */
const writtenTables = { sales_hourly: 'open_sales_hourly', cash_hourly: 'cash_hourly' } as const

/** The tables of the raw rows. */
export const rawTables = { sales_hourly: 'transactions', cash_hourly: 'cash_readings' } as const

const recounts = {
  sales_hourly: (db: TenantDb, { merchantId, day }: DueDay) => sql`
    select ${day}::date as day, h.begins as hour, t.machine_id, t.type, t.media_type, t.media_source, coalesce(t.price_table, -1)::smallint as price_table,
      coalesce(t.product, t.product_code, '') as product, ${sql.raw(countedAmounts('t'))}
    from hours h join transactions t on t.created_at >= h.begins and t.created_at < h.ends
    where ${db.narrow('transactions', 't')} and t.merchant_id = ${merchantId}
    group by 1, 2, 3, 4, 5, 6, 7, 8`,
  cash_hourly: (db: TenantDb, { merchantId }: DueDay) => sql`
    select h.begins as hour, c.machine_id, n.denomination, sum(n.accepted)::bigint as accepted, sum(n.rejected)::bigint as rejected
    from hours h join cash_readings c on c.at >= h.begins and c.at < h.ends
    cross join lateral (
      select (a ->> 'value')::bigint as denomination, (a ->> 'count')::bigint as accepted, 0 as rejected
      from jsonb_array_elements(c.accepted) a
      union all
      select (r ->> 'value')::bigint, 0, (r ->> 'count')::bigint from jsonb_array_elements(c.rejected) r
    ) n
    where ${db.narrow('cash_readings', 'c')} and c.merchant_id = ${merchantId} and n.accepted + n.rejected > 0
    group by 1, 2, 3`,
} satisfies Record<HourlySums, (db: TenantDb, due: DueDay) => RawBuilder<unknown>>

const withHours = (hours: readonly HourRange[]) => sql`
  with hours as (select * from unnest(${hours.map(({ from }) => new Date(from).toISOString())}::timestamptz[],
    ${hours.map(({ to }) => new Date(to).toISOString())}::timestamptz[]) as h (begins, ends))`
const within = (table: string, merchantId: string, hours: readonly HourRange[]) => sql`
  ${sql.ref(`${table}.merchant_id`)} = ${merchantId} and ${sql.ref(`${table}.hour`)} >= ${new Date(hours[0]?.from ?? 0)}
  and ${sql.ref(`${table}.hour`)} < ${new Date(hours.at(-1)?.to ?? 0)}`
/** Rows of a day; hours of sales have the day in their key. */
const ofDay = (table: string, { merchantId, day }: DueDay) =>
  sql`${sql.ref(`${table}.merchant_id`)} = ${merchantId} and ${sql.ref(`${table}.day`)} = ${day}::date`
const isOfDay = (table: HourlySums | 'open_sales_hourly', due: DueDay, hours: readonly HourRange[]) =>
  table === 'cash_hourly' ? within(table, due.merchantId, hours) : ofDay(table, due)

/** The sums of a day that differ from their rows or hours; empty if all match. */
export type Difference =
  | HourlySums
  | GroupSums
  | 'sales_daily'
  | 'merchant_products_daily'
  | 'product_sales_daily'
  | 'downtime_hourly'
  | 'machine_kpis_daily'
  | 'merchant_kpis_daily'
  | (typeof toDateTables)[keyof typeof toDateTables]
  | 'machine_kpis_spans'
type GroupSums = 'group_sales_hourly' | 'group_sales_daily'

/**
 * Recounts a day and compares, in one snapshot of the database. Only the `tables` named are compared with raw rows. `withSpans` also
 * compares the KPIs of the spans that contain the day.
 */
export function differencesOf(
  doors: Doors,
  due: DueDay,
  tables: readonly HourlySums[],
  { withSpans }: { withSpans: boolean },
): Promise<Difference[]> {
  const { merchantId, day, timeZone } = due
  const hours = hoursOfLocalDay(day, timeZone)
  return doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db.query)
    const different: Difference[] = []
    for (const table of tables) {
      const { codes, sums } = columnsOf[table]
      const names = sql.join(codes.map((column) => sql.ref(column)))
      const { rows } = await sql<{ is: boolean }>`${withHours(hours)}, counted as (${recounts[table](db, due)}),
        kept as (select ${names}, ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)})::bigint`))} from ${sql.table(table)}
          where ${db.narrow(table)} and ${isOfDay(table, due, hours)} group by ${names})
        select exists ((table counted except table kept) union all (table kept except table counted)) as is`.execute(
        db.query,
      )
      if (rows[0]?.is) different.push(table)
    }
    if (await isGroupDifferent(db, due, 'group_sales_hourly')) different.push('group_sales_hourly')
    different.push(...(await packedDifferences(db, due)))
    if (await isSummedUp(db, due)) different.push(...(await summedDifferences(db, due, hours)))
    if (withSpans && (await areSpansDifferent(db, due))) different.push('machine_kpis_spans')
    return different
  })
}

/** Whether sums by group differ from the sums of their machines. */
async function isGroupDifferent(db: TenantDb, due: DueDay, table: GroupSums): Promise<boolean> {
  const isHourly = table === 'group_sales_hourly'
  const at = isHourly ? sql`h.hour,` : sql``
  const kind = sql`${at} h.type, h.media_type, h.media_source`
  const sums = sumsOfAmounts('h')
  const isSomething = sql`having ${sql.join(
    amounts.map((name) => sql`sum(${sql.ref(`h.${name}`)}) <> 0`),
    sql` or `,
  )}`
  const { rows } = await sql<{ is: boolean }>`
    with counted as (
      select g.id, ${kind}, ${sums} from ${hoursOfMachines(due)}
      cross join lateral (values (coalesce(${summedGroup}, ${noGroup}::uuid)), (${wholeMerchantGroup}::uuid)) g (id)
      group by g.id, ${kind} ${isSomething}
    ), kept as (
      select h.group_id, ${kind}, ${sums} from ${sql.table(table)} h where ${ofDay('h', due)} ${isHourly ? sql`and h.slot >= 0` : sql``} group by h.group_id, ${kind} ${isSomething}
    )
    select exists ((table counted except table kept) union all (table kept except table counted)) as is`.execute(
    db.query,
  )
  return rows[0]?.is ?? false
}

/** A day's hours `h` of machines `p`, joined to find the group under which they are stored. */
const hoursOfMachines = (due: DueDay) => sql`
  (select * from sales_hourly h where ${ofDay('h', due)}) h
  join machines p on p.merchant_id = h.merchant_id and p.id = h.machine_id and p.merchant_id = ${due.merchantId}
  left join regrouped_machines r on r.merchant_id = p.merchant_id and r.machine_id = p.id and r.merchant_id = ${due.merchantId}`

/** Rewrites a day's hours by group from the hours of machines. */
async function rewriteGroups(db: TenantDb, due: DueDay): Promise<void> {
  await sql`delete from open_group_sales_hourly h where ${ofDay('h', due)} and h.slot >= 0`.execute(db.query)
  await sql`delete from packed_group_sales_days h where ${ofDay('h', due)}`.execute(db.query)
  const { rows } = await sql<KindOfSales & { hour: string; day: string }>`
    select h.merchant_id as "merchantId", ${summedGroup} as "groupId", h.day::text as day, ${isoOf('h.hour')} as hour, h.type,
      h.media_type as "mediaType", h.media_source as "mediaSource", ${sumsOfAmounts('h')}
    from ${hoursOfMachines(due)} group by 1, 2, 3, 4, 5, 6, 7`.execute(db.query)
  await addToGroups(db, 'hour', rows, { whole: true })
}

async function isSummedUp(db: TenantDb, { merchantId, day }: DueDay): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (
    select 1 from summed_days s where ${db.narrow('summed_days', 's')} and s.merchant_id = ${merchantId} and s.day = ${day}
      and not exists (select 1 from changed_days c where ${db.own('c')} and c.merchant_id = s.merchant_id and c.day = s.day)) as is`.execute(
    db.query,
  )
  return rows[0]?.is ?? false
}

/** The sums by machine and product that are not those of the day's packed hours; open hours are added by readers. */
async function packedDifferences(db: TenantDb, due: DueDay): Promise<Difference[]> {
  const { merchantId, day } = due
  const different: Difference[] = []
  const negative = amounts.map((name) => sql`-${sql.ref(name)} as ${sql.ref(name)}`)
  for (const [table, codes] of [
    ['sales_daily', sql`machine_id, type, media_type, media_source`],
    ['product_sales_daily', sql`machine_id, type, media_type, media_source, price_table, product`],
    ['merchant_products_daily', sql`type, media_type, media_source, price_table, product`],
  ] as const) {
    const { rows } = await sql<{ is: boolean }>`
      with hours as (
        select ${codes}, ${sql.join(amounts.map((name) => sql.ref(name)))} from sales_hourly
        where ${db.narrow('sales_hourly')} and ${ofDay('sales_hourly', due)}
        union all
        select ${codes}, ${sql.join(negative)} from open_sales_hourly where ${db.narrow('open_sales_hourly')} and ${ofDay('open_sales_hourly', due)}
      ), counted as (select ${codes}, ${sumsOfAmounts('hours')} from hours group by ${codes} having sum(hours.count) <> 0),
      kept as (select ${codes}, ${amountsOf(table)} from ${sql.table(table)}
        where ${db.narrow(table)} and merchant_id = ${merchantId} and day = ${day})
      select exists ((table counted except table kept) union all (table kept except table counted)) as is`.execute(
      db.query,
    )
    if (rows[0]?.is) different.push(table)
  }
  for (const part of toDateParts) if (await isToDateDifferent(db, part, due)) different.push(toDateTables[part])
  return different
}

async function summedDifferences(db: TenantDb, due: DueDay, hours: HourRange[]): Promise<Difference[]> {
  const { merchantId, day } = due
  const different: Difference[] = []
  if (await isGroupDifferent(db, due, 'group_sales_daily')) different.push('group_sales_daily')
  const { rows: stored } = await sql<{ key: string }>`
    select concat_ws(' ', machine_id, extract(epoch from hour)::bigint, blocked_seconds, absent_seconds) as key from downtime_hourly
    where ${db.narrow('downtime_hourly')} and ${within('downtime_hourly', merchantId, hours)} order by 1`.execute(
    db.query,
  )
  const down = await downtimeWithin(db, { merchantId }, hours)
  const counted = down
    .map((row) => `${row.machineId} ${row.from.getTime() / 1000} ${row.blockedSeconds} ${row.absentSeconds}`)
    .sort()
  const storedKeys = new Set(stored.map(({ key }) => key))
  if (counted.length !== storedKeys.size || counted.some((key) => !storedKeys.has(key)))
    different.push('downtime_hourly')
  const from = hours[0]?.from ?? 0
  const to = hours.at(-1)?.to ?? 0
  const cycles = cyclesOf(await machineSumsOfDay(db, merchantId, day))
  different.push(...(await kpiDifferences(db, { merchantId, day, from, to }, { cycles, down })))
  return different
}

/**
 * Rewrites a day's hours from their rows, its sums if the day has been summed up, and the KPIs of its spans. It locks all journals of the merchant: writers of
 * items lock the journals of their machines first, so that none is stored meanwhile.
 */
export function rewriteDay(doors: Doors, due: DueDay, tables: readonly HourlySums[]): Promise<void> {
  const { merchantId, day, timeZone } = due
  const hours = hoursOfLocalDay(day, timeZone)
  return doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await sql`select pg_advisory_xact_lock(${sumsLock(merchantId)})`.execute(db.query)
    await sql`select 1 from machine_journals where ${db.narrow('machine_journals')}
      and machine_journals.merchant_id = ${merchantId} order by machine_id for no key update`.execute(db.query)
    for (const table of tables) {
      const written = writtenTables[table]
      const columns = [...columnsOf[table].codes, ...columnsOf[table].sums]
      await sql`delete from ${sql.table(written)} where ${db.narrow(written)} and ${isOfDay(written, due, hours)}`.execute(
        db.query,
      )
      if (table === 'sales_hourly')
        await sql`delete from packed_sales_days s where ${db.narrow('packed_sales_days', 's')} and ${ofDay('s', due)}`.execute(
          db.query,
        )
      const { rows } = await sql<Record<string, unknown>>`${withHours(hours)}
        ${recounts[table](db, due)}`.execute(db.query)
      await insertRows(
        db.query,
        written,
        ['merchant_id', ...columns],
        rows.map((row) => [merchantId, ...columns.map((column) => row[column])]),
      )
    }
    await rewriteGroups(db, due)
    const { rows } = await sql<{
      is: boolean
    }>`select exists (select 1 from summed_days s where ${db.narrow('summed_days', 's')}
      and s.merchant_id = ${merchantId} and s.day = ${day}) as is`.execute(db.query)
    if (rows[0]?.is) await writeDay(db, due)
    else if (tables.includes('sales_hourly')) await clearDay(db, due)
    for (const part of toDateParts) await rewriteToDate(db, part, due)
    // Writing a day moves its spans from the former rows, which may have been wrong.
    await rewriteSpans(db, due)
  })
}
