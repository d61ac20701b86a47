import { type RawBuilder, sql } from 'kysely'
import { literally } from './conditions.ts'
import type { TenantDb } from './tenant.ts'

/** What is found by its text: the function that looks for it, what that answers, and the text itself, as its index has it. */
const searched = {
  clients: {
    hits: (text: string, most: number) => sql`search_clients(${text}, ${most}::int)`,
    id: sql.ref('client_id'),
    text: sql`(clients.code || ' ' || clients.name || ' ' || coalesce(clients.company_name, '') || ' ' ||
      coalesce(clients.city, '') || ' ' || coalesce(clients.vat_code, '') || ' ' || coalesce(clients.contact_name, ''))`,
  },
  groups: {
    hits: (text: string, most: number) => sql`search_groups(${text}, ${most}::int)`,
    id: sql.ref('group_id'),
    text: sql`groups.name`,
  },
}

/** More hits than these are not counted: whoever has so many looks for something more. */
export const mostHits = 1_000

/** A condition on rows that hold a text, and how many of the scope's merchants do: what a list counts when it asks nothing else. */
export interface Searching {
  where: RawBuilder<boolean>
  counted?: { total: number; capped: boolean }
}

/**
 * How a text is looked for. What few rows hold comes out of the text index, once; what very many hold is met soon enough on the way
 * through the list's own order, where the rows need not all be found before the first of them are known.
 */
export async function searching(
  db: TenantDb,
  table: keyof typeof searched,
  text: string | undefined,
): Promise<Searching> {
  if (text === undefined) return { where: sql<boolean>`true` }
  const { hits, id, text: held } = searched[table]
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(${id}), '{}') as ids from ${hits(text, mostHits + 1)}`.execute(db.query)
  const ids = rows[0]?.ids ?? []
  if (ids.length > mostHits)
    return { where: sql<boolean>`${held} ilike ${literally(text)}`, counted: { total: mostHits, capped: true } }
  return {
    where: sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::uuid[])`,
    counted: { total: ids.length, capped: false },
  }
}
