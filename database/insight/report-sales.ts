import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { SummedRow } from '#domain/insight/report.ts'
import { among, anyOf } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { hourlySales, kindsSold, summedSales } from '../sales/summed-sales.ts'
import { filtersOf, groupedSums, needsMachine, needsProduct, type ReportOrder } from './report-grouping.ts'

/** Figures of sales, and the reader's sight. */
export interface SalesOrder extends ReportOrder {
  /** Only turnover, as in the statistics; otherwise every type of transaction. */
  isTurnover: boolean
  /** Whether products have costs and the reader may see them. */
  withCost: boolean
}

/** Columns of facts; a grouping that the order lacks is null, so that the sums are small before names are joined. */
function columnsOf({ by, withCost }: Pick<SalesOrder, 'by' | 'withCost'>) {
  const has = (one: (typeof by)[number]) => by.includes(one)
  return {
    machine_id: needsMachine(by),
    product: needsProduct(by) || withCost,
    type: has('transactionType'),
    media_type: has('media'),
    price_table: has('priceTable'),
    hour: has('hour'),
  }
}
type Columns = ReturnType<typeof columnsOf>
const typeOf = { machine_id: 'uuid', product: 'text', type: 'int', media_type: 'int', price_table: 'int', hour: 'int' }

const columns = (wanted: Columns, valueOf: (name: keyof Columns) => RawBuilder<unknown>) =>
  sql.join(
    (Object.keys(wanted) as (keyof Columns)[]).map((name) =>
      wanted[name]
        ? sql`${valueOf(name)} as ${sql.ref(name)}`
        : sql`null::${sql.raw(typeOf[name])} as ${sql.ref(name)}`,
    ),
  )

/** The sums that hold the wanted columns; the smaller they are, the cheaper. */
function sourceOf(db: TenantDb, order: SalesOrder, wanted: Columns): RawBuilder<unknown> {
  const filters = { ...filtersOf(order), ...(order.isTurnover && { types: [...saleTypes] }) }
  const isFine = wanted.product || wanted.price_table
  if (wanted.hour) return hourlySales(db, filters, isFine || wanted.machine_id ? 'products' : 'plain')
  if (isFine) return summedSales(db, filters, 'products')
  return wanted.machine_id ? summedSales(db, filters) : kindsSold(db, filters)
}

/** Sales from sums, in the columns of facts. */
const soldFacts = (db: TenantDb, order: SalesOrder, wanted: Columns) => sql`
  select m.id as merchant_id, ${columns(wanted, (name) =>
    name === 'hour' ? sql`extract(hour from s.hour at time zone m.time_zone)::int` : sql.ref(`s.${name}`),
  )}, sum(s.count) as count, sum(s.value) as value, sum(s.free_count) as free_count, sum(s.error_count) as error_count,
    0::numeric as refund_count, 0::numeric as refunded
  from ${sourceOf(db, order, wanted)} group by 1, 2, 3, 4, 5, 6, 7`

/** Sales of the period that were paid back, in the same columns. There are few, so they are read one by one. */
function refundedFacts(db: TenantDb, order: SalesOrder, wanted: Columns) {
  const { startDate, endDate, groupIds, clientIds, posIds } = order
  const machines =
    groupIds?.length || clientIds?.length
      ? sql`t.machine_id in (select p.id from machines p where ${db.own('p')} and p.merchant_id = t.merchant_id
          and ${anyOf('p.group_id', groupIds, 'uuid')} and ${anyOf('p.client_id', clientIds, 'uuid')})`
      : sql`true`
  const valueOf = (name: keyof Columns) => {
    if (name === 'hour') return sql`extract(hour from t.created_at at time zone m.time_zone)::int`
    if (name === 'product') return sql`coalesce(t.product, t.product_code, '')`
    return name === 'price_table' ? sql`coalesce(t.price_table, -1)` : sql.ref(`t.${name}`)
  }
  return sql`
    select m.id as merchant_id, ${columns(wanted, valueOf)}, 0::numeric as count, 0::numeric as value,
      0::numeric as free_count, 0::numeric as error_count, count(*) as refund_count, sum(r.amount) as refunded
    from merchants m
    join refunds r on ${db.own('r')} and r.merchant_id = m.id
      and r.transaction_at >= start_of_day(${startDate}::date, m.time_zone)
      and r.transaction_at < start_of_day(${endDate}::date + 1, m.time_zone)
    join transactions t on ${db.narrow('transactions', 't')} and t.merchant_id = r.merchant_id and t.id = r.transaction_id
      and t.created_at between r.transaction_at - interval '1 second' and r.transaction_at + interval '1 second'
    where ${db.narrow('merchants', 'm')} and ${hasFeature(db, 'customerMedia', 'r')} and ${machines}
      and ${anyOf('t.machine_id', posIds, 'uuid')}
      ${order.isTurnover ? sql`and ${among('t.type', saleTypes, 'int')}` : sql``}
    group by 1, 2, 3, 4, 5, 6, 7`
}

/** Sums of sales of a period by the order's groupings. Costs are those of today, of vends that did not fail. */
export function salesByGrouping(db: TenantDb, order: SalesOrder, limit: number): Promise<SummedRow[]> {
  const wanted = columnsOf(order)
  const total = (name: string) => sql`sum(${sql.ref(`x.${name}`)})::bigint`
  return groupedSums(
    db,
    order,
    {
      facts: sql`${soldFacts(db, order, wanted)} union all ${refundedFacts(db, order, wanted)}`,
      sums: {
        count: total('count'),
        value: total('value'),
        freeCount: total('free_count'),
        errorCount: total('error_count'),
        refundCount: total('refund_count'),
        refunded: total('refunded'),
        ...(order.withCost && {
          cost: sql`sum((x.count - x.error_count) * sold.cost)::bigint`,
          costedValue: sql`(sum(x.value) filter (where sold.cost is not null))::bigint`,
        }),
      },
    },
    { limit, withProduct: order.withCost },
  )
}

/** Whether a product of the scope has a cost. */
export async function hasCosts(db: TenantDb): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from products where ${db.narrow('products')} and cost is not null) as found`.execute(db.query)
  return rows[0]?.found ?? false
}

/** What sold-out selections lose per day now, by machine, client or group. */
export function lostByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { groupIds, clientIds, posIds } = order
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select l.merchant_id, l.machine_id, l.lost_per_day
        from machine_supplies l join machines own on ${db.narrow('machines', 'own')} and own.merchant_id = l.merchant_id and own.id = l.machine_id
        where ${db.own('l')} and ${hasFeature(db, 'productStock', 'l')} and not own.hidden
          and ${anyOf('own.group_id', groupIds, 'uuid')} and ${anyOf('own.client_id', clientIds, 'uuid')}
          and ${anyOf('own.id', posIds, 'uuid')}`,
      sums: { lostPerDay: sql`sum(x.lost_per_day)::bigint` },
    },
    { limit },
  )
}

/** The names of parameters that products of the scope have. */
export async function parameterNames(db: TenantDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct e.value ->> 'name' as name from products
    cross join lateral jsonb_array_elements(products.parameters) e
    where ${db.narrow('products')} order by 1 limit 200`.execute(db.query)
  return rows.map(({ name }) => name)
}
