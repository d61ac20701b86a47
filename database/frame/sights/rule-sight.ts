import { type RawBuilder, sql } from 'kysely'

/** The condition that a column is the merchant of the reader's groups. */
export type IsOfMerchant = (column: RawBuilder<unknown>) => RawBuilder<boolean>

/**
 * The condition that the update rule with this id concerns machines of these groups of its merchant: it names one of the groups, it
 * stays within one of them, or one of its machines is in one of them.
 */
export function ruleWithin(
  ruleId: RawBuilder<unknown>,
  isOf: IsOfMerchant,
  groups: readonly string[],
): RawBuilder<boolean> {
  const target = sql`seen.plan -> 'target'`
  return sql<boolean>`exists (select 1 from rollouts seen where ${isOf(sql.ref('seen.merchant_id'))} and seen.id = ${ruleId}
    and (case ${target} ->> 'by'
        when 'groups' then ${target} -> 'groupIds' ?| ${groups}::text[]
        when 'machines' then exists (select 1 from machines chosen where ${isOf(sql.ref('chosen.merchant_id'))}
          and chosen.group_id = any(${groups}::uuid[]) and ${target} -> 'posIds' ? chosen.id::text)
        else coalesce(seen.within_groups && ${groups}::uuid[], false) end
      or exists (select 1 from rollout_machines member
        join machines of_group on of_group.merchant_id = member.merchant_id and of_group.id = member.machine_id
          and ${isOf(sql.ref('of_group.merchant_id'))}
        where ${isOf(sql.ref('member.merchant_id'))} and member.rollout_id = seen.id
          and of_group.group_id = any(${groups}::uuid[]))))`
}
