import { sql } from 'kysely'
import type { IdName } from '#contract/frame/ids.ts'
import type { NarrowedTable, ScopedTable, TenantDb } from './tenant.ts'

/** Ids whose noun is not the name of its table. */
type NamedElsewhere = {
  [Name in IdName]: Name extends `${infer Noun}Id` ? (`${Noun}s` extends ScopedTable ? never : Name) : Name
}[IdName]

/**
 * Where ids are looked up: in the table that has the noun's name in the plural, or in the table that is named here. Which group a row
 * belongs to, the tenant door knows. `handler`: in no tenant table; the queries of the noun say themselves what its caller sees.
 */
const tableNamed = {
  posId: 'machines',
  pastPosId: 'machinesEver',
  commandId: 'remote_commands',
  configId: 'configurations',
  sapcodeId: 'key_sap_codes',
  tokenId: 'api_tokens',
  changeId: 'change_log',
  orderId: 'handler',
  userId: 'handler',
  sessionId: 'handler',
  viewId: 'handler',
  exportId: 'handler',
  letterId: 'handler',
} as const satisfies Record<NamedElsewhere, NarrowedTable | 'handler'>

/** The table where ids of a noun are looked up. */
export const tableOf = (name: IdName): NarrowedTable | 'handler' =>
  name in tableNamed ? tableNamed[name as NamedElsewhere] : (name.replace(/Id$/, 's') as ScopedTable)

/** Whether ids of a noun are looked up by `outOfReach`, or by its own handlers alone. */
export const isLookedUp = (name: IdName): boolean => tableOf(name) !== 'handler'

/** Ids by their nouns. */
export type NamedIds = ReadonlyMap<IdName, ReadonlySet<string>>

/**
 * The first noun of which an id is not within the scope, unknown or somebody else's. One statement for all of them; what is missing and
 * what is foreign cost it the same.
 */
export async function outOfReach(db: TenantDb, named: NamedIds): Promise<IdName | undefined> {
  const wanted = [...named].filter(([name, ids]) => isLookedUp(name) && ids.size > 0)
  if (wanted.length === 0) return undefined
  const counts = wanted.map(([name, ids]) => {
    const table = tableOf(name) as NarrowedTable
    const from = sql.table(table === 'machinesEver' ? 'machines' : table)
    return sql`select ${name} as name, count(distinct wanted.id)::int as found from ${from} wanted
      where wanted.id = any(${[...ids]}::uuid[]) and ${db.narrow(table, 'wanted')}`
  })
  const { rows } = await sql<{ name: IdName; found: number }>`${sql.join(counts, sql` union all `)}`.execute(db.query)
  const found = new Map(rows.map((row) => [row.name, row.found]))
  return wanted.find(([name, ids]) => (found.get(name) ?? 0) < ids.size)?.[0]
}
