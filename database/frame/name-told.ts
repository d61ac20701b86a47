import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from './tenant.ts'

/** Those who work for the provider, of whom merchants are told nothing: few, and looked up once for a query. */
export const invisible = sql`array(select invisible_people())`

/** The name by which a reader is told of a person; null where it is kept from the reader. */
export const nameTold = (id: RawBuilder<unknown>, name: RawBuilder<unknown>, seesInvisible: boolean) =>
  seesInvisible
    ? sql<string | null>`${name}`
    : sql<string | null>`case when ${id} = any(${invisible}) then null else ${name} end`

/** Who did this to a subject last, where a name alone is kept beside it. */
export const lastlyBy = (
  action: string,
  subjectType: string,
  { merchantId, subjectId }: { merchantId: RawBuilder<unknown>; subjectId: RawBuilder<unknown> },
) => sql<string | null>`(select l.user_id from change_log l where l.merchant_id = ${merchantId}
  and l.subject_type = ${subjectType} and l.subject_id = ${subjectId}::text and l.action = ${action}
  order by l.at desc limit 1)`

/** The ids of who works for the provider and is not shown to merchants. */
export async function invisiblePeople(db: TenantDb): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select invisible_people() as id`.execute(db.query)
  return new Set(rows.map(({ id }) => id))
}
