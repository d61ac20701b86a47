import { sql } from 'kysely'
import type { TenantDb } from '../../frame/tenant.ts'

/** The collection of the cash box that the visit of a row took, as a lateral query. A collection that two visits reported is the first one's. */
export const collectedBy = (db: TenantDb, visit: string) => sql<{ counted: number | null; is_open: boolean }>`(
  select c.counted_total as counted, c.status = 'open' as is_open
  from collection_sources s
  join collections c on ${db.own('c')} and c.merchant_id = s.merchant_id and c.id = s.collection_id
  where ${db.own('s')} and s.merchant_id = ${sql.ref(`${visit}.merchant_id`)} and s.source = 'visit' and s.source_id = ${sql.ref(`${visit}.id`)}
    and not exists (select 1 from collection_sources earlier where ${db.own('earlier')} and earlier.merchant_id = s.merchant_id
      and earlier.collection_id = s.collection_id and earlier.source = 'visit'
      and (earlier.at, earlier.source_id) < (s.at, s.source_id)))`
