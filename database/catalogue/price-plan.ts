import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type {
  PlannedPriceFilters,
  PricePlanFilters,
  plannedPriceOrds,
  pricePlanOrds,
} from '#contract/catalogue/price-plan.ts'
import type { PlannedPriceStatus, PricePlanStatus } from '#contract/vocabulary/catalogue/price.ts'
import { priceKeyColumns } from '../facts/price-key.ts'
import { insertColumns } from '../frame/bulk-insert.ts'
import { anyOf, machinesFound, when } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { type PriceStep, placeholderRows } from './price-edit.ts'

export interface NewPlan {
  name: string | null
  startsOn: string
  source: 'bulk' | 'planogram' | 'machine'
  send: boolean
  at: Date
  user: { id: string; name: string }
}

/** Stores prices that start later, as one plan per merchant. Other plans of the same prices stay. */
export async function planPrices(
  db: TenantDb,
  steps: readonly (PriceStep & { startsAt: Date })[],
  { name, startsOn, source, send, at, user }: NewPlan,
): Promise<{ merchantId: string; id: string }[]> {
  if (steps.length === 0) return []
  const plans = new Map([...new Set(steps.map(({ merchantId }) => merchantId))].map((id) => [id, randomUUIDv7()]))
  const merchants = [...plans.keys()]
  await insertColumns(db.query, {
    table: 'price_plans',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: merchants },
      { name: 'id', type: 'uuid', values: [...plans.values()] },
      { name: 'name', type: 'text', values: merchants.map(() => name) },
      { name: 'starts_on', type: 'date', values: merchants.map(() => startsOn) },
      { name: 'send', type: 'boolean', value: send },
      { name: 'source', type: 'text', value: source },
      { name: 'created_at', type: 'timestamptz', value: at.toISOString() },
      { name: 'created_by', type: 'uuid', value: user.id },
      { name: 'created_by_name', type: 'text', value: user.name },
    ],
  })
  await insertColumns(db.query, placeholderRows(steps), {
    table: 'planned_prices',
    columns: [
      ...priceKeyColumns(steps),
      { name: 'plan_id', type: 'uuid', values: steps.map(({ merchantId }) => plans.get(merchantId)) },
      { name: 'before', type: 'bigint', values: steps.map(({ before }) => before) },
      { name: 'price', type: 'bigint', values: steps.map(({ after }) => after) },
      { name: 'starts_at', type: 'timestamptz', values: steps.map(({ startsAt }) => startsAt.toISOString()) },
    ],
  })
  return [...plans].map(([merchantId, id]) => ({ merchantId, id }))
}

/** The lines of a plan that the scope sees. */
const linesOf = (db: TenantDb) => sql`planned_prices line where ${db.narrow('planned_prices', 'line')}
  and line.merchant_id = price_plans.merchant_id and line.plan_id = price_plans.id`
const hasLine = (db: TenantDb, status: PlannedPriceStatus) =>
  sql`exists (select 1 from ${linesOf(db)} and line.status = ${status})`
/** A plan is planned until its last price has started or was cancelled. */
const status = (db: TenantDb) => sql<PricePlanStatus>`(case when ${hasLine(db, 'planned')} then 'planned'
  when ${hasLine(db, 'started')} then 'started' else 'cancelled' end)`
const countOf = (db: TenantDb, what: RawBuilder<unknown>, where = sql`true`) =>
  sql<number>`(select ${what} from ${linesOf(db)} and ${where})`
const isOpen = sql`line.status = 'planned'`

/** The values of a plan beside its row. */
export const planValues = (db: TenantDb) => ({
  status: status(db),
  machines: countOf(db, sql`count(distinct line.machine_id)::int`),
  prices: countOf(db, sql`count(*)::int`),
  open: countOf(db, sql`count(*)::int`, isOpen),
  open_machines: countOf(db, sql`count(distinct line.machine_id)::int`, isOpen),
})

const startDay = (bound: string | undefined, how: '>=' | '<=') =>
  when(bound, (date) => sql<boolean>`price_plans.starts_on ${sql.raw(how)} ${date}::date`)

/** Returns a function that builds a new query on the plans that match and have prices in the scope. */
export function pricePlansMatching(db: TenantDb, { search, statuses, posIds, startDate, endDate }: PricePlanFilters) {
  const machines = anyOf('line.machine_id', posIds, 'uuid')
  return () =>
    db
      .from('price_plans')
      .innerJoin('merchants', 'merchants.id', 'price_plans.merchant_id')
      .where(hasFeature(db, 'vending', 'price_plans'))
      .where(sql<boolean>`exists (select 1 from ${linesOf(db)} and ${machines})`)
      .where(startDay(startDate, '>='))
      .where(startDay(endDate, '<='))
      .where(holds(sql`coalesce(price_plans.name, '') || ' ' || coalesce(price_plans.created_by_name, '')`, search))
      .where(when(statuses, (some) => sql<boolean>`${status(db)} = any(${some}::text[])`))
}

type PlanOrd = (typeof pricePlanOrds)[number]

/** The latest start first by default. */
export const pricePlanOrdering = (db: TenantDb) => {
  const { status, machines, prices } = planValues(db)
  return orderOf<PlanOrd>({
    by: {
      merchant: sql`lower(merchants.name)`,
      status: sql`array_position(array['planned', 'started', 'cancelled'], ${status})`,
      machines,
      prices,
      cancelledAt: sql`price_plans.cancelled_at`,
      startsOn: sql`price_plans.starts_on`,
      createdAt: sql`price_plans.created_at`,
      name: sql`lower(price_plans.name)`,
    },
    first: 'startsOn',
    falling: 'all',
    ties: sql`price_plans.id desc`,
  })
}

function planRows(db: TenantDb, query: ReturnType<ReturnType<typeof pricePlansMatching>>) {
  const values = planValues(db)
  return query
    .selectAll('price_plans')
    .select(['merchants.name as merchant_name', 'merchants.time_zone'])
    .select([
      values.status.as('status'),
      values.machines.as('machines'),
      values.prices.as('prices'),
      values.open.as('open'),
      values.open_machines.as('open_machines'),
    ])
}

/** A page of plans, and the total. */
export const listPricePlans = (db: TenantDb, query: PricePlanFilters & Page & Sorted<PlanOrd>) =>
  pageOf(db, query, {
    matching: pricePlansMatching(db, query),
    order: pricePlanOrdering(db)(query),
    select: (plans) => planRows(db, plans),
  })

/** A plan with prices in the scope; undefined outside it. */
export const findPricePlan = (db: TenantDb, id: string) =>
  planRows(db, pricePlansMatching(db, {})()).where('price_plans.id', '=', id).executeTakeFirst()

/** Machines of a plan with prices that have not started. */
export const openMachinesOf = (db: TenantDb, planId: string): Promise<{ merchantId: string; id: string }[]> =>
  db
    .from('planned_prices')
    .where('planned_prices.plan_id', '=', planId)
    .where('planned_prices.status', '=', 'planned')
    .select(['planned_prices.merchant_id as merchantId', 'planned_prices.machine_id as id'])
    .distinct()
    .execute()

/** Ends planned prices that have not started; the caller has locked the machines' journals. Returns the prices. */
export const endPlanned = (
  db: TenantDb,
  of: { planId: string } | { machineId: string },
  end: Extract<PlannedPriceStatus, 'cancelled' | 'lost'>,
) =>
  db.query
    .updateTable('planned_prices')
    .set({ status: end })
    .where(db.narrow('planned_prices'))
    .where('status', '=', 'planned')
    .where(
      'planId' in of ? sql<boolean>`plan_id = ${of.planId}::uuid` : sql<boolean>`machine_id = ${of.machineId}::uuid`,
    )
    .returning(['merchant_id', 'machine_id', 'plan_id', 'selection', 'price_table', 'price', 'starts_at'])
    .execute()

/** Notes who cancelled plans, and when. */
export const markCancelled = (
  db: TenantDb,
  merchantId: string,
  planIds: readonly string[],
  { at, user }: { at: Date; user: { id: string; name: string } },
) =>
  db.query
    .updateTable('price_plans')
    .set({ cancelled_at: at, cancelled_by: user.id, cancelled_by_name: user.name })
    .where(db.narrow('price_plans'))
    .where('merchant_id', '=', merchantId)
    .where(sql<boolean>`id = any(${planIds}::uuid[])`)
    .execute()

/** Of the planogram, otherwise the product that the reported name is mapped to, otherwise the reported name. */
export const plannedProduct = sql<string | null>`coalesce(named.name, price.product)`

/** Returns a function that builds a new query on the planned prices that match. */
export async function plannedPricesMatching(db: TenantDb, filters: PlannedPriceFilters) {
  const isFound = await machinesFound(db, filters.search)
  return () =>
    db
      .from('planned_prices')
      .innerJoin('merchants', 'merchants.id', 'planned_prices.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join
          .on(db.own('machine'))
          .onRef('machine.merchant_id', '=', 'planned_prices.merchant_id')
          .onRef('machine.id', '=', 'planned_prices.machine_id'),
      )
      .leftJoin('machine_prices as price', (join) =>
        join
          .on(db.own('price'))
          .onRef('price.merchant_id', '=', 'planned_prices.merchant_id')
          .onRef('price.machine_id', '=', 'planned_prices.machine_id')
          .onRef('price.selection', '=', 'planned_prices.selection')
          .onRef('price.price_table', '=', 'planned_prices.price_table'),
      )
      .leftJoin('planogram_lines as line', (join) =>
        join
          .on(db.own('line'))
          .onRef('line.merchant_id', '=', 'planned_prices.merchant_id')
          .onRef('line.planogram_id', '=', 'machine.planogram_id')
          .onRef('line.selection', '=', 'planned_prices.selection'),
      )
      .leftJoin('product_codes as coded', (join) =>
        join
          .on(db.own('coded'))
          .onRef('coded.merchant_id', '=', 'planned_prices.merchant_id')
          .onRef('coded.code', '=', 'price.product'),
      )
      .leftJoin('products as named', (join) =>
        join
          .on(db.own('named'))
          .onRef('named.merchant_id', '=', 'planned_prices.merchant_id')
          .on(sql<boolean>`named.id = coalesce(line.product_id, coded.product_id)`),
      )
      .where(hasFeature(db, 'vending', 'planned_prices'))
      .where(anyOf('planned_prices.plan_id', filters.pricePlanIds, 'uuid'))
      .where(anyOf('planned_prices.machine_id', filters.posIds, 'uuid'))
      .where(anyOf('planned_prices.status', filters.statuses, 'text'))
      .where(isFound('planned_prices.machine_id'))
}

type PriceOrd = (typeof plannedPriceOrds)[number]

/** By machine and selection by default. */
export const plannedPriceOrdering = orderOf<PriceOrd>({
  by: {
    posName: sql`lower(machine.name)`,
    selection: sql`lower(planned_prices.selection)`,
    startsAt: sql`planned_prices.starts_at`,
    merchant: sql`lower(merchants.name)`,
    product: sql`lower(${plannedProduct})`,
    priceTable: sql`planned_prices.price_table`,
    before: sql`planned_prices.before`,
    price: sql`planned_prices.price`,
    status: sql`planned_prices.status`,
  },
  first: 'posName',
  ties: sql`planned_prices.machine_id, lower(planned_prices.selection), planned_prices.price_table, planned_prices.plan_id`,
})

/** A page of planned prices, and the total. */
export const listPlannedPrices = async (db: TenantDb, query: PlannedPriceFilters & Page & Sorted<PriceOrd>) =>
  pageOf(db, query, {
    matching: await plannedPricesMatching(db, query),
    order: plannedPriceOrdering(query),
    select: (prices) =>
      prices
        .selectAll('planned_prices')
        .select(['merchants.name as merchant_name', 'merchants.time_zone', 'merchants.currency'])
        .select(['machine.name as machine_name', plannedProduct.as('product')]),
  })
