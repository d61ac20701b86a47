import { sql } from 'kysely'
import type { PricesSync } from '#contract/merchants/merchant-settings.ts'
import type { RemoteCommandStatus } from '#contract/vocabulary/remote-command.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** More prices than any machine has in its tables; limits the rows that changing selections can add. */
const mostPricesOfMachine = 16_000

/** Everything stored of the price of a selection in a price table. */
export interface PriceRecord {
  merchantId: string
  machineId: string
  machineName: string
  currency: Currency
  pricesSync: PricesSync
  selection: string
  priceTable: number
  /** The product's name, otherwise the name that the machine reports. */
  product: string | null
  productId: string | null
  wanted: number | null
  wantedAt: Date | null
  sent: number | null
  sentAt: Date | null
  commandStatus: RemoteCommandStatus | null
  startedAt: Date | null
  executedAt: Date | null
  /** Null if the machine has not reported it, or does not have it now. */
  reported: number | null
  reportedAt: Date | null
  audited: number | null
  auditedAt: Date | null
  charged: number | null
  chargedAt: Date | null
  /** The open loss; null if the price is not wrong. */
  wrongSince: Date | null
  wrongSales: number
  lost: number
  /** Prices of plans that have not started, the next one first. */
  planned: readonly { price: number; startsAt: string; pricePlanId: string }[]
}

/**
 * The product of a selection: of its machine's planogram, otherwise the product that the reported name is mapped to. Joins need `price`
 * and `machine`; the product is `named`.
 */
export const productJoins = sql`
  left join machine_stock stock on stock.merchant_id = price.merchant_id and stock.machine_id = price.machine_id
    and stock.selection = price.selection and not stock.gone
  left join planogram_lines line on line.merchant_id = price.merchant_id and line.planogram_id = machine.planogram_id
    and line.selection = price.selection
  left join product_codes coded on coded.merchant_id = price.merchant_id
    and coded.code = coalesce(price.product, stock.product)
  left join products named on named.merchant_id = price.merchant_id
    and named.id = coalesce(line.product_id, coded.product_id)`

/** The name that a reader sees for a selection's product. */
export const productName = sql<string | null>`coalesce(named.name, price.product, stock.product)`

/** The prices of machines of the scope, by machine, selection and price table; only wanted ones if they are to be sent. */
export async function pricesOf(
  db: TenantDb,
  machineIds: readonly string[],
  { onlyWanted = false } = {},
): Promise<PriceRecord[]> {
  const { rows } = await sql<PriceRecord>`
    select price.merchant_id as "merchantId", price.machine_id as "machineId", machine.name as "machineName",
      merchants.currency, settings.prices_sync as "pricesSync", price.selection, price.price_table as "priceTable",
      ${productName} as product, named.id as "productId", price.wanted, price.wanted_at as "wantedAt",
      price.sent, price.sent_at as "sentAt", command.status as "commandStatus", command.started_at as "startedAt",
      command.executed_at as "executedAt", case when not price.gone then price.price end as reported,
      case when not price.gone then price.at end as "reportedAt", price.audited, price.audited_at as "auditedAt",
      price.charged, price.charged_at as "chargedAt",
      price.wrong_since as "wrongSince", price.wrong_sales as "wrongSales", price.lost, coalesce(planned.prices, '[]') as planned
    from machine_prices price
    join merchants on merchants.id = price.merchant_id
    join merchant_settings settings on settings.merchant_id = price.merchant_id
    join machines machine on machine.merchant_id = price.merchant_id and machine.id = price.machine_id
      and machine.deleted_at is null
    ${productJoins}
    left join remote_commands command on command.merchant_id = price.merchant_id and command.id = price.command_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('price', plan.price, 'startsAt', plan.starts_at, 'pricePlanId', plan.plan_id)
        order by plan.starts_at, plan.plan_id) as prices
      from planned_prices plan
      where ${db.own('plan')} and plan.merchant_id = price.merchant_id and plan.machine_id = price.machine_id
        and plan.selection = price.selection and plan.price_table = price.price_table and plan.status = 'planned') planned on true
    where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${machineIds}::uuid[])
      and (price.wanted is not null or not ${onlyWanted} and ( planned.prices is not null or not price.gone and coalesce(price.price, price.audited) is not null))
    order by price.machine_id, price.selection, price.price_table
    limit ${mostPricesOfMachine * Math.max(1, machineIds.length)}`.execute(db.query)
  return rows
}

const datedPrice = (price: number | null, at: Date | null) => (price === null || at === null ? null : { price, at })

/** The stored sights of a price, as the domain takes them. */
export const sightsOf = (record: PriceRecord) => ({
  wanted: record.wanted,
  wantedAt: record.wantedAt,
  sent:
    record.sent === null || record.commandStatus === null
      ? null
      : {
          price: record.sent,
          status: record.commandStatus,
          startedAt: record.startedAt,
          executedAt: record.executedAt,
        },
  reported: datedPrice(record.reported, record.reportedAt),
  audited: datedPrice(record.audited, record.auditedAt),
  charged: datedPrice(record.charged, record.chargedAt),
})
