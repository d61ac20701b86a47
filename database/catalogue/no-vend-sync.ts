import { sql } from 'kysely'
import { noVendPrefix } from '#contract/vocabulary/configuration.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Parameters of a no-vend profile, as a condition on a name. */
export const isNoVendName = (name: string) => sql<boolean>`starts_with(${sql.ref(name)}, ${sql.lit(noVendPrefix)})`

/** Whether the newest configuration that a machine reported has all no-vend parameters of its target; false without any. */
export const isNoVendInSync = (db: Pick<TenantDb, 'own'>, machines: string) => sql<boolean>`coalesce((
  select bool_and(newest.parameters ->> wanted.key is not distinct from wanted.value)
  from custom_configurations target
  cross join lateral (
    select reported.parameters from configurations reported
    where ${db.own('reported')} and reported.merchant_id = target.merchant_id and reported.machine_id = target.machine_id
    order by reported.read_at desc, reported.id desc limit 1
  ) newest
  cross join lateral jsonb_each_text(target.parameters) wanted
  where ${db.own('target')} and target.merchant_id = ${sql.ref(`${machines}.merchant_id`)}
    and target.machine_id = ${sql.ref(`${machines}.id`)} and ${isNoVendName('wanted.key')}), false)`
