import { type RawBuilder, sql } from 'kysely'
import { backTypes, saleTypes } from '#contract/vocabulary/transaction.ts'
import { addDays } from '#domain/time/period.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { noGroup, type TenantDb } from '../frame/tenant.ts'
import { amounts } from './group-hours.ts'

/*
 * Sums from the first of the month to a day, of machines and of places by product. A period is the difference of its ends, and of the ends of its
 * months. They hold what is packed, as sales_daily does.
 */

/** Sums by machine: of all transactions, of vends alone, and what was paid back. */
const machineAmounts = [...amounts, ...amounts.map((name) => `sold_${name}` as const), 'back'] as const
const productAmounts = ['count', 'value', 'free_count', 'error_count', 'back'] as const

const sums = {
  machine: { table: 'machine_sales_to_date', codes: ['machine_id'], amounts: machineAmounts },
  place: { table: 'place_products_to_date', codes: ['group_id', 'client_id', 'product'], amounts: productAmounts },
} as const

export type ToDate = keyof typeof sums
export const toDateParts = ['machine', 'place'] as const satisfies readonly ToDate[]
export const toDateTables = { machine: sums.machine.table, place: sums.place.table } as const

const types = (of: readonly number[]) => `'{${of.join(',')}}'::smallint[]`
const isSale = `s.type = any(${types(saleTypes)})`
const isBack = `s.type = any(${types(backTypes)})`
const back = `coalesce(sum(abs(s.value)) filter (where ${isBack}), 0)::bigint as back`

const ofMachine = [
  ...amounts.map((name) => `sum(s.${name})::bigint as ${name}`),
  ...amounts.map((name) => `coalesce(sum(s.${name}) filter (where ${isSale}), 0)::bigint as sold_${name}`),
  back,
].join(', ')
const ofProduct = `${productAmounts
  .slice(0, -1)
  .map((name) => `coalesce(sum(s.${name}) filter (where ${isSale}), 0)::bigint as ${name}`)
  .join(', ')}, ${back}`

/**
 * The place `w` (`group_id` and `client_id`, `noGroup` without one) in which the machine of a row `s` began the day of the row. What a machine sells on the
 * day of a move counts for the new place: readers correct for such days, so that a move changes no sums.
 */
export const placeOfMorning = (own: (alias: string) => RawBuilder<unknown>): RawBuilder<unknown> => sql`
  join machines w_machine on ${own('w_machine')} and w_machine.merchant_id = s.merchant_id and w_machine.id = s.machine_id
  left join lateral (
    select f.group_id, f.client_id, true as was from former_machine_places f
    where ${own('f')} and f.merchant_id = s.merchant_id and f.machine_id = s.machine_id and f.until >= s.day order by f.until limit 1
  ) w_former on true
  cross join lateral (
    select coalesce(case when w_former.was then w_former.group_id else w_machine.group_id end, ${noGroup}::uuid) as group_id,
      coalesce(case when w_former.was then w_former.client_id else w_machine.client_id end, ${noGroup}::uuid) as client_id
  ) w`

/** What the sums add of a merchant's rows `s` of days: of sales_daily by machine, of product_sales_daily by place. */
function addedBy(of: ToDate, merchantId: string, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  if (of === 'machine')
    return sql`select s.merchant_id, s.day, s.machine_id, ${sql.raw(ofMachine)} from (${rows}) s group by 1, 2, 3`
  const own = (alias: string) => sql`${sql.ref(`${alias}.merchant_id`)} = ${merchantId}::uuid`
  return sql`select s.merchant_id, s.day, w.group_id, w.client_id, s.product, ${sql.raw(ofProduct)} from (${rows}) s ${placeOfMorning(own)}
    where ${sql.raw(isSale)} or ${sql.raw(isBack)} group by 1, 2, 3, 4, 5`
}

const list = (names: readonly string[], alias: string) => names.map((name) => `${alias}.${name}`).join(', ')
const sameIn = (names: readonly string[], one: string, other: string) =>
  names.map((name) => `${one}.${name} = ${other}.${name}`).join(' and ')
const isAny = (names: readonly string[], alias: string) =>
  `(${names.map((name) => `${alias}.${name} <> 0`).join(' or ')})`

/** Rows of the table, from what the days of whole months add. */
function toDateRows(of: ToDate, added: RawBuilder<unknown>): RawBuilder<unknown> {
  const { codes, amounts: names } = sums[of]
  const key = ['merchant_id', 'month', ...codes]
  const rows = sql`
    with added as (select a.*, date_trunc('month', a.day)::date as month from (${added}) a),
    days as (select distinct merchant_id, month, day from added),
    keys as (select distinct ${sql.raw(key.join(', '))} from added)
    select x.* from (
      select d.merchant_id, d.day, ${sql.raw(list(codes, 'k'))},
        ${sql.raw(names.map((name) => `coalesce(sum(a.${name}) over w, 0)::bigint as ${name}`).join(', '))}
      from days d join keys k on ${sql.raw(sameIn(['merchant_id', 'month'], 'k', 'd'))}
      left join added a on a.day = d.day and ${sql.raw(sameIn(key, 'a', 'k'))}
      window w as (partition by ${sql.raw(list(key, 'k'))} order by d.day)
    ) x where ${sql.raw(isAny(names, 'x'))}`
  if (of === 'machine') return rows
  const arrays = names.map(
    (name) => `case when bool_or(x.${name} <> 0) then array_agg(x.${name} order by x.product) end as ${name}`,
  )
  return sql`select x.merchant_id, x.day, x.group_id, x.client_id, array_agg(x.product order by x.product) as product,
    ${sql.raw(arrays.join(', '))} from (${rows}) x group by 1, 2, 3, 4`
}

/** The columns of a row, in the order of `toDateRows`. */
const columnsOf = (of: ToDate): readonly string[] => ['merchant_id', 'day', ...sums[of].codes, ...sums[of].amounts]

/** A table's rows of a condition on `t`, element by element. */
function elementsOf(of: ToDate, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (of === 'machine') return sql`(select t.* from machine_sales_to_date t where ${where} offset 0)`
  const elements = ['product', ...productAmounts].map((name) => sql`unnest(t.${sql.ref(name)}) as ${sql.ref(name)}`)
  return sql`(
    select x.merchant_id, x.day, x.group_id, x.client_id, x.product,
      ${sql.join(productAmounts.map((name) => sql`coalesce(x.${sql.ref(name)}, 0) as ${sql.ref(name)}`))}
    from (select t.merchant_id, t.day, t.group_id, t.client_id, ${sql.join(elements)} from place_products_to_date t where ${where} offset 0) x)`
}

interface DayOf {
  merchantId: string
  day: string
}

type Entry = { codes: (string | number)[]; sums: number[] }
type Entries = Map<string, Entry>

/** Adds rows to entries, `sign` times. */
function add(to: Entries, rows: Iterable<Entry>, sign: 1 | -1 = 1): Entries {
  for (const { codes, sums } of rows) {
    const key = codes.join('\n')
    const before = to.get(key)?.sums
    to.set(key, { codes, sums: sums.map((sum, at) => (before?.[at] ?? 0) + sign * sum) })
  }
  return to
}
const isSome = ({ sums }: Entry) => sums.some((sum) => sum !== 0)

const entryOf =
  (of: ToDate) =>
  (row: Record<string, string | number>): Entry => ({
    codes: sums[of].codes.map((name) => row[name] as string | number),
    sums: sums[of].amounts.map((name) => Number(row[name])),
  })

async function entriesOn(
  db: TenantDb,
  of: ToDate,
  { merchantId, day }: DayOf,
  some?: ReadonlySet<string>,
): Promise<Entry[]> {
  const [first] = sums[of].codes
  const isAmong = some ? sql`t.${sql.ref(first)} = any(${[...some]}::uuid[])` : sql`true`
  const { rows } = await sql<Record<string, string | number>>`
    select * from ${elementsOf(of, sql`t.merchant_id = ${merchantId} and t.day = ${day}::date and ${isAmong}`)} t`.execute(
    db.query,
  )
  return rows.map(entryOf(of))
}

/** What the day's rows add, from packed sums `rows`, as of `addedBy`. */
async function readAdded(db: TenantDb, of: ToDate, { merchantId }: DayOf, rows: RawBuilder<unknown>): Promise<Entry[]> {
  const { rows: added } = await sql<Record<string, string | number>>`${addedBy(of, merchantId, rows)}`.execute(db.query)
  return added.map(entryOf(of)).filter(isSome)
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`
const isInMonth = (alias: string, day: string) =>
  sql`${sql.ref(`${alias}.day`)} >= ${monthOf(day)}::date and ${sql.ref(`${alias}.day`)} < (${monthOf(day)}::date + interval '1 month')::date`

/** The days of a day's month that have rows, in order. */
async function daysWithRows(db: TenantDb, of: ToDate, { merchantId, day }: DayOf): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select d.day::date::text as day from generate_series(${monthOf(day)}::timestamp, ${monthOf(day)}::timestamp + interval '1 month - 1 day', '1 day') as d (day)
    where exists (select 1 from ${sql.table(sums[of].table)} t where t.merchant_id = ${merchantId} and t.day = d.day::date)
    order by 1`.execute(db.query)
  return rows.map((row) => row.day)
}

async function write(db: TenantDb, of: ToDate, { merchantId, day }: DayOf, entries: Iterable<Entry>): Promise<void> {
  const some = [...entries].filter(isSome)
  const columns = columnsOf(of)
  if (of === 'machine') {
    const rows = some.map(({ codes, sums }) => [merchantId, day, ...codes, ...sums])
    return insertRows(db.query, sums[of].table, columns, rows)
  }
  const places = Map.groupBy(some, ({ codes }) => codes.slice(0, 2).join('\n'))
  const rows = [...places.values()].map((all) => {
    const ordered = all.sort((one, other) => (String(one.codes[2]) < String(other.codes[2]) ? -1 : 1))
    const arrays = productAmounts.map((_, at) => {
      const values = ordered.map(({ sums }) => sums[at] ?? 0)
      return values.some((value) => value !== 0) ? values : null
    })
    return [merchantId, day, ...(ordered[0]?.codes.slice(0, 2) ?? []), ordered.map(({ codes }) => codes[2]), ...arrays]
  })
  return insertRows(db.query, sums[of].table, columns, rows)
}

const remove = (db: TenantDb, of: ToDate, { merchantId, day }: DayOf, some?: ReadonlySet<string>) => {
  const [first] = sums[of].codes
  const isAmong = some ? sql`t.${sql.ref(first)} = any(${[...some]}::uuid[])` : sql`true`
  return sql`delete from ${sql.table(sums[of].table)} t
    where t.merchant_id = ${merchantId} and t.day = ${day}::date and ${isAmong}`.execute(db.query)
}

/**
 * Moves the sums of a day and of the later days of its month. `rows` are packed sums of the day, of sales_daily or product_sales_daily: all of the
 * day, or `isMore` that are added to it. The caller holds the lock of the merchant's sums.
 */
export async function moveToDate(
  db: TenantDb,
  of: ToDate,
  due: DayOf,
  rows: RawBuilder<unknown>,
  { isMore = false } = {},
): Promise<void> {
  const { merchantId, day } = due
  const added = await readAdded(db, of, due, rows)
  const days = await daysWithRows(db, of, due)
  const hasRows = days.includes(day)
  if (added.length === 0 && (isMore || !hasRows)) return
  const last = days.findLast((one) => one < day)
  const before = last === undefined ? [] : await entriesOn(db, of, { merchantId, day: last })
  const former = hasRows ? await entriesOn(db, of, due) : before
  const now = add(add(new Map(), isMore ? former : before), added)
  const moved = [...add(add(new Map(), now.values()), former, -1).values()].filter(isSome)
  if (hasRows && moved.length === 0 && added.length > 0) return
  await remove(db, of, due)
  // A day without sales has no rows.
  if (added.length > 0 || isMore) await write(db, of, due, now.values())
  if (moved.length === 0) return
  const touched = new Set(moved.map(({ codes }) => String(codes[0])))
  for (const later of days.filter((one) => one > day)) {
    const entries = add(new Map(), await entriesOn(db, of, { merchantId, day: later }, touched))
    await remove(db, of, { merchantId, day: later }, touched)
    await write(db, of, { merchantId, day: later }, add(entries, moved).values())
  }
}

/** The packed sums of a merchant's days from which the sums to date are counted. */
const packedOf = (of: ToDate, { merchantId }: DayOf, days: RawBuilder<unknown>) =>
  sql`select s.* from ${sql.table(of === 'machine' ? 'sales_daily' : 'product_sales_daily')} s where s.merchant_id = ${merchantId} and ${days}`

/** The packed sums of one day. */
export const packedOn = (of: ToDate, due: DayOf) => packedOf(of, due, sql`s.day = ${due.day}::date`)

/** Rewrites the sums of a day's month from its days. */
export async function rewriteToDate(db: TenantDb, of: ToDate, due: DayOf): Promise<void> {
  const added = addedBy(of, due.merchantId, packedOf(of, due, isInMonth('s', due.day)))
  const { rows } = await sql<Record<string, unknown>>`${toDateRows(of, added)}`.execute(db.query)
  await sql`delete from ${sql.table(sums[of].table)} t where t.merchant_id = ${due.merchantId} and ${isInMonth('t', due.day)}`.execute(
    db.query,
  )
  const columns = columnsOf(of)
  await insertRows(
    db.query,
    sums[of].table,
    columns,
    rows.map((row) => columns.map((name) => row[name])),
  )
}

/** Whether the sums of a day are not those of the last day before it and of its own packed sums. */
export async function isToDateDifferent(db: TenantDb, of: ToDate, due: DayOf): Promise<boolean> {
  const added = await readAdded(db, of, due, packedOn(of, due))
  const days = await daysWithRows(db, of, due)
  if (days.includes(due.day) !== added.length > 0) return true
  if (added.length === 0) return false
  const last = days.findLast((one) => one < due.day)
  const before = last === undefined ? [] : await entriesOn(db, of, { merchantId: due.merchantId, day: last })
  const counted = add(add(new Map(), before), added)
  const kept = await entriesOn(db, of, due)
  return [...add(counted, kept, -1).values()].some(isSome)
}

/** A part of a period: `sign` times the sums of the last day with rows within `month` to `upTo`, for the stretch that begins on `first`. */
interface Mark {
  first: string
  sign: 1 | -1
  month: string
  upTo: string
}

const nextMonth = (day: string) => monthOf(addDays(monthOf(day), 31))
const smaller = (one: string, other: string) => (one < other ? one : other)

/** The sums to date that make up the days from `startDate` to `endDate`, stretch by stretch; `stretches` are their first days. */
export function marksOf(
  { startDate, endDate }: { startDate: string; endDate: string },
  stretches: readonly string[] = [],
): Mark[] {
  const firsts = stretches.length > 0 ? stretches : [startDate]
  return firsts.flatMap((first, at) => {
    const next = firsts[at + 1]
    const last = next === undefined ? endDate : addDays(next, -1)
    const marks: Mark[] = []
    for (let month = monthOf(first); month <= last; month = nextMonth(month))
      marks.push({ first, sign: 1, month, upTo: smaller(last, addDays(nextMonth(month), -1)) })
    if (first > monthOf(first)) marks.push({ first, sign: -1, month: monthOf(first), upTo: addDays(first, -1) })
    return marks
  })
}

/**
 * Sums to date of the merchant `m` at marks, each with the `first` of its mark: rows `t` of a condition with their codes, and amounts `as` named, to be
 * added up. The planner knows that no mark has the rows of another, so it keeps none of them.
 */
export function sumsAt(
  db: TenantDb,
  of: ToDate,
  marks: readonly Mark[],
  where: RawBuilder<unknown>,
  as: Readonly<Record<string, string>>,
): RawBuilder<unknown> {
  const column = (name: keyof Mark) => marks.map((mark) => mark[name])
  const table = sql.table(sums[of].table)
  const signed = Object.entries(as).map(
    ([name, amount]) => sql`mark.sign * ${sql.ref(`t.${amount}`)} as ${sql.ref(name)}`,
  )
  const isAt = sql`${db.own('t')} and t.merchant_id = m.id and t.day = last.day and ${where}`
  return sql`
    select t.* from unnest(${column('first')}::date[], ${column('sign')}::int[], ${column('month')}::date[], ${column('upTo')}::date[])
      as mark (first, sign, month, up_to)
    cross join lateral (
      select max(x.day) as day from ${table} x where ${db.own('x')} and x.merchant_id = m.id and x.day between mark.month and mark.up_to
    ) as last
    cross join lateral (
      select mark.first, t.merchant_id, ${sql.raw(list(sums[of].codes, 't'))}, ${sql.join(signed)} from ${elementsOf(of, isAt)} t offset 0
    ) t`
}
