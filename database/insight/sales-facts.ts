import { type RawBuilder, sql } from 'kysely'
import { backTypes, saleTypes } from '#contract/vocabulary/transaction.ts'
import { among, anyOf } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isSale } from '../sales/sales.ts'
import { machineProducts, machineSales, ofVends, placeSales } from '../sales/sales-to-date.ts'
import { hourlySales, kindsSold, productDetailOf, summedSales } from '../sales/summed-sales.ts'
import { stretchOf, wasAt } from '../sales/terms-of-day.ts'
import { handledPieces } from '../stock/visits/visit-pieces.ts'
import { filtersOf, needsMachine, needsProduct, type ReportOrder } from './report-grouping.ts'

/*
 * What a report of sales adds up, each source in the same columns: sales, refunds of sales, credit given, and visits.
 */

/** Figures of sales, and the reader's sight. */
export interface SalesOrder extends ReportOrder {
  /** Only turnover, as in the statistics; otherwise every type of transaction, the others in sums of their own. */
  isTurnover: boolean
  /** Whether products have costs and the reader may see them. */
  withCost: boolean
  /** Whether clients get a commission. */
  withCommission: boolean
  /** Whether visits are counted beside sales, with their costs or without; undefined: not at all. */
  withVisits?: 'counted' | 'costed' | undefined
}

/** The order of a period, and the first days of the stretches whose terms are the same; none where today's apply. */
export interface Dated extends SalesOrder {
  stretches: readonly string[]
}

/** The figures of sales that facts have: those of all machines, of commissions, or both. */
interface Figures {
  sold: boolean
  agreed: boolean
}

/** Columns of facts; a grouping that the order lacks is null, so that the sums are small before names are joined. */
function columnsOf({ by, withCost, withCommission, stretches }: Dated) {
  const has = (one: (typeof by)[number]) => by.includes(one)
  return {
    machine_id: needsMachine(by) || withCommission,
    product: needsProduct(by) || withCost,
    type: has('transactionType'),
    media_type: has('media'),
    price_table: has('priceTable'),
    hour: has('hour'),
    day: stretches.length > 0,
    group_id: false,
    client_id: false,
  }
}
type Columns = ReturnType<typeof columnsOf>
const typeOf = {
  machine_id: 'uuid',
  product: 'text',
  type: 'int',
  media_type: 'int',
  price_table: 'int',
  hour: 'int',
  day: 'date',
  group_id: 'uuid',
  client_id: 'uuid',
}
const groupedBy = sql.raw(Array.from({ length: Object.keys(typeOf).length + 1 }, (_, at) => at + 1).join(', '))

const columns = (included: Columns, valueOf: (name: keyof Columns) => RawBuilder<unknown>) =>
  sql.join(
    (Object.keys(included) as (keyof Columns)[]).map((name) =>
      included[name]
        ? sql`${valueOf(name)} as ${sql.ref(name)}`
        : sql`null::${sql.raw(typeOf[name])} as ${sql.ref(name)}`,
    ),
  )

/** Sums of facts; each source fills its own. */
const amounts = [
  'count',
  'value',
  'free_count',
  'error_count',
  'back',
  'other_count',
  'other_value',
  'refund_count',
  'refunded',
  // Of machines at clients with a commission.
  'agreed_value',
  'agreed_vends',
  'visits',
  'costed_visits',
  'visit_cost',
  'wasted_pieces',
  'costed_pieces',
  'wasted',
] as const
export type Amount = (typeof amounts)[number]
const amountsOf = (columns: Partial<Record<Amount, RawBuilder<unknown>>>) =>
  sql.join(amounts.map((name) => sql`${columns[name] ?? sql`null::numeric`} as ${sql.ref(name)}`))

const summedFilters = (order: Dated) => {
  const types = order.withCommission ? [...saleTypes, ...backTypes] : [...saleTypes]
  return { ...filtersOf(order), terms: order.terms, ...(order.isTurnover && { types }) }
}

/** Whether sums to date have the figures: of vends, without columns that they lack. */
const isToDate = ({ isTurnover }: Dated, { type, media_type, price_table, hour }: Columns) =>
  isTurnover && !type && !media_type && !price_table && !hour

/** Whether sums of places have them: of whole merchants, not machine by machine. */
const areOfPlaces = (db: TenantDb, order: Dated, included: Columns) =>
  isToDate(order, included) &&
  !order.by.includes('machine') &&
  (needsMachine(order.by) ||
    order.withCommission ||
    (included.product && [order.groupIds, order.clientIds].some((ids) => ids?.length))) &&
  !order.posIds?.length &&
  db.scope.every(({ groups }) => groups === 'all')

/** Sums to date `s` with the included columns; undefined where only sums of days have them. */
function toDateSource(db: TenantDb, order: Dated, included: Columns): RawBuilder<unknown> | undefined {
  if (included.client_id) return placeSales(db, summedFilters(order), order.stretches)
  if (!isToDate(order, included) || included.product || !included.machine_id) return undefined
  return machineSales(db, summedFilters(order), { stretches: order.stretches, isSold: true })
}

/** The sums of days that hold the included columns; the smaller they are, the cheaper. */
function sourceOf(db: TenantDb, order: Dated, included: Columns): RawBuilder<unknown> {
  const filters = summedFilters(order)
  const isFine = included.product || included.price_table
  if (isToDate(order, included) && included.product && included.machine_id) return machineProducts(db, filters)
  if (included.hour) return hourlySales(db, filters, isFine || included.machine_id ? 'machineProducts' : 'plain')
  if (isFine) return summedSales(db, filters, included.machine_id ? 'machineProducts' : productDetailOf(db, filters))
  return included.machine_id ? summedSales(db, filters) : kindsSold(db, filters)
}

/** Sales from sums, in the columns of facts. */
function soldFacts(db: TenantDb, order: Dated, included: Columns, { sold, agreed }: Figures) {
  const valueOf = (name: keyof Columns) => {
    if (name === 'hour') return sql`extract(hour from s.hour at time zone m.time_zone)::int`
    if (name === 'day') return stretchOf(order.stretches, sql`s.day`)
    return sql.ref(`s.${name}`)
  }
  const toDate = toDateSource(db, order, included)
  const sale = toDate ? ofVends : (name: string) => sql`sum(${sql.ref(`s.${name}`)}) filter (where ${isSale('s')})`
  return sql`
    select m.id as merchant_id, ${columns(included, valueOf)}, ${amountsOf({
      ...(sold && {
        count: sale('count'),
        value: sale('value'),
        free_count: sale('free_count'),
        error_count: sale('error_count'),
      }),
      ...(agreed && {
        agreed_value: sale('value'),
        agreed_vends: sql`${sale('count')} - ${sale('error_count')} - ${sale('free_count')}`,
        // A refund that failed is none.
        back: toDate
          ? sql`nullif(sum(s.back), 0)`
          : sql`nullif(sum(abs(s.value)) filter (where ${among('s.type', backTypes, 'int')}), 0)`,
      }),
      ...(sold &&
        !order.isTurnover && {
          other_count: sql`sum(s.count) filter (where not ${isSale('s')})`,
          other_value: sql`sum(s.value) filter (where not ${isSale('s')})`,
        }),
    })}
    from ${toDate ?? sourceOf(db, order, included)} group by ${groupedBy}
    ${toDate ? sql`having sum(s.count) filter (where ${isSale('s')}) <> 0 or sum(s.back) <> 0` : sql``}`
}

/** The columns of facts from a single transaction `t` of the merchant `m`. */
const ofTransaction = (order: Dated) => (name: keyof Columns) => {
  if (name === 'hour') return sql`extract(hour from t.created_at at time zone m.time_zone)::int`
  if (name === 'day') return stretchOf(order.stretches, sql`(t.created_at at time zone m.time_zone)::date`)
  if (name === 'product') return sql`coalesce(t.product, t.product_code, '')`
  if (name === 'group_id' || name === 'client_id') return sql`null::uuid`
  return name === 'price_table' ? sql`coalesce(t.price_table, -1)` : sql.ref(`t.${name}`)
}

/** Sales of the period that were paid back, in the same columns. There are few, so they are read one by one. */
function refundedFacts(db: TenantDb, order: Dated, included: Columns) {
  const { startDate, endDate, posIds } = order
  const row = {
    merchantId: sql`t.merchant_id`,
    machineId: sql`t.machine_id`,
    day: sql`(t.created_at at time zone m.time_zone)::date`,
  }
  return sql`
    select m.id as merchant_id, ${columns(included, ofTransaction(order))},
      ${amountsOf({ refund_count: sql`count(*)`, refunded: sql`sum(r.amount)` })}
    from merchants m
    join refunds r on ${db.own('r')} and r.merchant_id = m.id
      and r.transaction_at >= start_of_day(${startDate}::date, m.time_zone)
      and r.transaction_at < start_of_day(${endDate}::date + 1, m.time_zone)
    join transactions t on ${db.narrow('transactions', 't')} and t.merchant_id = r.merchant_id and t.id = r.transaction_id
      and t.created_at between r.transaction_at - interval '1 second' and r.transaction_at + interval '1 second'
    where ${db.narrow('merchants', 'm')} and ${hasFeature(db, 'customerMedia', 'r')} and ${wasAt(db, order, row)}
      and ${anyOf('t.machine_id', posIds, 'uuid')} and ${among('t.type', saleTypes, 'int')}
    group by ${groupedBy}`
}

/**
 * Cloud credit that was given in the period for vends: with the refunds of machines, it reduces what clients get, as in their statements. It
 * belongs to the day on which it was given.
 */
function creditedFacts(db: TenantDb, order: Dated, included: Columns) {
  const { startDate, endDate, posIds } = order
  const day = sql`(g.created_at at time zone m.time_zone)::date`
  const ofSale = ofTransaction(order)
  const valueOf = (name: keyof Columns) => {
    if (name === 'machine_id') return sql`g.pos_id`
    return name === 'day' ? stretchOf(order.stretches, day) : ofSale(name)
  }
  return sql`
    select m.id as merchant_id, ${columns(included, valueOf)}, ${amountsOf({ back: sql`sum(g.amount)` })}
    from merchants m
    join refunds g on ${db.narrow('refunds', 'g')} and g.merchant_id = m.id and g.kind = 'cloud' and g.transaction_id is not null
      and g.created_at >= start_of_day(${startDate}::date, m.time_zone)
      and g.created_at < start_of_day(${endDate}::date + 1, m.time_zone)
    left join transactions t on ${db.own('t')} and t.merchant_id = g.merchant_id and t.id = g.transaction_id
      and t.created_at between g.transaction_at - interval '1 second' and g.transaction_at + interval '1 second'
    where ${db.narrow('merchants', 'm')} and ${wasAt(db, order, { merchantId: sql`g.merchant_id`, machineId: sql`g.pos_id`, day })}
      and ${anyOf('g.pos_id', posIds, 'uuid')}
    group by ${groupedBy}`
}

/** Visits of the period at machines, which sold something or not. */
function visitFacts(db: TenantDb, order: Dated, included: Columns) {
  const { startDate, endDate, posIds } = order
  const day = sql`(v.at at time zone m.time_zone)::date`
  const valueOf = (name: keyof Columns) => {
    if (name === 'machine_id') return sql`v.machine_id`
    return name === 'day' ? stretchOf(order.stretches, day) : sql`null::${sql.raw(typeOf[name])}`
  }
  return sql`
    select m.id as merchant_id, ${columns(included, valueOf)}, ${amountsOf({
      visits: sql`count(*)`,
      ...(order.withVisits === 'costed' && {
        costed_visits: sql`count(v.cost)`,
        visit_cost: sql`coalesce(sum(v.cost), 0)`,
        wasted_pieces: sql`sum(handled.waste)`,
        costed_pieces: sql`sum(handled.costed_waste)`,
        wasted: sql`coalesce(sum(handled.wasted), 0)`,
      }),
    })}
    from merchants m
    join visits v on ${db.narrow('visits', 'v')} and v.merchant_id = m.id
      and v.at >= start_of_day(${startDate}::date, m.time_zone) and v.at < start_of_day(${endDate}::date + 1, m.time_zone)
    ${order.withVisits === 'costed' ? sql`cross join lateral ${handledPieces(db, 'v')} handled` : sql``}
    where ${db.narrow('merchants', 'm')} and ${hasFeature(db, 'productStock', 'v')}
      and ${wasAt(db, order, { merchantId: sql`v.merchant_id`, machineId: sql`v.machine_id`, day })}
      and ${anyOf('v.machine_id', posIds, 'uuid')}
    group by ${groupedBy}`
}

/** Machines of the order that are, or were since its first day, at a client which gets a commission, or got one. */
async function machinesAgreed(db: TenantDb, { startDate, posIds }: SalesOrder): Promise<string[]> {
  const clients = sql`
    select c.merchant_id, c.id from clients c where ${db.own('c')} and c.commission_kind <> 'none'
    union
    select f.merchant_id, f.client_id from former_client_terms f
    where ${db.own('f')} and f.commission_kind <> 'none' and f.until > ${startDate}::date`
  const { rows } = await sql<{ id: string }>`
    with agreed as (${clients})
    select p.id from machines p join agreed on agreed.merchant_id = p.merchant_id and agreed.id = p.client_id
    where ${db.narrow('machinesEver', 'p')} and ${anyOf('p.id', posIds, 'uuid')}
    union
    select f.machine_id from former_machine_places f join agreed on agreed.merchant_id = f.merchant_id and agreed.id = f.client_id
    where ${db.own('f')} and f.until > ${startDate}::date and ${anyOf('f.machine_id', posIds, 'uuid')}`.execute(
    db.query,
  )
  return rows.map(({ id }) => id)
}

/**
 * Sales with their commissions. Where neither sums of places have them nor a grouping is by machine, only machines with a commission are read one by one; the others are read in the
 * sums of their merchants, where these have them.
 */
async function salesFacts(db: TenantDb, order: Dated, included: Columns): Promise<RawBuilder<unknown>[]> {
  if (!order.withCommission) return [soldFacts(db, order, included, { sold: true, agreed: false })]
  if (included.client_id || needsMachine(order.by))
    return [soldFacts(db, order, included, { sold: true, agreed: true })]
  const all = soldFacts(
    db,
    { ...order, withCommission: false },
    { ...included, machine_id: false },
    { sold: true, agreed: false },
  )
  const posIds = await machinesAgreed(db, order)
  return posIds.length === 0
    ? [all]
    : [all, soldFacts(db, { ...order, posIds }, included, { sold: false, agreed: true })]
}

/** All facts of an order, in the same columns; of places where sums of places have them. */
export async function factsOf(
  db: TenantDb,
  order: Dated,
): Promise<{ facts: RawBuilder<unknown>; isOfPlaces: boolean }> {
  const columns = columnsOf(order)
  const isOfPlaces = areOfPlaces(db, order, columns)
  const included = { ...columns, group_id: isOfPlaces, client_id: isOfPlaces }
  const facts = [
    ...(await salesFacts(db, order, included)),
    refundedFacts(db, order, included),
    ...(order.withCommission ? [creditedFacts(db, order, included)] : []),
    ...(order.withVisits ? [visitFacts(db, order, included)] : []),
  ]
  return { facts: sql.join(facts, sql` union all `), isOfPlaces }
}
