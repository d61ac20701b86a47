import { sql } from 'kysely'
import type { TransactionFilters } from '#contract/sales/transaction.ts'
import { eachOf } from '../frame/apart/apart.ts'
import { withSeenTypes } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { reachOf } from '../sums/group-sales.ts'
import {
  areOfGroups,
  groupSumsWithin,
  isOfKind,
  isSummed,
  productDetailOf,
  stretchOf,
  sumsWithin,
} from './summed-sales.ts'
import { stretchesOf } from './terms-of-day.ts'

/** Filters by what no sums know. */
const isSlice = (filters: TransactionFilters) => {
  const { productTypes, parameterValues, hours, without, refunded, paidWith, mediaIds, customerIds } = filters
  const choices = [productTypes, parameterValues, hours, without, paidWith, mediaIds, customerIds]
  return (
    choices.some((values) => values?.length) ||
    refunded !== undefined ||
    // Sums have failed and free sales, but not both together.
    (filters.freeSale !== undefined && filters.errorSale !== undefined)
  )
}

/**
 * The exact number of transactions that match, from sums: by group and kind, as fast for a million as for ten, or by machine, product and price
 * table, as fast as the figures that lead to them. Undefined where the sums cannot answer: search texts, free sales that failed, filters by what
 * sums do not know, and days whose rows have been dropped.
 */
export async function countFromSums(db: TenantDb, chosen: TransactionFilters): Promise<number | undefined> {
  const filters = withSeenTypes(db, chosen)
  const { search, freeSale, errorSale, products, priceTables } = filters
  if (search || isSlice(filters)) return undefined
  // Sums have the products that codes mean today.
  const isOfDay = products?.length && filters.terms === 'ofDay'
  if (isOfDay && (await stretchesOf(db, filters, ['former_product_codes'])).length > 0) return undefined
  const stretch = stretchOf(filters)
  const detail = products?.length || priceTables?.length ? productDetailOf(db, filters) : 'plain'
  const sums =
    detail === 'plain' && areOfGroups(filters)
      ? groupSumsWithin(db, stretch, reachOf(db.scope, filters.groupIds), isOfKind(filters))
      : sumsWithin(db, stretch, (table) => isSummed(db, filters, table), detail)
  const part = freeSale === undefined ? sql`s.error_count` : sql`s.free_count`
  const expected = freeSale ?? errorSale
  const amount = expected === undefined ? sql`s.count` : expected ? part : sql`s.count - ${part}`
  const since = await transactionsSince(db)
  const { rows } = await sql<{ n: number; isKept: boolean }>`
    select coalesce(sum(${amount}), 0)::bigint as n,
      bool_and(coalesce(start_of_day(${filters.startDate}::date, m.time_zone) >= ${since}::timestamptz, true)) as "isKept"
    from merchants m left join lateral (
      ${sums}
    ) s on true
    where ${db.narrow('merchants', 'm')}`.execute(eachOf(db).query)
  return rows.some(({ isKept }) => isKept === false) ? undefined : rows.reduce((sum, { n }) => sum + n, 0)
}

/** Transactions before this instant are dropped; null: none are. */
async function transactionsSince(db: TenantDb): Promise<Date | null> {
  if (db.begun) return db.begun.transactionsSince
  const { rows } = await sql<{ since: Date | null }>`select rows_since('transactions') as since`.execute(db.query)
  return rows[0]?.since ?? null
}
