import { sql } from 'kysely'
import { screenDocument } from '#contract/vocabulary/configuration.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The newest configuration that the machine of an assignment reported, in a lateral join. */
export const newestReportOf = (db: Pick<TenantDb, 'own'>, assignment: string) => sql<{
  document: string | null
  confirmed_at: Date
}>`(select reported.parameters ->> ${screenDocument}::text as document, reported.confirmed_at
    from configurations reported
    where ${db.own('reported')} and reported.merchant_id = ${sql.ref(`${assignment}.merchant_id`)}
      and reported.machine_id = ${sql.ref(`${assignment}.machine_id`)}
    order by reported.read_at desc, reported.id desc limit 1)`

/** Whether the machine of an assignment reports the document that was sent. */
export const showsWhatWasSent = (db: Pick<TenantDb, 'own'>, assignment: string) => sql<boolean>`coalesce((
  select newest.document = ${sql.ref(`${assignment}.document`)} from ${newestReportOf(db, assignment)} as newest), false)`
