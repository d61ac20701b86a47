import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { countUpTo } from './list.ts'
import type { ScopedTable, TenantDb } from './tenant.ts'

/** The selected rows of a call: ids, or all rows that match except a few, with the confirmed count. */
export type Selection<Filters> = { ids: string[] } | { matching: Filters; count: number; except?: string[] | undefined }

/** The selected ids; `isWhole` is false if a selected row is outside the scope. */
export interface Chosen {
  ids: string[]
  isWhole: boolean
}

/**
 * The ids of a selection in a table of the scope. `matching` builds the query on what matches, which selects nothing yet. Throws
 * `SelectionChanged` with the current count if it differs from the count that the user confirmed.
 */
export async function chosenOf<Filters, DB, TB extends keyof DB, O>(
  db: TenantDb,
  table: ScopedTable,
  selection: Selection<Filters>,
  matching: (filters: Filters) => Promise<() => SelectQueryBuilder<DB, TB, O>>,
): Promise<Chosen> {
  const id = sql<string>`${sql.ref(`${table}.id`)}`
  if ('ids' in selection) {
    const selected = [...new Set(selection.ids)]
    const ids = await idsOf(
      db,
      db.from(table).select(id.as('id')).where(sql<boolean>`${id} = any(${selected}::uuid[])`),
    )
    return { ids, isWhole: ids.length === selected.length }
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
