import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { countUpTo } from './paging.ts'
import type { ScopedTable, TenantDb } from './tenant.ts'

/** Rows as a call names them: by their ids, or as all that match but a few, with how many those were. */
export type Selection<Filters> = { ids: string[] } | { matching: Filters; count: number; except?: string[] | undefined }

/** What was selected; `isWhole` is false when a named row is not in the scope. */
export interface Chosen {
  ids: string[]
  isWhole: boolean
}

/**
 * The ids of a selection in a table of the scope. `matching` makes the query on what matches a filter, which selects nothing yet.
 * What matches is counted again: when it is not what the person saw and confirmed, it is refused as `SelectionChanged` with the
 * number of now.
 */
export async function chosenOf<Filters, DB, TB extends keyof DB, O>(
  db: TenantDb,
  table: ScopedTable,
  selection: Selection<Filters>,
  matching: (filters: Filters) => Promise<() => SelectQueryBuilder<DB, TB, O>>,
): Promise<Chosen> {
  const id = sql<string>`${sql.ref(`${table}.id`)}`
  if ('ids' in selection) {
    const wanted = [...new Set(selection.ids)]
    const ids = await idsOf(db, db.from(table).select(id.as('id')).where(sql<boolean>`${id} = any(${wanted}::uuid[])`))
    return { ids, isWhole: ids.length === wanted.length }
  }
  const { count, except = [] } = selection
  const matched = await matching(selection.matching)
  const query = () => matched().where(sql<boolean>`not (${id} = any(${except}::uuid[]))`)
  const ids = await idsOf(db, query().select(id.as('id')).limit(count))
  const { total } = await countUpTo(db, query())
  if (total !== count || ids.length !== total) throw new ProductError('SelectionChanged', { count: total })
  return { ids, isWhole: true }
}

async function idsOf(db: TenantDb, query: Expression<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from (${query}) as chosen`.execute(db.query)
  return rows.map(({ id }) => id)
}
