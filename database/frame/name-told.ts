import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from './tenant.ts'

/** Whose names are kept from a reader, by id; null for a reader who sees all names. */
export type Hidden = readonly string[] | null

/** Users who work for the provider, whom merchants are not shown: few, and looked up apart, since users are kept in local tables. */
export const hiddenFrom = async (db: TenantDb, seesInvisible: boolean): Promise<Hidden> =>
  seesInvisible ? null : [...(await invisiblePeople(db))]

/** The name that a reader sees of a user; null where it is kept from the reader. */
export const nameTold = (id: RawBuilder<unknown>, name: RawBuilder<unknown>, hidden: Hidden) =>
  hidden === null
    ? sql<string | null>`${name}`
    : sql<string | null>`case when ${id} = any(${hidden}::uuid[]) then null else ${name} end`

/** Who did this to a subject last, where a name alone is kept beside it. */
export const lastlyBy = (
  db: Pick<TenantDb, 'own'>,
  action: string,
  subjectType: string,
  { merchantId, subjectId }: { merchantId: RawBuilder<unknown>; subjectId: RawBuilder<unknown> },
) => sql<string | null>`(select l.user_id from change_log l where ${db.own('l')} and l.merchant_id = ${merchantId}
  and l.subject_type = ${subjectType} and l.subject_id = ${subjectId}::text and l.action = ${action}
  order by l.at desc limit 1)`

/** The ids of who works for the provider and is not shown to merchants. */
export async function invisiblePeople(db: Pick<TenantDb, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select invisible_people() as id`.execute(db.query)
  return new Set(rows.map(({ id }) => id))
}
