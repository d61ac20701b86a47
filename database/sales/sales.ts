import { type RawBuilder, sql } from 'kysely'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { groupSales } from '../sums/group-sales.ts'

/** A row, or a sum, of vends; the value of a sum is turnover. */
export const isSale = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.type`)} = any(${sql.lit(`{${saleTypes.join(',')}}`)}::smallint[])`

/** A row is a vend that did not fail, as `isVend` of the domain. */
export const isVend = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${isSale(alias)} and not ${sql.ref(`${alias}.error_sale`)})`

/** Coins and notes that a row brings into the machine, negative if they leave it: `cashMoved` of the domain. */
export const cashMoved = (alias: string): RawBuilder<number> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<number>`cash_moved(${column('type')}, ${column('media_type')}, ${column('media_source')}, ${column('paid_with')},
    ${column('error_sale')}, ${column('value')})`
}

/** The medium type that paid a row: `paidWithOf` of the domain. */
export const paidWith = (alias: string): RawBuilder<number> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<number>`paid_with(${column('type')}, ${column('media_type')}, ${column('media_source')}, ${column('paid_with')})`
}

/** The number of vends: sales without failed ones. */
export const vends = (alias: string): RawBuilder<number> =>
  sql<number>`sum(${sql.ref(`${alias}.count`)} - ${sql.ref(`${alias}.error_count`)})::int`

/** Turnover, vends and the money of failed vends of the merchant `d` by hour of its `day`, inside the scope. */
export const salesByHour = (db: TenantDb): RawBuilder<unknown> => sql`
  select s.hour, sum(s.value) as value, ${vends('s')} as vends, sum(s.error_value) as error_value
  from (${groupSales(db, db.scope, 'hour', 'd', isSale, (of) => sql`${sql.ref(`${of}.day`)} = d.day`)}) s
  group by s.hour`
