import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A rollup row counts as turnover. */
export const isSale = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.type`)} = any(${sql.lit(`{${saleTypes.join(',')}}`)}::smallint[])`

/** What left the machines: sales without those that failed. */
export const vends = (alias: string): RawBuilder<number> =>
  sql<number>`sum(${sql.ref(`${alias}.count`)} - ${sql.ref(`${alias}.error_count`)})::int`

/** Turnover and vends of some rollup rows `s` by hour, inside the scope. */
export const salesByHour = (db: TenantDb, where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.hour, sum(s.value) as value, ${vends('s')} as vends from sales_hourly s
  where ${where} and ${db.narrow('sales_hourly', 's')} and ${isSale('s')} group by s.hour`
