import { type RawBuilder, sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A product with what places have of it, and what managed machines lack and sell. */
export interface BuyingRow {
  merchantId: string
  productId: string
  product: string
  productCode: string
  supplier: string | null
  currency: Currency
  cost: number | null
  packSize: number | null
  minimumPacks: number | null
  leadDays: number | null
  onHand: number
  missing: number
  timeZone: string
  /** The forecasts of its selections added up, by day from today on; null: no machine sells it. */
  days: number[] | null
  /** The weeks after them, Monday first, and the usual weeks of selections without a forecast. */
  usual: number[] | null
  usualAlone: number[] | null
}

/** Days of a forecast, and of a week. */
const forecastDays = 28
const week = 7
/** The sums of an array's places, of rows that meet a condition. */
const sums = (column: 'forecast' | 'usual', length: number, where: RawBuilder<unknown>) =>
  sql`array[${sql.join(
    Array.from(
      { length },
      (_, at) =>
        sql`coalesce(sum(${sql.ref(`stock.${column}`)}[${sql.lit(at + 1)}]) filter (where ${where}), 0)::float8`,
    ),
  )}]`
const isForecast = sql`stock.forecast is not null`

/** Products of one merchant with what decides how many of them to buy. Of machines, only those of the scope with managed stock count. */
export async function productsToBuy(db: TenantDb): Promise<BuyingRow[]> {
  const { rows } = await sql<BuyingRow>`
    with needed as (
      select machine.merchant_id, line.product_id,
        sum(greatest(0, line.refill_value - greatest(stock.level, 0)))::int as missing,
        ${sums('forecast', forecastDays, isForecast)} as days, ${sums('usual', week, isForecast)} as usual,
        ${sums('usual', week, sql`stock.forecast is null`)} as usual_alone
      from machines machine
      join planogram_lines line on ${db.own('line')} and line.merchant_id = machine.merchant_id and line.planogram_id = machine.planogram_id
      join machine_stock stock on ${db.own('stock')} and stock.merchant_id = machine.merchant_id and stock.machine_id = machine.id
        and stock.selection = line.selection and not stock.gone and stock.stock_type is distinct from ${stockTypes.hotTotal}
      where ${db.narrow('machines', 'machine')} and machine.manage_stock and line.product_id is not null
      group by 1, 2
    ), held as (
      select lots.merchant_id, lots.product_id, sum(lots.pieces)::int as pieces
      from place_lots lots join merchants on merchants.id = lots.merchant_id
      left join product_lots lot on ${db.own('lot')} and lot.merchant_id = lots.merchant_id and lot.id = lots.lot_id
      where ${db.own('lots')} and (lot.expires_on is null or lot.expires_on >= (now() at time zone merchants.time_zone)::date)
      group by 1, 2
    )
    select product.merchant_id as "merchantId", product.id as "productId", product.name as product, product.code as "productCode",
      product.supplier, merchants.currency, product.cost, product.pack_size as "packSize", product.minimum_packs as "minimumPacks",
      product.lead_days as "leadDays", coalesce(held.pieces, 0) as "onHand", coalesce(needed.missing, 0) as missing,
      needed.days, needed.usual, needed.usual_alone as "usualAlone", merchants.time_zone as "timeZone"
    from products product
    join merchants on merchants.id = product.merchant_id
    left join needed on needed.merchant_id = product.merchant_id and needed.product_id = product.id
    left join held on held.merchant_id = product.merchant_id and held.product_id = product.id
    where ${db.own('product')} and product.merchant_id = any(${db.scope.map(({ merchantId }) => merchantId)}::uuid[])`.execute(
    db.query,
  )
  return rows
}
