import { type RawBuilder, sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { productJoins, productName } from './price.ts'
import { type PriceStep, placeholderRows, priceKeyColumns } from './price-edit.ts'

/** A machine whose prices change. */
export interface PriceTarget {
  merchantId: string
  machineId: string
  machineName: string
  planogramId: string | null
  currency: Currency
  timeZone: string
  /** The limit of a usual change, in percent. */
  bandPercent: number
}

export async function priceTargets(db: TenantDb, machineIds: readonly string[]): Promise<PriceTarget[]> {
  const { rows } = await sql<PriceTarget>`
    select machine.merchant_id as "merchantId", machine.id as "machineId", machine.name as "machineName",
      machine.planogram_id as "planogramId", merchants.currency, merchants.time_zone as "timeZone",
      settings.price_band_percent as "bandPercent"
    from machines machine join merchants on merchants.id = machine.merchant_id
    join merchant_settings settings on settings.merchant_id = machine.merchant_id
    where ${db.narrow('machines', 'machine')} and machine.id = any(${machineIds}::uuid[]) order by machine.id`.execute(
    db.query,
  )
  return rows
}

/** What narrows a change of prices. Empty lists and null narrow nothing. */
export interface PriceScope {
  priceTables: readonly number[]
  selections: readonly string[]
  productIds: readonly string[]
  productText: string | null
}

/** The price of a selection of a machine as it is now; `before` is wanted, otherwise reported, otherwise audited. */
export interface PresentPrice {
  machineId: string
  selection: string
  priceTable: number
  product: string | null
  wanted: number | null
  before: number | null
}

const present = sql<
  number | null
>`coalesce(price.wanted, case when not price.gone then coalesce(price.price, price.audited) end)`

const among = (
  selection: RawBuilder<unknown>,
  product: { id: RawBuilder<unknown>; name: RawBuilder<unknown> },
  { selections, productIds, productText }: PriceScope,
) => sql<boolean>`(${selections.length === 0} or ${selection} = any(${selections}::text[]))
  and (${productIds.length === 0} or ${product.id} = any(${productIds}::uuid[]))
  and ${holds(product.name, productText ?? undefined)}`

/** The prices that machines have, as far as they are in the scope of a change; at most `most`. */
export async function presentPrices(
  db: TenantDb,
  machineIds: readonly string[],
  scope: PriceScope,
  most: number,
): Promise<PresentPrice[]> {
  const { rows } = await sql<PresentPrice>`
    select price.machine_id as "machineId", price.selection, price.price_table as "priceTable", ${productName} as product,
      price.wanted, ${present} as before
    from machine_prices price
    join machines machine on machine.merchant_id = price.merchant_id and machine.id = price.machine_id
    ${productJoins}
    where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and price.price_table = any(${scope.priceTables}::smallint[]) and ${present} is not null
      and ${among(sql`price.selection`, { id: sql`named.id`, name: sql`coalesce(${productName}, '')` }, scope)}
    order by price.machine_id, price.selection, price.price_table limit ${most}`.execute(db.query)
  return rows
}

/** The same for some selections, whatever their product, and without names. */
export async function pricesBefore(
  db: TenantDb,
  machineIds: readonly string[],
  priceTables: readonly number[],
): Promise<Omit<PresentPrice, 'product'>[]> {
  const { rows } = await sql<Omit<PresentPrice, 'product'>>`
    select price.machine_id as "machineId", price.selection, price.price_table as "priceTable", price.wanted, ${present} as before
    from machine_prices price where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and price.price_table = any(${priceTables}::smallint[])`.execute(db.query)
  return rows
}

/** A price of a planogram. */
export interface PlanogramPrice {
  merchantId: string
  planogramId: string
  selection: string
  priceTable: number
  product: string | null
  price: number
}

/** The prices of planograms, as far as they are in the scope of a change. */
export async function planogramPrices(
  db: TenantDb,
  planogramIds: readonly string[],
  scope: PriceScope,
): Promise<PlanogramPrice[]> {
  const { rows } = await sql<PlanogramPrice>`
    select line.merchant_id as "merchantId", line.planogram_id as "planogramId", line.selection,
      priced.key::int as "priceTable", named.name as product, priced.value::int as price
    from planogram_lines line
    left join products named on named.merchant_id = line.merchant_id and named.id = line.product_id
    cross join lateral jsonb_each_text(line.prices) priced
    where ${db.own('line')} and line.planogram_id = any(${planogramIds}::uuid[])
      and priced.key::int = any(${scope.priceTables}::int[])
      and ${among(sql`line.selection`, { id: sql`named.id`, name: sql`coalesce(named.name, '')` }, scope)}`.execute(
    db.query,
  )
  return rows
}

/** Stores prices that start later, with the user who planned them; a later plan for the same price replaces an earlier one. */
export async function planPrices(
  db: TenantDb,
  steps: readonly (PriceStep & { startsAt: Date })[],
  plan: { source: 'bulk' | 'planogram' | 'machine'; send: boolean; user: { id: string; name: string } },
): Promise<void> {
  if (steps.length === 0) return
  await insertColumns(db.query, placeholderRows(steps), {
    table: 'planned_prices',
    columns: [
      ...priceKeyColumns(steps),
      { name: 'price', type: 'bigint', values: steps.map(({ after }) => after) },
      { name: 'starts_at', type: 'timestamptz', values: steps.map(({ startsAt }) => startsAt.toISOString()) },
      { name: 'send', type: 'boolean', value: plan.send },
      { name: 'source', type: 'text', value: plan.source },
      { name: 'planned_by', type: 'uuid', value: plan.user.id },
      { name: 'planned_by_name', type: 'text', value: plan.user.name },
    ],
    tail: `on conflict (merchant_id, machine_id, selection, price_table) do update set
      price = excluded.price, starts_at = excluded.starts_at, send = excluded.send, source = excluded.source,
      planned_by = excluded.planned_by, planned_by_name = excluded.planned_by_name`,
  })
}

/** Deletes the planned prices of a machine that have not started; returns them. */
export const cancelPlannedPrices = (db: TenantDb, machineId: string) =>
  db.query
    .deleteFrom('planned_prices')
    .where(db.narrow('planned_prices'))
    .where('machine_id', '=', machineId)
    .returning(['selection', 'price_table', 'price', 'starts_at'])
    .execute()
