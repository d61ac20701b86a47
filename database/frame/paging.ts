import { type Expression, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from './schema.gen.ts'
import type { TenantDb } from './tenant.ts'

/** Counting rows one by one stops here; beyond it a list shows "more than". It also limits jumps to a page. */
export const countLimit = 10_000

/** Lists to which figures lead are counted this far, so that they show the same number. A count of 200,000 rows takes a tenth of a second. */
export const exactLimit = 200_000

export interface Page {
  /** From 1. */
  page: number
  size: number
}

/** How many rows a list has. `capped`: counting stopped at its limit, which `total` is. */
export interface Counted {
  total: number
  capped: boolean
}

/** Counts the rows of a statement that is written as text, up to the limit. */
export async function countRows(
  query: Kysely<DB>,
  statement: Expression<unknown>,
  limit = countLimit,
): Promise<Counted> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${statement} limit ${limit + 1}) as counted`.execute(query)
  return cappedAt(limit, rows[0]?.n ?? 0)
}

export const cappedAt = (limit: number, n: number): Counted => ({ total: Math.min(n, limit), capped: n > limit })

/** Counts the rows of a query that selects nothing yet, up to the limit. */
export async function countUpTo<Tables, TB extends keyof Tables, O>(
  { query }: Pick<TenantDb, 'query'>,
  matching: SelectQueryBuilder<Tables, TB, O>,
  limit = countLimit,
): Promise<Counted> {
  const some = matching.select(sql`1`.as('one')).limit(limit + 1)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${some}) as counted`.execute(query)
  return cappedAt(limit, rows[0]?.n ?? 0)
}

/** The offset of a page. A jump past the counted rows stops at the last page. */
export const offsetOf = ({ page, size }: Page): number => Math.max(0, Math.min((page - 1) * size, countLimit - size))

/** The rows of a page, for a statement that is written as text. */
export const limitedTo = (page: Page) => sql`limit ${page.size} offset ${offsetOf(page)}`
