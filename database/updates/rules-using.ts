import { type RawBuilder, sql } from 'kysely'
import { mostNamedRules } from '#contract/updates/update-rule.ts'
import type { SystemDb, TenantDb } from '../frame/tenant.ts'

/** Rules of all merchants that bring a firmware, some of them by name. Merchants do not see each other's. */
export async function firmwareRulesUsing(db: SystemDb, firmwareId: string): Promise<string[]> {
  const rules = await db
    .selectFrom('firmware_rules')
    .where('firmware_id', '=', firmwareId)
    .select('name')
    .orderBy('name')
    .limit(mostNamedRules)
    .execute()
  return rules.map(({ name }) => name)
}

/** Rules that use something. A reader of some groups gets the names of rules that concern them; `others` counts the rest. */
export interface UsingRules {
  rules: { id: string; name: string }[]
  others: number
}

/** The names of some rules, and the number of those out of sight: `Night`, `Bar`, `+2`. */
export const namesOf = ({ rules, others }: UsingRules): string[] => [
  ...rules.map(({ name }) => name),
  ...(others > 0 ? [`+${others}`] : []),
]

async function rulesWhere(db: TenantDb, merchantId: string, uses: RawBuilder<unknown>): Promise<UsingRules> {
  const { rows } = await sql<{ id: string; name: string; isSeen: boolean }>`
    select r.id, r.name, ${db.narrow('rollouts', 'r')} as "isSeen" from rollouts r
    where ${db.own('r')} and r.merchant_id = ${merchantId} and ${uses}
    order by "isSeen" desc, lower(r.name), r.id limit ${mostNamedRules}`.execute(db.query)
  const rules = rows.filter(({ isSeen }) => isSeen).map(({ id, name }) => ({ id, name }))
  return { rules, others: rows.length - rules.length }
}

/** Rules that bring a cash database. */
export const databaseRulesUsing = (db: TenantDb, merchantId: string, id: string): Promise<UsingRules> =>
  rulesWhere(db, merchantId, sql`r.kind = 'cashDatabase' and r.update_id = ${id}`)

/** Rules that name a group or a client, of both kinds. */
export const rulesNaming = (
  db: TenantDb,
  key: 'groupIds' | 'clientIds',
  { merchant_id, id }: { merchant_id: string; id: string },
): Promise<UsingRules> => rulesWhere(db, merchant_id, sql`r.plan -> 'target' -> ${sql.lit(key)} ? ${id}`)
