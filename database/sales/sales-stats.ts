import { type RawBuilder, sql } from 'kysely'
import type { posSumsOrds, StatsFilters, StatsStep } from '#contract/sales/transaction.ts'
import type { Period } from '#domain/time/period.ts'
import { productOfCode } from '../facts/product-name.ts'
import { eachOf, gathered, isApart } from '../frame/apart/apart.ts'
import { limitedTo, orderOf, type Page, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type Amounts, amountsOf, sumsOfAmounts } from '../sums/group-hours.ts'
import { isSale } from './sales.ts'
import { areToDate, machineSales } from './sales-to-date.ts'
import { hourlySales, kindsSold, productDetailOf, summedSales } from './summed-sales.ts'

/** Sums over rows `s` in the currency of their merchants. */
export interface SumsRecord extends Amounts {
  currency: string
}

const sums = sumsOfAmounts('s')

/** Sums of the whole period, one row per currency. */
export async function totalsOfPeriod(db: TenantDb, filters: StatsFilters): Promise<SumsRecord[]> {
  const each = await gathered(db, sql`select m.currency, ${sums} from ${kindsSold(db, filters)} group by 1`)
  const { rows } = await sql<SumsRecord>`select s.currency, ${sums} from ${each} s group by 1 order by 1`.execute(
    db.query,
  )
  return rows
}

const formats = { hour: 'YYYY-MM-DD"T"HH24:MI', day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM-DD' }

/** Sums per step of the merchants' local time; a step without sales has no row. */
export async function seriesOfPeriod(db: TenantDb, filters: StatsFilters, step: StatsStep) {
  // Hours and days are summed first, because local time is expensive to compute.
  const steps =
    step === 'hour'
      ? sql`(select m.currency, s.hour at time zone m.time_zone as start, ${sums} from ${hourlySales(db, filters)}
          group by m.currency, m.time_zone, s.hour)`
      : sql`(select m.currency, s.day::timestamp as start, ${sums} from ${kindsSold(db, filters)} group by 1, 2)`
  const each = await gathered(
    db,
    sql`select s.currency, to_char(date_trunc(${sql.lit(step)}, s.start), ${sql.lit(formats[step])}) as start, ${sums}
      from ${steps} s group by 1, 2`,
  )
  const { rows } = await sql<SumsRecord & { start: string }>`
    select s.currency, s.start, ${sums} from ${each} s group by 1, 2 order by 2, 1`.execute(db.query)
  return rows
}

export type UsedColumn = 'type' | 'media_type' | 'media_source'

/** The codes that occur, the most used first. */
export async function codesUsed(db: TenantDb, filters: StatsFilters, column: UsedColumn) {
  return usedMost(
    db,
    sql`select ${sql.ref(`s.${column}`)} as code, m.currency, ${sums}
    from ${kindsSold(db, filters)} group by 1, 2`,
  )
}

/** Sums by code and currency of each merchant, added up; the most used first. */
async function usedMost(db: TenantDb, ofMerchants: RawBuilder<unknown>) {
  const { rows } = await sql<SumsRecord & { code: number }>`
    select s.code, s.currency, ${sums} from ${await gathered(db, ofMerchants)} s
    group by 1, 2 order by sum(s.count) desc, 1, 2`.execute(db.query)
  return rows
}

/** The value for sales without a price list. */
export const noPriceTable = -1

/** At most this many products are listed; the most sold ones. */
const mostProducts = 200

/**
 * The products sold, the most sold first; '' for sales without a product. Codes that mean one product are added up. Of several merchants,
 * products of one name are.
 */
export async function productsUsed(db: TenantDb, filters: StatsFilters) {
  const identity = db.scope.length === 1 ? sql`of_code.id` : sql`null::uuid`
  const each = await gathered(
    db,
    sql`select coalesce(of_code.name, s.product) as product, s.currency, ${identity} as id, ${sums}
    from (select s.merchant_id, s.product, m.currency, ${sums}
      from ${summedSales(db, filters, productDetailOf(db, filters))} and ${isSale('s')} group by 1, 2, 3) s
    left join lateral (${productOfCode(db, sql`s.merchant_id`, sql`s.product`)}) of_code on true
    group by 1, 2, 3`,
  )
  const { rows } = await sql<SumsRecord & { product: string }>`
    select s.product, s.currency, ${sums} from ${each} s
    group by 1, 2, s.id order by sum(s.count) desc, 1, 2, s.id limit ${mostProducts}`.execute(db.query)
  return rows
}

/** The price lists used, the most used first; noPriceTable for sales without one. */
export async function priceTablesUsed(db: TenantDb, filters: StatsFilters) {
  return usedMost(
    db,
    sql`select s.price_table as code, m.currency, ${sums}
    from ${summedSales(db, filters, productDetailOf(db, filters))} and ${isSale('s')} group by 1, 2`,
  )
}

type Ord = (typeof posSumsOrds)[number]

interface Names {
  name: RawBuilder<unknown>
  serial: RawBuilder<unknown>
  merchant: RawBuilder<unknown>
}

/** The order of machines by the sums of a relation, and by names. `before`: whether it has the figures to compare with. */
const orderingBy = (sums: string, { name, serial, merchant }: Names, hasBefore: boolean) => {
  const figure = (column: string) => sql`${sql.ref(`${sums}.${column}`)}`
  const change = (column: 'value' | 'count') =>
    hasBefore ? sql`abs(${figure(column)} - ${figure(`${column}_before`)})` : figure(column)
  return orderOf<Ord>({
    by: {
      value: figure('value'),
      count: figure('count'),
      posName: sql`lower(${name})`,
      merchant: sql`lower(${merchant})`,
      serial,
      average: sql`coalesce(round(${figure('value')}::numeric / nullif(${figure('count')} - ${figure('error_count')}, 0)), 0)`,
      freeCount: figure('free_count'),
      errorCount: figure('error_count'),
      change: change('value'),
      countChange: change('count'),
    },
    first: 'value',
    falling: ['value', 'count', 'average', 'freeCount', 'errorCount', 'change', 'countChange'],
    ties: sql`${sql.ref(`${sums}.machine_id`)}`,
  })
}
const machineOrdering = orderingBy('s', { name: sql`p.name`, serial: sql`p.serial`, merchant: sql`m.name` }, false)
const nameOrds: readonly (Ord | undefined)[] = ['posName', 'merchant', 'serial']
const changeOrds: readonly (Ord | undefined)[] = ['change', 'countChange']

/** Sums of the period by machine, with the merchants of `s`. */
const machineTotals = (db: TenantDb, filters: StatsFilters): RawBuilder<unknown> =>
  areToDate(filters, undefined)
    ? sql`select s.merchant_id, s.machine_id, ${sums} from ${machineSales(db, filters)} group by 1, 2 having sum(s.count) <> 0`
    : sql`select s.merchant_id, s.machine_id, ${sums} from ${summedSales(db, filters)} group by 1, 2`

/** Sums `x` by machine beside those of other periods, each with its place in the requested order. */
export async function machineSumsOf(
  db: TenantDb,
  filters: StatsFilters,
  by: Sorted<Ord>,
  periods: readonly Period[] = [],
): Promise<RawBuilder<unknown>> {
  const each = await gathered(
    db,
    sql`select s.machine_id, p.name, p.serial, m.id as merchant_id, m.name as merchant_name, m.currency, m.time_zone, ${amountsOf('s')}
    from (${machineTotals(db, filters)}) s
    join merchants m on m.id = s.merchant_id
    join machines p on ${db.own('p')} and p.merchant_id = s.merchant_id and p.id = s.machine_id`,
  )
  const sums =
    periods.length > 0
      ? sql`select now.*, coalesce(b.value, 0) as value_before, coalesce(b.count, 0) as count_before from ${each} now
          left join ${await gathered(db, meansByMachine(db, filters, periods))} b
            on b.merchant_id = now.merchant_id and b.machine_id = now.machine_id`
      : sql`select now.*, null::float8 as value_before, null::float8 as count_before from ${each} now`
  const names = { name: sql`x.name`, serial: sql`x.serial`, merchant: sql`x.merchant_name` }
  const order = orderingBy('x', names, periods.length > 0)(by)
  return sql`select x.*, row_number() over (order by ${order}) as place from (${sums}) x`
}

/** Sums `x` by machine over periods, as the mean of each. */
export const meansByMachine = (
  db: TenantDb,
  filters: StatsFilters,
  periods: readonly Period[],
): RawBuilder<unknown> => sql`
  select b.merchant_id, b.machine_id, ${sql.join(
    (['value', 'count', 'free_count', 'error_count'] as const).map(
      (name) => sql`sum(${sql.ref(`b.${name}`)})::float8 / ${sql.lit(periods.length)} as ${sql.ref(name)}`,
    ),
  )}
  from (${sql.join(
    periods.map(
      (period) => sql`select s.merchant_id, s.machine_id, s.value, s.count, s.free_count, s.error_count
        from (${machineTotals(db, { ...filters, ...period })}) s`,
    ),
    sql` union all `,
  )}) b group by 1, 2`

/** The figures of machines to compare with, by machine. */
export async function sumsBefore(
  db: TenantDb,
  filters: StatsFilters,
  periods: readonly Period[],
  machineIds: readonly string[],
): Promise<Map<string, Record<'value' | 'count' | 'free_count' | 'error_count', number>>> {
  if (periods.length === 0 || machineIds.length === 0) return new Map()
  const { rows } = await sql<{
    machine_id: string
    value: number
    count: number
    free_count: number
    error_count: number
  }>`
    select * from (${meansByMachine(db, { ...filters, posIds: [...machineIds] }, periods)}) x`.execute(eachOf(db).query)
  return new Map(rows.map((row) => [row.machine_id, row]))
}

/** Sums by machine. Unless names or changes put them in order, only the machines of the page are looked up. */
export async function sumsByMachine(
  db: TenantDb,
  filters: StatsFilters,
  page: Page & Sorted<Ord>,
  periods: readonly Period[] = [],
) {
  const isByChange = periods.length > 0 && changeOrds.includes(page.ord)
  const { rows } =
    isApart(db) || isByChange
      ? await sql<MachineSums>`select x.*, count(*) over ()::int as total
          from (${await machineSumsOf(db, filters, page, isByChange ? periods : [])}) x order by place ${limitedTo(page)}`.execute(
          isApart(db) ? db.query : eachOf(db).query,
        )
      : await machinesOfPage(db, filters, page).execute(eachOf(db).query)
  const total = rows[0]?.total ?? 0
  // All machines are summed to find their order, so their number is exact.
  return { rows, total, capped: false }
}

interface MachineSums extends SumsRecord {
  machine_id: string
  name: string
  serial: string
  merchant_id: string
  merchant_name: string
  total: number
}

/** The same in one statement: only the machines of the page get their names, unless these order them. */
function machinesOfPage(db: TenantDb, filters: StatsFilters, page: Page & Sorted<Ord>): RawBuilder<MachineSums> {
  const totals = machineTotals(db, filters)
  const isByName = nameOrds.includes(page.ord)
  return sql`
    with s as materialized (select s.*, count(*) over ()::int as total from (${totals}) s
      ${isByName ? sql`` : sql`order by ${machineOrdering(page)} ${limitedTo(page)}`})
    select s.machine_id, p.name, p.serial, m.id as merchant_id, m.name as merchant_name, m.currency, m.time_zone, ${amountsOf('s')}, s.total
    from s join merchants m on m.id = s.merchant_id
    join machines p on ${db.own('p')} and p.merchant_id = s.merchant_id and p.id = s.machine_id
    order by ${machineOrdering(page)} ${isByName ? limitedTo(page) : sql``}`
}
