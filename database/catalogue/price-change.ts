import { type RawBuilder, sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { containsPart } from '../frame/text-search.ts'
import { productJoins, productName } from './price.ts'

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

/** What narrows a change of prices. Empty lists and null narrow nothing. `startsOn`: the first day of the new prices; null: now. */
export interface PriceScope {
  startsOn: string | null
  priceTables: readonly number[]
  selections: readonly string[]
  productIds: readonly string[]
  productText: string | null
}

/**
 * The price of a selection of a machine. `before`: the price in force when the change starts, which is that of the last plan until then, otherwise
 * wanted, otherwise reported, otherwise audited.
 */
export interface PresentPrice {
  machineId: string
  selection: string
  priceTable: number
  product: string | null
  wanted: number | null
  before: number | null
}

/** The price of the last plan that has started by a day; on the same day the newer plan wins. */
const plannedUntil = (db: TenantDb, startsOn: string) => sql`(
  select planned.price from planned_prices planned
  join price_plans plan on ${db.own('plan')} and plan.merchant_id = planned.merchant_id and plan.id = planned.plan_id
  where ${db.own('planned')} and planned.merchant_id = price.merchant_id and planned.machine_id = price.machine_id
    and planned.selection = price.selection and planned.price_table = price.price_table and planned.status = 'planned'
    and plan.starts_on <= ${startsOn}::date
  order by plan.starts_on desc, plan.id desc limit 1)`

const present = (db: TenantDb, startsOn: string | null) => sql<number | null>`coalesce(
  ${startsOn === null ? sql`null` : plannedUntil(db, startsOn)}, price.wanted,
  case when not price.gone then coalesce(price.price, price.audited) end)`

const among = (
  selection: RawBuilder<unknown>,
  product: { id: RawBuilder<unknown>; name: RawBuilder<unknown> },
  { selections, productIds, productText }: PriceScope,
) => sql<boolean>`(${selections.length === 0} or ${selection} = any(${selections}::text[]))
  and (${productIds.length === 0} or ${product.id} = any(${productIds}::uuid[]))
  and ${containsPart(product.name, productText)}`

/** The prices that machines have, as far as they are in the scope of a change; at most `most`. */
export async function presentPrices(
  db: TenantDb,
  machineIds: readonly string[],
  scope: PriceScope,
  most: number,
): Promise<PresentPrice[]> {
  const before = present(db, scope.startsOn)
  const { rows } = await sql<PresentPrice>`
    select price.machine_id as "machineId", price.selection, price.price_table as "priceTable", ${productName} as product,
      price.wanted, ${before} as before
    from machine_prices price
    join machines machine on machine.merchant_id = price.merchant_id and machine.id = price.machine_id
    ${productJoins}
    where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and price.price_table = any(${scope.priceTables}::smallint[]) and ${before} is not null
      and ${among(sql`price.selection`, { id: sql`named.id`, name: sql`coalesce(${productName}, '')` }, scope)}
    order by price.machine_id, price.selection, price.price_table limit ${most}`.execute(db.query)
  return rows
}

/** The same for some selections, whatever their product, and without names. */
export async function pricesBefore(
  db: TenantDb,
  machineIds: readonly string[],
  { priceTables, startsOn }: Pick<PriceScope, 'priceTables' | 'startsOn'>,
): Promise<Omit<PresentPrice, 'product'>[]> {
  const { rows } = await sql<Omit<PresentPrice, 'product'>>`
    select price.machine_id as "machineId", price.selection, price.price_table as "priceTable", price.wanted,
      ${present(db, startsOn)} as before
    from machine_prices price where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and price.price_table = any(${priceTables}::smallint[])`.execute(db.query)
  return rows
}

/** The prices in force of some selections of machines, in all of their price tables. */
export async function pricesInForce(
  db: TenantDb,
  machineIds: readonly string[],
  selections: readonly string[],
): Promise<(Pick<PresentPrice, 'machineId' | 'selection' | 'priceTable'> & { before: number })[]> {
  const before = present(db, null)
  const { rows } = await sql<Pick<PresentPrice, 'machineId' | 'selection' | 'priceTable'> & { before: number }>`
    select price.machine_id as "machineId", price.selection, price.price_table as "priceTable", ${before} as before
    from machine_prices price where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and price.selection = any(${selections}::text[]) and ${before} is not null
    order by price.machine_id, price.selection, price.price_table`.execute(db.query)
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
