import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/frame/export.ts'
import type { ExportColumn, ExportList } from '#contract/frame/export-lists.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Doors, Scope, TenantDb } from '../frame/tenant.ts'
import { type FileColumn, type Home, isWholeCurrency } from './column.ts'

/** Whose file it is to be, and the doors through which the list itself is read where the tenant's own tables do not have it all. */
export interface ExportReader {
  role: Role
  doors: Doors
}

/** What a list is as a file. */
export interface ExportSource<L extends ExportList> {
  /** The file's columns; a column of the screen that holds several facts has one for each. */
  columns: Record<ExportColumn<L>, Record<string, FileColumn>>
  home: Home
  /** In front of the other columns when the merchants are many: whose row it is. Null where rows are nobody's. */
  merchant: RawBuilder<unknown> | null
  /** The id of the row's merchant: without its feature a column of the row stays empty. A list with such columns has it. */
  merchantId?: RawBuilder<unknown>
  /** In which zone a row's times are told. */
  zone: RawBuilder<unknown>
  /** The zone of all of them, where it is not that of the merchant of the path. */
  timeZone?: string
  /** Rows of one merchant may have amounts of several currencies; the file then names each row's. */
  hasOwnCurrencies?: true
  /** The rows in their order, whatever of them is asked for, as somebody may read them. */
  open(db: TenantDb, order: ExportOrderOf<L>, reader: ExportReader): Promise<ExportRows>
}

/** What the field at a place is called in the rows. */
export const fieldName = (at: number) => `c${at}`

/** Fields, each called by its place. */
export const fieldsOf = (what: readonly RawBuilder<unknown>[]) =>
  sql.join(what.map((field, at) => sql`${field} as ${sql.ref(fieldName(at))}`))

export interface ExportRows {
  /** The rows with these fields, each called by its place. */
  select(what: readonly RawBuilder<unknown>[], limit: number | undefined): RawBuilder<unknown>
  count: RawBuilder<{ n: number }>
}

/** The wall clock's time by the name of the row's zone. */
export const homeOf = (
  merchants: string,
): { home: Home; merchant: RawBuilder<unknown>; merchantId: RawBuilder<unknown>; zone: RawBuilder<unknown> } => ({
  home: {
    currency: sql.ref(`${merchants}.currency`),
    isWhole: isWholeCurrency(sql.ref(`${merchants}.currency`)),
    local: (instant) => sql`${instant} at time zone ${sql.ref(`${merchants}.time_zone`)}`,
  },
  merchant: sql.ref(`${merchants}.name`),
  merchantId: sql.ref(`${merchants}.id`),
  zone: sql.ref(`${merchants}.time_zone`),
})

/** In which zone times are told that are no merchant's own: that of the only merchant there is, null where they are many. */
export const onlyZone = ([only, ...others]: Scope) =>
  only && others.length === 0
    ? sql`(select time_zone from merchants where id = ${only.merchantId}::uuid)`
    : sql`null::text`

/** Rows of a query that selects nothing yet. */
export function rowsOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  order: RawBuilder<unknown>,
): ExportRows {
  return {
    select: (what, limit) => {
      const read = query.select(what.map((value, index) => value.as(fieldName(index)))).orderBy(order)
      return sql`${limit === undefined ? read : read.limit(limit)}`
    },
    count: sql<{ n: number }>`select count(*)::bigint as n from (${query.select(sql`1`.as('one'))}) as counted`,
  }
}
