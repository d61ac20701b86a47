import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from './tenant.ts'

/** Ids of users whose names are hidden from a reader; null if the reader sees all names. */
export type Hidden = readonly string[] | null

/** Users of the provider, who are hidden from merchants. They are few, and read separately because users are in local tables. */
export const hiddenFrom = async (db: TenantDb, seesInvisible: boolean): Promise<Hidden> =>
  seesInvisible ? null : [...(await invisibleUsers(db))]

/** The name of a user as the reader may see it; null if it is hidden. */
export const redactedName = (id: RawBuilder<unknown>, name: RawBuilder<unknown>, hidden: Hidden) =>
  hidden === null
    ? sql<string | null>`${name}`
    : sql<string | null>`case when ${id} = any(${hidden}::uuid[]) then null else ${name} end`

/** The last user who did this to a subject, for rows that store a name only. */
export const lastlyBy = (
  db: Pick<TenantDb, 'own'>,
  action: string,
  subjectType: string,
  { merchantId, subjectId }: { merchantId: RawBuilder<unknown>; subjectId: RawBuilder<unknown> },
) => sql<string | null>`(select l.user_id from change_log l where ${db.own('l')} and l.merchant_id = ${merchantId}
  and l.subject_type = ${subjectType} and l.subject_id = ${subjectId}::text and l.action = ${action}
  order by l.at desc limit 1)`

/** The ids of the provider's users who are hidden from merchants. */
export async function invisibleUsers(db: Pick<TenantDb, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select invisible_people() as id`.execute(db.query)
  return new Set(rows.map(({ id }) => id))
}
