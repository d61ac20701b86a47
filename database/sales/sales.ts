import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { groupSales } from './group-sales.ts'

/** A rollup row counts as turnover. */
export const isSale = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.type`)} = any(${sql.lit(`{${saleTypes.join(',')}}`)}::smallint[])`

/** The number of vends: sales without failed ones. */
export const vends = (alias: string): RawBuilder<number> =>
  sql<number>`sum(${sql.ref(`${alias}.count`)} - ${sql.ref(`${alias}.error_count`)})::int`

/** Turnover and vends of the merchant `d` by hour, from its `since` until its `until`, inside the scope. */
export const salesByHour = (db: TenantDb): RawBuilder<unknown> => sql`
  select s.hour, sum(s.value) as value, ${vends('s')} as vends
  from (${groupSales(db, db.scope, 'hour', 'd', isSale, (of) => sql`${sql.ref(`${of}.hour`)} >= d.since and ${sql.ref(`${of}.hour`)} < d.until`)}) s
  group by s.hour`
