import { sql } from 'kysely'
import type { Feature } from '#contract/vocabulary/feature.ts'
import type { TenantDb } from './tenant.ts'

/** Whether the merchant of a row has a feature; `table` is the row's table or alias. */
export const hasFeature = (db: Pick<TenantDb, 'own'>, feature: Feature, table: string) => sql<boolean>`exists (
  select 1 from merchant_features able
  where ${db.own('able')} and able.merchant_id = ${sql.ref(`${table}.merchant_id`)} and ${feature}::text = any(able.features))`
