import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'

/** A rollup row counts as turnover. */
export const isSale = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.type`)} = any(${sql.lit(`{${saleTypes.join(',')}}`)}::smallint[])`

/** What left the machines: sales without those that failed. */
export const vends = (alias: string): RawBuilder<number> =>
  sql<number>`sum(${sql.ref(`${alias}.count`)} - ${sql.ref(`${alias}.error_count`)})::int`
