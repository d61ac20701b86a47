import { type RawBuilder, sql } from 'kysely'
import type { TransactionFilters } from '#contract/sales/transaction.ts'
import { codesNamed, isProductNamed } from '../facts/product-name.ts'
import { among } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { productSold, type RowOfMachine } from './terms-of-day.ts'

/** The code that the directory of product codes has for a transaction `t`. */
export const sentCode = sql`coalesce(t.product, t.product_code)`

/** The codes of the scope that mean a product `pr` of a condition, or by the terms of a day may have meant it. */
const codesMeaning = (db: TenantDb, condition: RawBuilder<boolean>, { terms }: TransactionFilters) => sql`
  select pr.merchant_id, pr.code from (
    select c.merchant_id, c.code, live.name, live.product_type, live.parameters from product_codes c
    join products live on ${db.own('live')} and live.merchant_id = c.merchant_id and live.id = c.product_id
    where ${db.own('c')}${
      terms === 'ofDay'
        ? sql` union all
    select f.merchant_id, f.code, gone.name, gone.product_type, gone.parameters from former_product_codes f
    join deleted_products gone on ${db.own('gone')} and gone.merchant_id = f.merchant_id and gone.id = f.product_id
    where ${db.own('f')}`
        : sql``
    }
  ) pr where ${condition}`

/**
 * Conditions of the filters by product on transactions `t`, whose machine and local day are `row`. What a filter means becomes codes once for
 * all rows; only by the terms of a day is the product of each row with such a code looked up.
 */
export function productFilter(db: TenantDb, filters: TransactionFilters, row: RowOfMachine) {
  const { products, productTypes, parameter, parameterValues, terms } = filters
  const isOfDay = terms === 'ofDay'
  const sold = productSold(db, { ...row, code: sentCode }, terms)
  const value = sql`(select e.value ->> 'value' from jsonb_array_elements(pr.parameters) e
    where e.value ->> 'name' = ${parameter ?? ''} limit 1)`
  const isSold = (condition: RawBuilder<boolean>) => {
    const isPossible = sql<boolean>`(t.merchant_id, ${sentCode}) in (${codesMeaning(db, condition, filters)})`
    return isOfDay
      ? sql<boolean>`(${isPossible} and exists (select 1 from (${sold}) pr where ${condition}))`
      : isPossible
  }
  const isNamed = (names: readonly string[]) =>
    isOfDay
      ? sql<boolean>`(${sentCode} = any(array(${codesNamed(db, names)} union all
          select pr.code from (${codesMeaning(db, among('pr.name', names, 'text'), filters)}) pr))
        and coalesce((select of_code.name from (${sold}) of_code), ${sentCode}) = any(${names}::text[]))`
      : isProductNamed(db, names, sql`t.merchant_id`, sentCode)
  return {
    conditions: [
      ...(products?.length ? [isNamed(products)] : []),
      ...(productTypes?.length ? [isSold(among('pr.product_type', productTypes, 'text'))] : []),
      ...(parameter !== undefined && parameterValues?.length
        ? [isSold(sql<boolean>`${value} = any(${parameterValues}::text[])`)]
        : []),
    ],
    /** Transactions whose code means no product, or one without the parameter. */
    lacking: {
      productType: sql<boolean>`${isSold(sql<boolean>`true`)} is not true`,
      parameter: sql<boolean>`${isSold(sql<boolean>`${value} is not null`)} is not true`,
    },
  }
}
