import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export/export.ts'
import type { ExportColumn, ExportList } from '#contract/export/export-lists.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { gathered, isApart } from '../apart/apart.ts'
import { orderKeysOf } from '../apart/order-keys.ts'
import { spooled } from '../apart/spool.ts'
import type { DateStyle } from '../copy-out.ts'
import type { Doors, Scope, TenantDb } from '../tenant.ts'
import { type FileColumn, type Home, isWholeCurrency } from './column.ts'

/** The user who gets the file, and the doors for lists that are not in tenant tables alone. */
export interface ExportReader {
  role: Role
  doors: Doors
}

/** A list as a file. */
export interface ExportSource<L extends ExportList> {
  /** The file's columns; a column of the screen with several facts has one per fact. */
  columns: Record<ExportColumn<L>, Record<string, FileColumn>>
  home: Home
  /** The merchant of a row, the first column if the file has several merchants. Null for rows without a merchant. */
  merchant: RawBuilder<unknown> | null
  /** The id of the row's merchant; needed by columns that depend on a feature of the merchant. */
  merchantId?: RawBuilder<unknown>
  /** The time zone of a row. */
  zone: RawBuilder<unknown>
  /** The zone of all rows, where it is not the zone of the merchant in the path. */
  timeZone?: string
  /** Rows of one merchant may have several currencies; the file then names each row's. */
  hasOwnCurrencies?: true
  /** The rows in order, with all their columns, limited to what the reader may see. */
  open(db: TenantDb, order: ExportOrderOf<L>, reader: ExportReader): Promise<ExportRows>
}

/** The name of the field at a position. */
export const fieldName = (at: number) => `c${at}`

/** Fields, named by position. */
export const fieldsOf = (what: readonly RawBuilder<unknown>[]) =>
  sql.join(what.map((field, at) => sql`${field} as ${sql.ref(fieldName(at))}`))

export interface ExportRows {
  /** The rows with these fields, named by position. */
  select(what: readonly RawBuilder<unknown>[], limit: number | undefined): RawBuilder<unknown>
  count: RawBuilder<{ n: number }>
  /** How `select` sorts them, where each merchant can have its own statement: then they are read apart and sorted again. */
  order?: RawBuilder<unknown>
}

/** The rows with these fields, as `select` has them, of all merchants of the scope. */
export async function selectedRows(
  db: TenantDb,
  rows: ExportRows,
  what: readonly RawBuilder<unknown>[],
  { limit, dateStyle }: { limit: number | undefined; dateStyle?: DateStyle | undefined },
): Promise<RawBuilder<unknown>> {
  if (!rows.order || !isApart(db)) return rows.select(what, limit)
  const keys = orderKeysOf(rows.order)
  const each = await spooled(db, rows.select([...what, ...keys.map(({ value }) => value)], limit), dateStyle)
  const order = keys.map(({ direction }, at) => sql`${sql.ref(fieldName(what.length + at))} ${sql.raw(direction)}`)
  return sql`select ${sql.join(what.map((_, at) => sql.ref(fieldName(at))))} from ${each} order by ${sql.join(order)}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`
}

/** How many rows there are. */
export async function countSelected(db: TenantDb, rows: ExportRows): Promise<number> {
  const each = rows.order ? await gathered(db, rows.count) : sql`(${rows.count})`
  const { rows: counts } = await sql<{ n: number }>`select sum(n)::bigint as n from ${each} as counts`.execute(db.query)
  return counts[0]?.n ?? 0
}

/** The local time in the zone of the row. */
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

/** The zone for times that belong to no merchant: the only merchant's, or null if there are several. */
export const onlyZone = ([only, ...others]: Scope) =>
  only && others.length === 0
    ? sql`(select time_zone from merchants where id = ${only.merchantId}::uuid)`
    : sql`null::text`

/** The rows of a query that selects nothing yet. */
export function rowsOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  order: RawBuilder<unknown>,
): ExportRows {
  return {
    order,
    select: (what, limit) => {
      const read = query.select(what.map((value, index) => value.as(fieldName(index)))).orderBy(order)
      return sql`${limit === undefined ? read : read.limit(limit)}`
    },
    count: sql<{ n: number }>`select count(*)::bigint as n from (${query.select(sql`1`.as('one'))}) as counted`,
  }
}
