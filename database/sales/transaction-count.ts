import { sql } from 'kysely'
import type { TransactionFilters } from '#contract/sales/transaction.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { reachOf } from './group-sales.ts'
import { areOfGroups, groupSumsWithin, isOfKind, stretchOf } from './summed-sales.ts'

/** Filters by what sums by group do not know. */
const isSlice = ({
  products,
  productTypes,
  parameterValues,
  priceTables,
  hours,
  without,
  refunded,
  paidWith,
}: TransactionFilters) =>
  [products, productTypes, parameterValues, priceTables, hours, without, paidWith].some((values) => values?.length) ||
  refunded !== undefined

/**
 * The exact number of transactions that match, from sums by group and kind, as fast for a million as for ten. Undefined where the sums
 * cannot answer: search texts, single machines and clients, free sales that failed, and days whose rows have been dropped.
 */
export async function countFromSums(db: TenantDb, filters: TransactionFilters): Promise<number | undefined> {
  const { search, freeSale, errorSale } = filters
  if (isSlice(filters)) return undefined
  if (filters.mediaIds?.length || filters.customerIds?.length) return undefined
  if (search || !areOfGroups(filters) || (freeSale !== undefined && errorSale !== undefined)) return undefined
  const part = freeSale === undefined ? sql`s.error_count` : sql`s.free_count`
  const wanted = freeSale ?? errorSale
  const amount = wanted === undefined ? sql`s.count` : wanted ? part : sql`s.count - ${part}`
  const kept = await sql<{ since: Date | null }>`select rows_since('transactions') as since`.execute(db.query)
  const since = kept.rows[0]?.since ?? null
  const { rows } = await sql<{ n: number; isKept: boolean }>`
    select coalesce(sum(${amount}), 0)::bigint as n,
      bool_and(coalesce(start_of_day(${filters.startDate}::date, m.time_zone) >= ${since}::timestamptz, true)) as "isKept"
    from merchants m left join lateral (
      ${groupSumsWithin(db, stretchOf(filters), reachOf(db.scope, filters.groupIds), isOfKind(filters))}
    ) s on true
    where ${db.narrow('merchants', 'm')}`.execute(db.query)
  const [row] = rows
  return row?.isKept === false ? undefined : (row?.n ?? 0)
}
