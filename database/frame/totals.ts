import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { gathered } from './apart/apart.ts'
import type { TenantDb } from './tenant.ts'

/** What adds up in a list. */
export interface Sums {
  /** The currency of a row, whose totals are apart; null for a list without amounts. */
  currency: RawBuilder<unknown> | null
  /** The numbers and amounts of a row, by column. */
  of: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * The totals of a list: its columns that add up, over all rows that match. A list without rows has none. `matching` starts a query
 * that selects nothing yet.
 */
export async function totalsOf<Tables, TB extends keyof Tables, O>(
  db: TenantDb,
  matching: () => SelectQueryBuilder<Tables, TB, O>,
  { currency, of }: Sums,
): Promise<ListTotal[]> {
  const columns = Object.entries(of)
  const rows = matching()
    .select((currency ?? sql`null::text`).as('currency'))
    .select(columns.map(([, value], at) => sql<number>`sum(${value})`.as(`sum_${at}`)))
    .groupBy(sql`1`)
  const each = await gathered(db, rows)
  const sums = columns.map((_, at) => sql`sum(${sql.ref(`r.sum_${at}`)})::float8 as ${sql.ref(`sum_${at}`)}`)
  const { rows: found } = await sql<{ currency: Currency | null } & Record<string, number | null>>`
    select r.currency, ${sql.join(sums)} from ${each} r group by 1 order by 1`.execute(db.query)
  return found.map((row) => ({
    currency: row.currency,
    values: Object.fromEntries(columns.map(([id], at) => [id, row[`sum_${at}`] ?? null])),
  }))
}
