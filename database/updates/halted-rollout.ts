import { sql } from 'kysely'
import type { HaltedRollout } from '#contract/updates/halted-rollout.ts'
import { featureOfRule, ruleKinds } from '#contract/updates/rollout-kind.ts'
import { gathered } from '../frame/apart/apart.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'

export type HaltedRolloutRow = FactsOf<typeof HaltedRollout>

/** Whether the merchant of a rollout has the feature of its kind. */
export const isOfOwnFeature = (db: TenantDb, alias: string) =>
  sql<boolean>`(${sql.join(
    ruleKinds.map(
      (kind) => sql`${sql.ref(`${alias}.kind`)} = ${kind} and ${hasFeature(db, featureOfRule[kind], alias)}`,
    ),
    sql` or `,
  )})`

/** Halted rollouts that concern the scope's groups, of merchants with the feature; the latest first. */
export async function findHaltedRollouts(db: TenantDb, most: number): Promise<HaltedRolloutRow[]> {
  const each = await gathered(
    db,
    sql`select r.id, r.merchant_id as "merchantId", merchants.name as "merchantName", merchants.time_zone as "timeZone",
      r.kind, r.name, r.release, r.direction, r.halt, r.halted_at as "haltedAt"
    from rollouts r join merchants on merchants.id = r.merchant_id
    where ${db.narrow('rollouts', 'r')} and r.state = 'halted' and ${isOfOwnFeature(db, 'r')}
    order by r.halted_at desc, r.id limit ${most}`,
  )
  const { rows } = await sql<HaltedRolloutRow>`
    select * from ${each} r order by "haltedAt" desc, id limit ${most}`.execute(db.query)
  return rows
}
