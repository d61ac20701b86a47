import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import { type ServiceDay, serviceDaysOf } from '#domain/stock/availability.ts'
import type { Move } from '#domain/stock/forecast/shown.ts'
import { localDayOf, startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays } from '#domain/time/period.ts'
import { insertRows } from '../../frame/bulk-insert.ts'
import type { TenantDb } from '../../frame/tenant.ts'
import { type BookedRow, readMachineBooks } from '../books.ts'
import { fillsOf } from '../fill.ts'

/** So many ended days are computed again each day: machines may send sales late. Earlier days stay. */
export const serviceDaysRead = 28

interface Site {
  machineId: string
  merchantId: string
  timeZone: string
}

interface StoredDay {
  machineId: string
  day: string
  selections: string[]
  productIds: (string | null)[]
  minutes: number[]
  soldOut: number[]
}

type MachineMove = Move & { machineId: string; selection: string }

/** Writes how long the selections of some managed machines were in service and sold out on each of the last ended days. */
export async function writeServiceDays(db: TenantDb, machineIds: readonly string[], now: Date): Promise<void> {
  const sites = await sitesOf(db, machineIds)
  if (sites.length === 0) return
  const ids = sites.map(({ machineId }) => machineId)
  const books = Map.groupBy(await readMachineBooks(db, ids), ({ machineId }) => machineId)
  const fills = Map.groupBy(await fillsOf(db, ids), ({ machineId }) => machineId)
  const moves = Map.groupBy(await movesOf(db, sites, now), ({ machineId }) => machineId)
  const stored = Map.groupBy(await storedDays(db, sites, now), ({ machineId }) => machineId)
  const rows = sites.flatMap((site) => {
    const products = new Map((fills.get(site.machineId) ?? []).map((fill) => [fill.selection, fill.productId]))
    return daysOfMachine(site, now, {
      books: books.get(site.machineId) ?? [],
      moves: moves.get(site.machineId) ?? [],
      stored: stored.get(site.machineId) ?? [],
      productOf: (selection) => products.get(selection) ?? null,
    })
  })
  await insertRows(
    db.query,
    'machine_service_days',
    columns,
    rows,
    `on conflict (merchant_id, machine_id, day) do update set
      ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}
      where (${changing.map((name) => `machine_service_days.${name}`).join(', ')})
        is distinct from (${changing.map((name) => `excluded.${name}`).join(', ')})`,
  )
  await sql`delete from machine_service_days old where ${db.own('old')} and old.machine_id = any(${ids}::uuid[])
    and old.day < ${addDays(localDayOf(now.getTime(), 'UTC'), -daysKept)}::date`.execute(db.query)
}

/** Longer than a report may be. */
const daysKept = 800

const changing = ['selections', 'product_ids', 'minutes', 'sold_out', 'service_minutes', 'sold_out_minutes']
const columns = ['merchant_id', 'machine_id', 'day', ...changing]

interface Facts {
  books: readonly BookedRow[]
  moves: readonly MachineMove[]
  stored: readonly StoredDay[]
  /** The product that a selection has now. */
  productOf: (selection: string) => string | null
}

/** The rows of a machine, one for each day on which a selection was in service. */
function daysOfMachine(site: Site, now: Date, { books, moves, stored, productOf }: Facts): unknown[][] {
  const days = endedDays(site, now)
  const starts = [...days, addDays(days.at(-1) ?? '', 1)].map((day) => startOfLocalDay(day, site.timeZone))
  const bySelection = Map.groupBy(moves, ({ selection }) => selection)
  const served = books
    // The total of hot drinks has the pieces of their selections.
    .filter(({ stockType }) => stockType !== stockTypes.hotTotal)
    .toSorted((one, other) => (one.selection < other.selection ? -1 : 1))
    .map(({ selection, books: { balance, anchor }, gone, at }) => ({
      selection,
      days: serviceDaysOf(
        {
          balance,
          moves: bySelection.get(selection) ?? [],
          openedAt: anchor && (anchor.isOpening ? anchor.at : Number.NEGATIVE_INFINITY),
          endedAt: gone ? at.getTime() : null,
        },
        starts,
        now.getTime(),
      ),
    }))
  const before = new Map(stored.map((row) => [row.day, storedTimes(row)]))
  return days.flatMap((day, at) => {
    const some = served.flatMap(({ selection, days: times }) => {
      const known = before.get(day)?.get(selection)
      const { minutes, soldOut } = times[at] as ServiceDay
      // What was known before management began again stays, and so does the product of the day.
      if (minutes === 0) return known ? [{ selection, ...known }] : []
      return [{ selection, product: known ? known.product : productOf(selection), minutes, soldOut }]
    })
    if (some.length === 0) return []
    const sum = (name: 'minutes' | 'soldOut') => some.reduce((all, one) => all + one[name], 0)
    return [
      [
        site.merchantId,
        site.machineId,
        day,
        some.map(({ selection }) => selection),
        some.map(({ product }) => product),
        some.map(({ minutes }) => minutes),
        some.map(({ soldOut }) => soldOut),
        sum('minutes'),
        sum('soldOut'),
      ],
    ]
  })
}

const storedTimes = ({ selections, productIds, minutes, soldOut }: StoredDay) =>
  new Map(
    selections.map((selection, at) => [
      selection,
      { product: productIds[at] ?? null, minutes: minutes[at] ?? 0, soldOut: soldOut[at] ?? 0 },
    ]),
  )

/** The ended days that are computed, the oldest first. */
function endedDays({ timeZone }: Site, now: Date): string[] {
  const today = localDayOf(now.getTime(), timeZone)
  return Array.from({ length: serviceDaysRead }, (_, at) => addDays(today, at - serviceDaysRead))
}

const firstDayOf = (site: Site, now: Date): string => endedDays(site, now)[0] ?? ''

async function sitesOf(db: TenantDb, machineIds: readonly string[]): Promise<Site[]> {
  const { rows } = await sql<Site>`
    select m.id as "machineId", m.merchant_id as "merchantId", merchants.time_zone as "timeZone"
    from machines m join merchants on merchants.id = m.merchant_id
    where ${db.narrow('machines', 'm')} and m.manage_stock and m.id = any(${machineIds}::uuid[]) order by m.id`.execute(
    db.query,
  )
  return rows
}

const unnested = (sites: readonly Site[], now: Date) =>
  sql`unnest(${sites.map(({ merchantId }) => merchantId)}::uuid[], ${sites.map(({ machineId }) => machineId)}::uuid[],
    ${sites.map((site) => firstDayOf(site, now))}::date[],
    ${sites.map((site) => new Date(startOfLocalDay(firstDayOf(site, now), site.timeZone)))}::timestamptz[])
    as since (merchant_id, machine_id, day, at)`

async function movesOf(db: TenantDb, sites: readonly Site[], now: Date): Promise<MachineMove[]> {
  const first = new Date(Math.min(...sites.map((site) => startOfLocalDay(firstDayOf(site, now), site.timeZone))))
  const { rows } = await sql<Omit<MachineMove, 'at'> & { at: Date }>`
    select entry.machine_id as "machineId", entry.selection, entry.at, entry.amount, entry.kind = 'sale' as "isSale", entry.opening as "isOpening"
    from ${unnested(sites, now)} join stock_entries entry on entry.merchant_id = since.merchant_id and entry.machine_id = since.machine_id
      and entry.at >= since.at
    where ${db.own('entry')} and entry.at >= ${first}`.execute(db.query)
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}

async function storedDays(db: TenantDb, sites: readonly Site[], now: Date): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    select stored.machine_id as "machineId", stored.day::text as day, stored.selections, stored.product_ids as "productIds",
      stored.minutes, stored.sold_out as "soldOut"
    from ${unnested(sites, now)} join machine_service_days stored on stored.merchant_id = since.merchant_id
      and stored.machine_id = since.machine_id and stored.day >= since.day
    where ${db.own('stored')}`.execute(db.query)
  return rows
}
