import { sql } from 'kysely'
import type { SupplyFilters, supplyOrds } from '#contract/stock/supply.ts'
import { stockStatuses } from '#contract/vocabulary/stock.ts'
import { type DayMoment, daysUntilEmpty, holdingPieces, losingSales, lostPerDay } from '#domain/stock/supply.ts'
import { localDayOf, startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays } from '#domain/time/period.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { among, anyOf, machinesFound, when } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { orderOf, type Page, pageOfAll, type Sorted, totalsOf } from '../frame/list.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { writeServiceDays } from './availability/service-days.ts'
import { firstPrice } from './first-price.ts'
import { computeForecasts, writeForecasts } from './forecast/forecast.ts'
import { outlookColumns, outlookOf, type StoredOutlook } from './forecast/outlook.ts'
import type { MachineKey } from './stock-alarms.ts'

const dayMs = 86_400_000
/** The moment of a machine's day by its merchant's clock. */
export function dayMomentOf(now: Date, timeZone: string): DayMoment {
  const day = localDayOf(now.getTime(), timeZone)
  const end = startOfLocalDay(addDays(day, 1), timeZone)
  return { day, dayLeft: (end - now.getTime()) / (end - startOfLocalDay(day, timeZone)) }
}

interface StockFacts extends MachineKey, StoredOutlook {
  level: number
  capacity: number | null
  status: number
  differs: boolean
  waits: boolean
  stockType: number | null
  price: number | null
  timeZone: string
}

const columns = [
  'merchant_id',
  'machine_id',
  'selections',
  'level',
  'capacity',
  'out',
  'low',
  'empty_at',
  'lost_per_day',
  'differing',
  'waiting',
  'computed_at',
  'stale_at',
]
const replace = `on conflict (merchant_id, machine_id) do update set
  ${columns
    .slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`

/**
 * Computes the numbers of some managed machines again. The caller has locked their journals: a sale that found the row marked does not mark
 * it again.
 */
export async function refreshSupplies(db: TenantDb, machineIds: readonly string[], now: Date): Promise<void> {
  const { rows } = await sql<StockFacts>`
    select stock.merchant_id as "merchantId", stock.machine_id as "machineId", stock.level, stock.capacity, stock.status, ${outlookColumns('stock')},
      stock.stock_type as "stockType", stock.differs, exists (select 1 from stock_refills refill where ${db.own('refill')} and refill.merchant_id = stock.merchant_id
        and refill.machine_id = stock.machine_id and refill.selection = stock.selection and refill.status = 'waiting') as waits,
      ${firstPrice(db, 'stock')} as price, merchants.time_zone as "timeZone"
    from machine_stock stock join merchants on merchants.id = stock.merchant_id
    where ${db.own('stock')} and stock.machine_id = any(${machineIds}::uuid[]) and not stock.gone`.execute(db.query)
  const supplies = [...Map.groupBy(rows, ({ machineId }) => machineId)].sort(([one], [other]) => (one < other ? -1 : 1))
  await insertRows(
    db.query,
    'machine_supplies',
    columns,
    supplies.map(([machineId, facts]) => {
      const { merchantId, timeZone } = facts[0] as StockFacts
      const at = dayMomentOf(now, timeZone)
      const lasting = facts.map((row) => daysUntilEmpty(row.level, outlookOf(row), at)).filter((days) => days !== null)
      const sized = holdingPieces(facts).filter(({ capacity }) => capacity !== null)
      const count = (status: number) => facts.filter((row) => row.status === status).length
      return [
        merchantId,
        machineId,
        facts.length,
        sized.reduce((sum, { level, capacity }) => sum + Math.min(level, capacity as number), 0),
        sized.reduce((sum, { capacity }) => sum + (capacity as number), 0),
        count(stockStatuses.out),
        count(stockStatuses.low),
        lasting.length === 0 ? null : new Date(now.getTime() + Math.min(...lasting) * dayMs),
        losingSales(facts).reduce((sum, row) => sum + lostPerDay({ ...row, outlook: outlookOf(row) }, at), 0),
        facts.filter(({ differs }) => differs).length,
        facts.filter(({ waits }) => waits).length,
        now,
        null,
      ]
    }),
    replace,
  )
  // The list also has machines without selections.
  const empty = machineIds.filter((id) => !supplies.some(([machineId]) => machineId === id))
  if (empty.length === 0) return
  const machines = await db
    .from('machines')
    .where('machines.id', 'in', empty)
    .where('machines.manage_stock', '=', true)
    .select(['machines.merchant_id', 'machines.id'])
    .orderBy('machines.id')
    .execute()
  const nothing = [0, 0, 0, 0, 0, null, 0, 0, 0, now, null]
  const listed = machines.map(({ merchant_id, id }) => [merchant_id, id, ...nothing])
  await insertRows(db.query, 'machine_supplies', columns, listed, replace)
}

/** Machines of one transaction, and of one pass; a pass runs every minute. */
const atOnce = 50
const perPass = 2_000

/**
 * Computes the numbers of machines whose stock has changed, and of each machine once a day with its forecast. Returns the machines.
 */
export async function refreshDueSupplies(doors: Doors, now: Date): Promise<MachineKey[]> {
  const due = await doors.withSystem(
    'stock supplies',
    async (db) =>
      (
        await sql<MachineKey & { isDaily: boolean }>`
          select supply.merchant_id as "merchantId", supply.machine_id as "machineId",
            (supply.computed_at at time zone merchants.time_zone)::date < (${now}::timestamptz at time zone merchants.time_zone)::date
              or supply.selections = 0 as "isDaily"
          from machine_supplies supply join merchants on merchants.id = supply.merchant_id
          where (supply.stale_at is not null or supply.computed_at < ${new Date(now.getTime() - dayMs)})
          order by supply.stale_at nulls last, supply.machine_id limit ${perPass}`.execute(db)
      ).rows,
    'single statement',
  )
  for (const [merchantId, machines] of Map.groupBy(due, (machine) => machine.merchantId))
    for (let from = 0; from < machines.length; from += atOnce) {
      const some = machines.slice(from, from + atOnce)
      const daily = some.flatMap(({ machineId, isDaily }) => (isDaily ? [machineId] : []))
      const scope = [{ merchantId, groups: 'all' as const }]
      // Read before the journals are locked: no machine waits for it.
      const forecasts =
        daily.length === 0
          ? []
          : await doors.withTenant(scope, async (db) => {
              await writeServiceDays(db, daily, now)
              return computeForecasts(db, daily, now)
            })
      await doors.withTenant(scope, async (db) => {
        await lockJournals(
          db,
          some.map(({ machineId }) => ({ merchantId, id: machineId })),
        )
        await writeForecasts(db, forecasts)
        await refreshSupplies(
          db,
          some.map(({ machineId }) => machineId),
          now,
        )
      })
    }
  return due
}

type Ord = (typeof supplyOrds)[number]

/** The worst status of a machine's selections. */
export const supplyStatus = sql<number>`(case when supply.out > 0 then 1 when supply.low > 0 then 4 else 9 end)`

/** Managed machines with what is shown of them. Hidden machines are left out. */
const listedSupplies = (db: TenantDb) =>
  db.query
    .selectFrom('machine_supplies as supply')
    .where(db.narrow('machine_supplies', 'supply'))
    .innerJoin('merchants', 'merchants.id', 'supply.merchant_id')
    .innerJoin('machines as machine', (join) =>
      join
        .onRef('machine.merchant_id', '=', 'supply.merchant_id')
        .onRef('machine.id', '=', 'supply.machine_id')
        .on('machine.hidden', '=', false)
        .on('machine.manage_stock', '=', true),
    )
    .leftJoin('groups', (join) =>
      join.onRef('groups.merchant_id', '=', 'machine.merchant_id').onRef('groups.id', '=', 'machine.group_id'),
    )
    .leftJoin('clients', (join) =>
      join.onRef('clients.merchant_id', '=', 'machine.merchant_id').onRef('clients.id', '=', 'machine.client_id'),
    )
    .leftJoin('planograms', (join) =>
      join
        .onRef('planograms.merchant_id', '=', 'machine.merchant_id')
        .onRef('planograms.id', '=', 'machine.planogram_id'),
    )

/** Returns a function that builds a new query on the managed machines that match. */
export async function suppliesMatching(db: TenantDb, filters: SupplyFilters) {
  const isFound = await machinesFound(db, filters.search)
  return () =>
    listedSupplies(db)
      .where(hasFeature(db, 'productStock', 'supply'))
      .where(anyOf('machine.group_id', filters.groupIds, 'uuid'))
      .where(isFound('supply.machine_id'))
      .where(when(filters.clientId, (id) => sql<boolean>`machine.client_id = ${id}`))
      .where(when(filters.planogramId, (id) => sql<boolean>`machine.planogram_id = ${id}`))
      .where(when(filters.statuses, (some) => sql<boolean>`${supplyStatus} = any(${some}::int[])`))
      .where(anyOf('machine.stock_counted_by', filters.countedBy, 'text'))
      .where(
        when(
          filters.findings,
          (some) => sql<boolean>`(supply.differing > 0 and 'difference' = any(${some}::text[])
            or supply.waiting > 0 and 'waiting' = any(${some}::text[]))`,
        ),
      )
      .where(
        when(filters.emptyWithinDays, (days) => sql<boolean>`supply.empty_at < now() + make_interval(days => ${days})`),
      )
}

/** The figures of a machine that add up. */
const supplyFigures = {
  out: sql`supply.out`,
  low: sql`supply.low`,
  differing: sql`supply.differing`,
  waiting: sql`supply.waiting`,
  lost: sql`supply.lost_per_day`,
}

/** First the machine that is empty first. */
export const supplyOrdering = orderOf<Ord>({
  by: {
    emptyAt: sql`supply.empty_at`,
    fill: sql`supply.fill_percent`,
    ...supplyFigures,
    posName: sql`machine.name_order`,
    groupName: sql`lower(groups.name)`,
    merchant: sql`lower(merchants.name)`,
    status: supplyStatus,
    countedBy: sql`machine.stock_counted_by`,
    client: sql`lower(clients.name)`,
    planogram: sql`lower(planograms.name)`,
  },
  first: 'emptyAt',
  ties: sql`machine.name_order, supply.machine_id`,
})

/** A page of managed machines, and the total. */
export async function listSupplies(db: TenantDb, query: SupplyFilters & Page & Sorted<Ord>) {
  const matching = await suppliesMatching(db, query)
  const page = await pageOfAll(db, query, {
    matching,
    order: supplyOrdering(query),
    id: 'supply.machine_id',
    load: (ids, each) =>
      listedSupplies(each)
        .where(among('supply.machine_id', ids, 'uuid'))
        .selectAll('supply')
        .select(['supply.machine_id as id', 'merchants.name as merchant_name', 'merchants.time_zone'])
        .select(['merchants.currency', 'machine.name as machine_name', 'machine.serial'])
        .select(['machine.stock_counted_by as counted_by', 'groups.name as group_name'])
        .select(['clients.name as client_name', 'planograms.name as planogram_name', supplyStatus.as('status')])
        .execute(),
  })
  const totals = await totalsOf(db, matching, { currency: sql`merchants.currency`, of: supplyFigures })
  return { ...page, totals }
}
