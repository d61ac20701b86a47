import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import {
  daysAhead,
  daysKept,
  type Forecast,
  forecastMachine,
  type SelectionCourse,
} from '#domain/stock/forecast/forecast.ts'
import { type Move, shownShares, soldOutTimes } from '#domain/stock/forecast/shown.ts'
import { soldFrom, vendTypes } from '#domain/stock/movement.ts'
import { localDayOf, startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, daysIn } from '#domain/time/period.ts'
import { isPublicHoliday } from '#domain/time/public-holidays.ts'
import { insertRows } from '../../frame/bulk-insert.ts'
import type { TenantDb } from '../../frame/tenant.ts'
import { type BookedRow, keyOf, readMachineBooks, type SelectionKey } from '../books.ts'
import { selectionsOf } from '../missed-sales.ts'
import { courseReader, dayNumber, packedCourses, type StoredCourses } from './course.ts'

/** The sales of so many days are read again: machines may send them late. Earlier ones are stored. */
const daysRead = 28

export type SelectionForecast = SelectionKey & { forecast: Forecast; from: string }

interface Site {
  merchantId: string
  timeZone: string
  country: string
  /** The machine's day of the moment. */
  today: string
}

interface LineSales {
  machineId: string
  priceLine: number | null
  product: string
  day: string
  pieces: number
}

/**
 * Forecasts of all selections of some machines, from their courses until yesterday, which are stored for tomorrow. Where a course is not stored, its days before
 * the last four weeks are those of its products, from the sums.
 */
export async function computeForecasts(
  db: TenantDb,
  machineIds: readonly string[],
  now: Date,
): Promise<SelectionForecast[]> {
  const byMachine = Map.groupBy(await readMachineBooks(db, machineIds), ({ machineId }) => machineId)
  const sites = await sitesOf(db, [...byMachine.keys()], now)
  const stored = await storedCourses(db, [...byMachine.keys()])
  const unstored = [...sites].flatMap(([machineId, { today }]) => {
    const { lastDay } = stored.get(machineId) ?? {}
    return lastDay !== undefined && lastDay >= addDays(today, -daysRead - 1) ? [] : [machineId]
  })
  const sales = Map.groupBy(await recentSales(db, sites), ({ machineId }) => machineId)
  const earlier = Map.groupBy(await earlierSales(db, sites, unstored), ({ machineId }) => machineId)
  const moves = await movesSince(db, sites, stored)
  const forecasts: SelectionForecast[] = []
  const rows: unknown[][] = []
  for (const [machineId, selections] of [...byMachine].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const site = sites.get(machineId)
    if (!site) continue
    const { merchantId, today, country } = site
    const courses = coursesOf(selections, site, {
      stored: stored.get(machineId),
      sales: sales.get(machineId) ?? [],
      earlier: earlier.get(machineId) ?? [],
      moves: moves.get(machineId) ?? [],
      now,
    })
    const lastDay = addDays(today, -1)
    const { selections: names, sold, shown } = packedCourses(courses, daysKept)
    rows.push([merchantId, machineId, lastDay, daysKept, names, sold, shown])
    const isHoliday = (day: string) => isPublicHoliday(country, day)
    const machineForecasts = forecastMachine({ lastDay, courses: [...courses.values()], isHoliday })
    for (const [place, selection] of names.entries()) {
      const forecast = machineForecasts[place]
      if (forecast) forecasts.push({ merchantId, machineId, selection, forecast, from: today })
    }
  }
  await insertRows(
    db.query,
    'machine_courses',
    ['merchant_id', 'machine_id', 'last_day', 'days', 'selections', 'sold', 'shown'],
    rows,
    `on conflict (merchant_id, machine_id) do update set last_day = excluded.last_day, days = excluded.days,
      selections = excluded.selections, sold = excluded.sold, shown = excluded.shown`,
  )
  return forecasts
}

/** Writes forecasts beside the levels. The caller has locked the machines' journals. */
export async function writeForecasts(db: TenantDb, forecasts: readonly SelectionForecast[]): Promise<void> {
  if (forecasts.length === 0) return
  const inOrder = forecasts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  // A column for each day: a coordinator casts no column to an array.
  const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}_${at}`)
  const week = names(7, 'usual')
  const days = names(daysAhead, 'day')
  const given = [
    ...week.map((_, at) => sql`${inOrder.map(({ forecast }) => forecast.usual[at] ?? 0)}::real[]`),
    ...days.map((_, at) => sql`${inOrder.map(({ forecast }) => forecast.days[at] ?? 0)}::real[]`),
  ]
  const array = (columns: readonly string[]) => sql.raw(`array[${columns.map((name) => `known.${name}`).join(', ')}]`)
  await sql`update machine_stock stock set usual = ${array(week)}, forecast = ${array(days)}, forecast_from = known.first
    from unnest(${inOrder.map(({ merchantId }) => merchantId)}::uuid[], ${inOrder.map(({ machineId }) => machineId)}::uuid[],
      ${inOrder.map(({ selection }) => selection)}::text[], ${inOrder.map(({ from }) => from)}::date[],
      ${sql.join(given)}) as known (merchant_id, machine_id, selection, first, ${sql.raw([...week, ...days].join(', '))})
    where ${db.own('stock')} and stock.merchant_id = known.merchant_id and stock.machine_id = known.machine_id
      and stock.selection = known.selection`.execute(db.query)
}

async function sitesOf(db: TenantDb, machineIds: readonly string[], now: Date): Promise<Map<string, Site>> {
  const { rows } = await sql<Omit<Site, 'today'> & { machineId: string }>`
    select m.id as "machineId", m.merchant_id as "merchantId", merchants.time_zone as "timeZone", merchants.country
    from machines m join merchants on merchants.id = m.merchant_id
    where ${db.narrow('machines', 'm')} and m.id = any(${machineIds}::uuid[])`.execute(db.query)
  return new Map(
    rows.map(({ machineId, ...site }) => [machineId, { ...site, today: localDayOf(now.getTime(), site.timeZone) }]),
  )
}

async function storedCourses(db: TenantDb, machineIds: readonly string[]): Promise<Map<string, StoredCourses>> {
  const { rows } = await sql<StoredCourses & { machineId: string }>`
    select course.machine_id as "machineId", course.last_day::text as "lastDay", course.days, course.selections, course.sold, course.shown
    from machine_courses course where ${db.own('course')} and course.machine_id = any(${machineIds}::uuid[])`.execute(
    db.query,
  )
  return new Map(rows.map((row) => [row.machineId, row]))
}

/** Machines with an instant each, as a table `since`. */
const sinceOf = (sites: ReadonlyMap<string, Site>, firstDay: (machineId: string, site: Site) => string) => {
  const all = [...sites].map(([machineId, site]) => ({
    machineId,
    merchantId: site.merchantId,
    at: new Date(startOfLocalDay(firstDay(machineId, site), site.timeZone)),
  }))
  return {
    first: new Date(Math.min(...all.map(({ at }) => at.getTime()))),
    table: sql`unnest(${all.map(({ merchantId }) => merchantId)}::uuid[], ${all.map(({ machineId }) => machineId)}::uuid[],
      ${all.map(({ at }) => at)}::timestamptz[]) as since (merchant_id, machine_id, at)`,
  }
}

/** What each line sold on each of the last ended days, by product. */
async function recentSales(db: TenantDb, sites: ReadonlyMap<string, Site>): Promise<LineSales[]> {
  if (sites.size === 0) return []
  const { first, table } = sinceOf(sites, (_, { today }) => addDays(today, -daysRead))
  const { rows } = await sql<LineSales>`
    select sale.machine_id as "machineId", sale.price_line as "priceLine", coalesce(sale.product, sale.product_code, '') as product,
      (sale.created_at at time zone merchants.time_zone)::date::text as day, count(*)::int as pieces
    from ${table} join transactions sale on sale.merchant_id = since.merchant_id and sale.machine_id = since.machine_id
      and sale.created_at >= since.at
    join merchants on merchants.id = sale.merchant_id
    where ${db.own('sale')} and sale.created_at >= ${first} and sale.type = any(${vendTypes}::smallint[]) and not sale.error_sale
    group by 1, 2, 3, 4`.execute(db.query)
  return rows
}

/** What each product sold on each of the days before, from the sums. */
async function earlierSales(
  db: TenantDb,
  sites: ReadonlyMap<string, Site>,
  machineIds: readonly string[],
): Promise<Omit<LineSales, 'priceLine'>[]> {
  if (machineIds.length === 0) return []
  const some = machineIds.flatMap((machineId) => sites.get(machineId) ?? [])
  const lasts = some.map(({ today }) => today).sort()
  const from = addDays(lasts[0] ?? '', -daysKept)
  const count = daysIn({ startDate: from, endDate: addDays(lasts.at(-1) ?? '', -daysRead - 1) })
  // Days by name: a range would read those of all machines of a merchant.
  const days = Array.from({ length: count }, (_, at) => addDays(from, at))
  const merchantIds = [...new Set(some.map(({ merchantId }) => merchantId))]
  const { rows } = await sql<Omit<LineSales, 'priceLine'>>`
    select sold.machine_id as "machineId", sold.product, sold.day::text, sum(sold.count - sold.error_count)::int as pieces
    from product_sales_daily sold
    where ${db.own('sold')} and sold.merchant_id = any(${merchantIds}::uuid[]) and sold.day = any(${days}::date[])
      and sold.machine_id = any(${machineIds}::uuid[]) and sold.type = any(${vendTypes}::smallint[])
    group by 1, 2, 3`.execute(db.query)
  return rows
}

type MachineMove = Move & { machineId: string; selection: string }

/** The movements since the days whose stock-outs are stored. */
async function movesSince(
  db: TenantDb,
  sites: ReadonlyMap<string, Site>,
  stored: ReadonlyMap<string, StoredCourses>,
): Promise<Map<string, MachineMove[]>> {
  if (sites.size === 0) return new Map()
  const { first, table } = sinceOf(sites, (machineId, { today }) => {
    const known = stored.get(machineId)
    const read = addDays(today, -daysRead)
    return known && known.lastDay >= read ? addDays(known.lastDay, 1) : read
  })
  const { rows } = await sql<Omit<MachineMove, 'at'> & { at: Date }>`
    select entry.machine_id as "machineId", entry.selection, entry.at, entry.amount, entry.kind = 'sale' as "isSale", entry.opening as "isOpening"
    from ${table} join stock_entries entry on entry.merchant_id = since.merchant_id and entry.machine_id = since.machine_id
      and entry.at >= since.at
    where ${db.own('entry')} and entry.at >= ${first}`.execute(db.query)
  return Map.groupBy(
    rows.map((row) => ({ ...row, at: row.at.getTime() })),
    ({ machineId }) => machineId,
  )
}

interface Past {
  stored: StoredCourses | undefined
  sales: readonly LineSales[]
  earlier: readonly Omit<LineSales, 'priceLine'>[]
  moves: readonly MachineMove[]
  now: Date
}

/** The courses of a machine's selections until yesterday. */
function coursesOf(rows: readonly BookedRow[], { today, timeZone }: Site, past: Past) {
  const first = dayNumber(today) - daysKept
  const read = courseReader(past.stored)
  const courses = new Map<string, SelectionCourse & { sold: number[]; shown: number[] }>()
  for (const { selection, stockType } of rows.toSorted((one, other) => (one.selection < other.selection ? -1 : 1))) {
    const known = Array.from({ length: daysKept }, (_, at) => read(selection, first + at))
    const sold = known.map((day, at) => (at < daysKept - daysRead ? (day?.sold ?? 0) : 0))
    const shown = known.map((day) => day?.shown ?? 1)
    courses.set(selection, { sold, shown, isTotal: stockType === stockTypes.hotTotal })
  }
  const has = selectionsOf(rows)
  const add = (selection: string, day: string, pieces: number) => {
    const at = dayNumber(day) - first
    const sold = courses.get(selection)?.sold
    if (sold && at >= 0 && at < daysKept) sold[at] = (sold[at] ?? 0) + pieces
  }
  for (const { priceLine, day, pieces } of past.sales)
    for (const selection of soldFrom(priceLine, has)) add(selection, day, pieces)
  addEarlier(past, has, add)

  const since = past.stored ? dayNumber(past.stored.lastDay) + 1 : first
  const opened = Math.max(since, dayNumber(today) - daysRead)
  const count = dayNumber(today) - opened
  const starts = Array.from({ length: count + 1 }, (_, at) => startOfLocalDay(addDays(today, at - count), timeZone))
  const saleTimes = past.moves.filter(({ isSale }) => isSale).map(({ at }) => at)
  const bySelection = Map.groupBy(past.moves, ({ selection }) => selection)
  for (const { selection, books } of rows) {
    const course = courses.get(selection)
    // What was there before the books were opened is unknown.
    const from = Math.max(starts[0] ?? 0, books.anchor?.isOpening ? books.anchor.at : 0)
    const times = soldOutTimes(books.balance, bySelection.get(selection) ?? [], from, past.now.getTime())
    if (!course || times.length === 0) continue
    for (const [day, share] of shownShares(times, starts, saleTimes).entries()) {
      const at = daysKept - count + day
      course.shown[at] = share === 0 && (course.sold[at] ?? 0) > 0 ? 1 : share
    }
  }
  return courses
}

/** Adds what products sold before, divided among the lines that sell them now, as these sold them in the last days. */
function addEarlier(
  { sales, earlier }: Past,
  has: ReturnType<typeof selectionsOf>,
  add: (selection: string, day: string, pieces: number) => void,
): void {
  const lines = new Map<string, { priceLine: number | null; pieces: number }[]>()
  for (const [product, some] of Map.groupBy(sales, (sale) => sale.product)) {
    const byLine = Map.groupBy(some, ({ priceLine }) => priceLine)
    const counted = [...byLine].map(([priceLine, one]) => ({
      priceLine,
      pieces: one.reduce((n, { pieces }) => n + pieces, 0),
    }))
    lines.set(product, counted)
  }
  // Whole pieces: what a line is owed after a day is carried to the next one.
  const owed = new Map<string, number>()
  for (const { product, day, pieces } of earlier.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    const sharing = lines.get(product) ?? []
    const all = sharing.reduce((n, line) => n + line.pieces, 0)
    for (const { priceLine, pieces: share } of sharing) {
      const key = `${product} ${priceLine}`
      const due = (owed.get(key) ?? 0) + (pieces * share) / all
      const whole = Math.floor(due + 1e-9)
      owed.set(key, due - whole)
      if (whole > 0) for (const selection of soldFrom(priceLine, has)) add(selection, day, whole)
    }
  }
}
