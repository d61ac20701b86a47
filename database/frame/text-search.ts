import { type RawBuilder, sql } from 'kysely'
import { folded, searchPattern } from '#domain/frame/folded.ts'
import type { RecordTable } from './records.ts'
import type { DB } from './schema.gen.ts'
import { isOfSomeGroups, type TenantDb } from './tenant.ts'

/** Tables whose migration calls `make_searchable`: the column `searched` has the searchable text of a row. */
export type SearchableTable = {
  [T in RecordTable]: DB[T] extends { searched: unknown } ? T : never
}[RecordTable]

/** More hits than this are not counted: the user will refine the search. */
export const mostHits = 1_000

/**
 * The condition of rows that contain a text. `counted`: the number of hits in the scope's merchants, the total of a list without other
 * filters.
 */
export interface Searching {
  where: RawBuilder<boolean>
  counted?: { total: number; capped: boolean }
}

/** Whether a search finds a text, ignoring case and accents; always true without a search. */
export const holds = (text: RawBuilder<unknown>, search: string | undefined) =>
  search === undefined ? sql<boolean>`true` : sql<boolean>`folded(${text}) ~ ${searchPattern(search)}`

/** Whether a text contains a part of any length, ignoring case and accents; always true without one. */
export const containsPart = (text: RawBuilder<unknown>, part: string | null) =>
  part === null ? sql<boolean>`true` : sql<boolean>`strpos(folded(${text}), ${folded(part)}) > 0`

/**
 * The condition of a text search. Few hits come from the text index, once. With very many hits the list's own order finds a page soon
 * enough, without reading all of them. A scope with some groups has few groups and rules, which are scanned.
 */
export async function searching(db: TenantDb, table: SearchableTable, text: string | undefined): Promise<Searching> {
  if (text === undefined) return { where: sql<boolean>`true` }
  const where = holds(sql.ref(`${table}.searched`), text)
  if (isOfSomeGroups(table) && db.scope.some(({ groups }) => groups !== 'all')) return { where }
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(found), '{}') as ids
    from ${sql.raw(`search_${table}`)}(${searchPattern(text)}, ${mostHits + 1}::int)`.execute(db.query)
  const ids = rows[0]?.ids ?? []
  if (ids.length > mostHits) return { where, counted: { total: mostHits, capped: true } }
  return {
    where: sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::uuid[])`,
    counted: { total: ids.length, capped: false },
  }
}
