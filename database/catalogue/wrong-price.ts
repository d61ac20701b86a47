import { type RawBuilder, sql } from 'kysely'
import type { WrongPriceFilters, wrongPriceOrds } from '#contract/catalogue/wrong-price.ts'
import type { PriceFault } from '#contract/vocabulary/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, machinesFound } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { countUpTo, offsetOf, type Page } from '../frame/paging.ts'
import type { TenantDb } from '../frame/tenant.ts'

interface Order {
  ord?: (typeof wrongPriceOrds)[number] | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}

const wrongBy = (sight: 'audited' | 'charged') => {
  const [price, at] = [sql.ref(`price.${sight}`), sql.ref(`price.${sight}_at`)]
  return sql`${price} <> price.wanted and ${at} >= greatest(price.at, price.wanted_at)`
}
/** What shows the wrong price: the last sale, otherwise the last audit, otherwise the last report. */
const actual = sql<number>`case when ${wrongBy('charged')} then price.charged
  when ${wrongBy('audited')} then price.audited else price.price end`
/** A price that was never sent and never seen right is not sent yet, whatever shows the old one. */
const fault = sql<PriceFault>`(case
  when price.sent is distinct from price.wanted and price.price is distinct from price.wanted
    and price.audited is distinct from price.wanted and price.charged is distinct from price.wanted then 'notSent'
  when ${wrongBy('charged')} then 'charged' when ${wrongBy('audited')} then 'audited' else 'reported' end)`
/** Of the planogram, otherwise the product that the reported name is mapped to, otherwise the reported name. */
const product = sql<string | null>`coalesce(named.name, price.product)`
const isOld = sql<boolean>`(price.wrong_since < now() - interval '1 day')`

const ordColumns = {
  since: sql`price.wrong_since`,
  lost: sql`price.lost`,
  sales: sql`price.wrong_sales`,
  posName: sql`lower(machine.name)`,
  selection: sql`lower(price.selection)`,
} satisfies Record<(typeof wrongPriceOrds)[number], RawBuilder<unknown>>

/** The columns of a wrong price that are no columns of their table. */
export const wrongPriceValues = { actual, fault, product }

/** Returns a function that builds a new query on the wrong prices that match. Hidden machines have none. */
export async function wrongPricesMatching(db: TenantDb, filters: WrongPriceFilters) {
  const isFound = await machinesFound(db, filters.search)
  const faults = filters.faults ?? []
  return () =>
    db.query
      .selectFrom('machine_prices as price')
      .where(db.narrow('machine_prices', 'price'))
      .innerJoin('merchants', 'merchants.id', 'price.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join
          .onRef('machine.merchant_id', '=', 'price.merchant_id')
          .onRef('machine.id', '=', 'price.machine_id')
          .on('machine.hidden', '=', false),
      )
      .leftJoin('planogram_lines as line', (join) =>
        join
          .onRef('line.merchant_id', '=', 'price.merchant_id')
          .onRef('line.planogram_id', '=', 'machine.planogram_id')
          .onRef('line.selection', '=', 'price.selection'),
      )
      .leftJoin('product_codes as coded', (join) =>
        join.onRef('coded.merchant_id', '=', 'price.merchant_id').onRef('coded.code', '=', 'price.product'),
      )
      .leftJoin('products as named', (join) =>
        join
          .onRef('named.merchant_id', '=', 'price.merchant_id')
          .on(sql<boolean>`named.id = coalesce(line.product_id, coded.product_id)`),
      )
      .where('price.is_wrong', '=', true)
      .where(hasFeature(db, 'vending', 'price'))
      .where(anyOf('price.machine_id', filters.posIds, 'uuid'))
      .where(anyOf('machine.group_id', filters.groupIds, 'uuid'))
      .where(anyOf('price.price_table', filters.priceTables, 'int'))
      .where(isFound('price.machine_id'))
      .$if(faults.length > 0, (query) => query.where(sql<boolean>`${fault} = any(${faults}::text[])`))
      .$if(filters.isOld !== undefined, (query) => query.where(sql<boolean>`${isOld} = ${filters.isOld}`))
}

/** The longest wrong price first by default. */
export const wrongPriceOrdering = ({ ord = 'since', ordType }: Order) =>
  sql`${ordColumns[ord]} ${sql.raw(ordType === 'DESC' ? 'desc' : 'asc')}, price.machine_id, price.price_table, price.selection`

/** A page of wrong prices, the total, and how many of all are older than a day. */
export async function listWrongPrices(db: TenantDb, filters: WrongPriceFilters, page: Page & Order) {
  const matching = await wrongPricesMatching(db, filters)
  const counted = await countUpTo(db, matching())
  const rows = await matching()
    .select([
      ...(['price.merchant_id', 'price.machine_id', 'price.selection', 'price.price_table', 'price.wanted'] as const),
      ...(['price.wrong_since', 'price.wrong_sales', 'price.lost'] as const),
      ...(['merchants.name as merchant_name', 'merchants.time_zone', 'merchants.currency'] as const),
      ...(['machine.name as machine_name', 'machine.serial', 'named.id as product_id'] as const),
      ...[product.as('product'), actual.as('actual'), fault.as('fault')],
    ])
    .orderBy(wrongPriceOrdering(page))
    .limit(page.size)
    .offset(offsetOf(page))
    .execute()
  const old = await countUpTo(db, (await wrongPricesMatching(db, { isOld: true }))())
  return { ...counted, rows, old: old.total }
}

/** Prices that are wrong for longer than a day, and what they cost, by currency. */
export async function oldWrongPrices(db: TenantDb): Promise<{ currency: Currency; count: number; lost: number }[]> {
  const { rows } = await sql<{ currency: Currency; count: number; lost: number }>`
    select merchants.currency, count(*)::int as count, sum(price.lost)::bigint as lost
    from machine_prices price
    join merchants on merchants.id = price.merchant_id
    join machines machine on machine.merchant_id = price.merchant_id and machine.id = price.machine_id and not machine.hidden
    where ${db.narrow('machine_prices', 'price')} and price.is_wrong and ${isOld} and ${hasFeature(db, 'vending', 'price')}
    group by 1 order by 1`.execute(db.query)
  return rows
}
