import { type RawBuilder, sql } from 'kysely'
import { literally } from './conditions.ts'
import type { RecordTable } from './records.ts'
import type { DB } from './schema.gen.ts'
import type { TenantDb } from './tenant.ts'

/** Tables whose migration says `make_searchable`: a row's `searched` has what texts are looked for in. */
export type SearchableTable = {
  [T in RecordTable]: DB[T] extends { searched: unknown } ? T : never
}[RecordTable]

/** More hits than these are not counted: whoever has so many looks for something more. */
export const mostHits = 1_000

/** A condition on rows that hold a text, and how many of the scope's merchants do: what a list counts when it asks nothing else. */
export interface Searching {
  where: RawBuilder<boolean>
  counted?: { total: number; capped: boolean }
}

/** Whether a text holds another, small and capital letters alike. Nothing is looked for without one. */
export const holds = (text: RawBuilder<unknown>, wanted: string | undefined) =>
  wanted === undefined ? sql<boolean>`true` : sql<boolean>`${text} ilike ${literally(wanted)}`

/**
 * How a text is looked for. What few rows hold comes out of the text index, once; what very many hold is met soon enough on the way
 * through the list's own order, where the rows need not all be found before the first of them are known. Whoever sees some groups alone
 * has few of them, which are looked through.
 */
export async function searching(db: TenantDb, table: SearchableTable, text: string | undefined): Promise<Searching> {
  if (text === undefined) return { where: sql<boolean>`true` }
  const where = holds(sql.ref(`${table}.searched`), text)
  if (table === 'groups' && db.scope.some(({ groups }) => groups !== 'all')) return { where }
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(found), '{}') as ids
    from ${sql.raw(`search_${table}`)}(${text}, ${mostHits + 1}::int)`.execute(db.query)
  const ids = rows[0]?.ids ?? []
  if (ids.length > mostHits) return { where, counted: { total: mostHits, capped: true } }
  return {
    where: sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::uuid[])`,
    counted: { total: ids.length, capped: false },
  }
}
