import { type RawBuilder, sql } from 'kysely'
import type { StatsFilters, TransactionFilters } from '#contract/sales/transaction.ts'
import { isProductNamed } from '../facts/product-name.ts'
import { anyOf } from '../frame/conditions.ts'
import { withSeenTypes } from '../frame/sights/blind-count.ts'
import type { Scope, TenantDb } from '../frame/tenant.ts'
import { amounts } from '../sums/group-hours.ts'
import { groupSales, reachOf } from '../sums/group-sales.ts'
import { wasAt } from './terms-of-day.ts'

/** The detail of the sums: with products they have several times as many rows, and those by machine once more. */
export type SumsDetail = 'plain' | 'products' | 'machineProducts'

const codes = {
  plain: ['type', 'media_type', 'media_source'],
  products: ['type', 'media_type', 'media_source', 'price_table', 'product'],
  machineProducts: ['type', 'media_type', 'media_source', 'price_table', 'product'],
} as const satisfies Record<SumsDetail, readonly string[]>
const dailyTables = {
  plain: 'sales_daily',
  products: 'merchant_products_daily',
  machineProducts: 'product_sales_daily',
} as const

/** Local days, both inclusive, as SQL, because they may depend on the merchant. */
export interface DayStretch {
  from: RawBuilder<string>
  to: RawBuilder<string>
}
export const stretchOf = ({ startDate, endDate }: Pick<StatsFilters, 'startDate' | 'endDate'>): DayStretch => ({
  from: sql<string>`${startDate}::date`,
  to: sql<string>`${endDate}::date`,
})

/** The days of a stretch, one by one: an index that begins with the day then finds single machines. */
export const daysOf = ({ from, to }: DayStretch) =>
  sql`select d.day::date from generate_series((${from})::timestamp, (${to})::timestamp, '1 day') as d (day)`

/** Days of the merchant `m` within a stretch whose sums are valid. */
const closedDays = (db: TenantDb, { from, to }: DayStretch) => sql`
  select c.day from summed_days c where ${db.own('c')} and c.merchant_id = m.id and c.day between ${from} and ${to}
    and not exists (select 1 from changed_days x where ${db.own('x')} and x.merchant_id = c.merchant_id and x.day = c.day)`

/** The stretches between closed days; usually today alone. */
export const openStretches = (db: TenantDb, stretch: DayStretch): RawBuilder<unknown> => sql`
  select o.first, o.last from (
    select lag(b.day, 1, ${stretch.from} - 1) over (order by b.day) + 1 as first, b.day - 1 as last
    from (${closedDays(db, stretch)} union all select ${stretch.to} + 1) b
  ) o where o.first <= o.last`

type SumsTable = 'sales_hourly' | 'open_sales_hourly' | (typeof dailyTables)[SumsDetail]

/** Filters of sums. Those with products or price tables need a detail with products, those with machines or places one with machines. */
export type SummedFilters = StatsFilters & Pick<TransactionFilters, 'priceTables'>

/** The requested sums beside the period, of the merchant `m`. */
export function isSummed(db: TenantDb, filters: SummedFilters, table: SumsTable): RawBuilder<unknown> {
  const machines = { merchantId: sql`t.merchant_id`, machineId: sql`t.machine_id`, day: sql`t.day` }
  return sql`${db.narrow(table, 't')}
    and ${isOfKind(filters)('t')}
    and ${anyOf('t.machine_id', filters.posIds, 'uuid')}
    and ${wasAt(db, filters, machines)}
    and ${table === 'sales_daily' ? sql`true` : anyOf('t.price_table', filters.priceTables, 'int')}
    and ${filters.products?.length ? isProductNamed(db, filters.products, sql`t.merchant_id`, sql`t.product`) : sql`true`}`
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`t.${name}`)))

/**
 * Sums of the merchant `m` (its `id` and `time_zone`) within a stretch, each with its `day`: daily rows, which hold what is packed, and
 * open hours. `matching` is the condition on rows `t`. The cost depends on the stretch, not on the history: `offset 0`
 * keeps the planner from turning each merchant's days into a filter over the whole table.
 */
export function sumsWithin(
  db: TenantDb,
  stretch: DayStretch,
  matching: (table: SumsTable) => RawBuilder<unknown>,
  detail: SumsDetail = 'plain',
): RawBuilder<unknown> {
  const table = dailyTables[detail]
  const machine = detail === 'products' ? sql`null::uuid as machine_id` : sql`t.machine_id`
  const sums = sql`t.merchant_id, ${machine}, ${columns([...codes[detail], ...amounts])}`
  return sql`
    select * from (
      select t.day, ${sums} from ${sql.table(table)} t
      where ${db.own('t')} and t.merchant_id = m.id and t.day = any(array(${daysOf(stretch)})) and ${matching(table)} offset 0
    ) t
    union all
    select * from (
      select t.day, ${sums} from open_sales_hourly t
      where ${db.own('t')} and t.merchant_id = m.id and t.day = any(array(${daysOf(stretch)})) and ${matching('open_sales_hourly')} offset 0
    ) t`
}

const isBetween = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => (alias: string) =>
  sql`${sql.ref(`${alias}.day`)} between ${from} and ${to}`

/** The same without machines and products; the cost does not depend on the number of machines. */
export function groupSumsWithin(
  db: TenantDb,
  stretch: DayStretch,
  reach: Scope,
  matching: (alias: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const selected = columns([...codes.plain, ...amounts])
  const isClosed = (alias: string) => sql`${sql.ref(`${alias}.day`)} = any(array(${closedDays(db, stretch)}))`
  return sql`
    select * from (select t.day, ${selected} from (${groupSales(db, reach, 'day', 'm', isClosed, matching)}) t offset 0) t
    union all
    select t.* from (${openStretches(db, stretch)}) o
    cross join lateral (
      select t.day, ${selected}
      from (${groupSales(db, reach, 'hour', 'm', isBetween(sql`o.first`, sql`o.last`), matching)}) t offset 0
    ) t`
}

/** Whether sums by group can answer: they do not know single machines, clients or products, nor former groups. */
export const areOfGroups = ({
  posIds,
  groupIds,
  clientIds,
  products,
  terms,
}: Pick<StatsFilters, 'posIds' | 'groupIds' | 'clientIds' | 'products' | 'terms'>) =>
  !posIds?.length && !clientIds?.length && !products?.length && !(terms === 'ofDay' && groupIds?.length)

/** The requested kinds of sales. */
export const isOfKind = (filters: Pick<StatsFilters, 'types' | 'mediaTypes' | 'mediaSources'>) => (alias: string) =>
  sql`${anyOf(`${alias}.type`, filters.types, 'int')} and ${anyOf(`${alias}.media_type`, filters.mediaTypes, 'int')}
    and ${anyOf(`${alias}.media_source`, filters.mediaSources, 'int')}`

/** Sums `s` of the period and scope by kind, beside their merchants `m`, each with its `day`. */
export const kindsSold = (db: TenantDb, chosen: StatsFilters): RawBuilder<unknown> => {
  const filters = withSeenTypes(db, chosen)
  return areOfGroups(filters)
    ? sql`merchants m cross join lateral (
        ${groupSumsWithin(db, stretchOf(filters), reachOf(db.scope, filters.groupIds), isOfKind(filters))}
      ) s
      where ${db.narrow('merchants', 'm')}`
    : summedSales(db, filters)
}

/** The least detail with products that can answer: by machine, unless whole merchants are read, without their machines. */
export const productDetailOf = (db: TenantDb, filters: SummedFilters): SumsDetail =>
  db.scope.every(({ groups }) => groups === 'all') &&
  ![filters.posIds, filters.groupIds, filters.clientIds].some((ids) => ids?.length)
    ? 'products'
    : 'machineProducts'

/** Sums `s` of the period and scope, beside their merchants `m`, each with its `day`. */
export const summedSales = (
  db: TenantDb,
  filters: StatsFilters,
  detail: SumsDetail = filters.products?.length ? 'machineProducts' : 'plain',
): RawBuilder<unknown> => sql`
  merchants m cross join lateral (
    ${sumsWithin(db, stretchOf(filters), (table) => isSummed(db, withSeenTypes(db, filters), table), detail)}
  ) s
  where ${db.narrow('merchants', 'm')}`

/**
 * The hours `s` of the period and scope, beside their merchants `m`. By default without machines and products, where the filters need
 * neither.
 */
export function hourlySales(db: TenantDb, chosen: StatsFilters, detail: SumsDetail = 'plain'): RawBuilder<unknown> {
  const filters = withSeenTypes(db, chosen)
  const { from, to } = stretchOf(filters)
  const hours =
    detail === 'plain' && areOfGroups(filters)
      ? groupSales(db, reachOf(db.scope, filters.groupIds), 'hour', 'm', isBetween(from, to), isOfKind(filters))
      : sql`select * from sales_hourly t
        where t.merchant_id = m.id and ${isBetween(from, to)('t')} and ${isSummed(db, filters, 'sales_hourly')} offset 0`
  return sql`merchants m cross join lateral (${hours}) s where ${db.narrow('merchants', 'm')}`
}
