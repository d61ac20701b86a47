import { type SelectQueryBuilder, sql } from 'kysely'
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

/** Counts the rows of a query that selects nothing yet, up to the limit. */
export async function countUpTo<DB, TB extends keyof DB, O>(
  db: Pick<TenantDb, 'query'>,
  query: SelectQueryBuilder<DB, TB, O>,
  limit = countLimit,
): Promise<{ total: number; capped: boolean }> {
  const some = query.select(sql`1`.as('one')).limit(limit + 1)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${some}) as counted`.execute(db.query)
  const n = rows[0]?.n ?? 0
  return { total: Math.min(n, limit), capped: n > limit }
}

/** The offset of a page. A jump past the counted rows stops at the last page. */
export const offsetOf = ({ page, size }: Page): number => Math.max(0, Math.min((page - 1) * size, countLimit - size))
