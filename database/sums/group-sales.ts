import { type RawBuilder, sql } from 'kysely'
import { type Scope, type TenantDb, withinScope } from '../frame/tenant.ts'
import { amounts, amountsOf } from './group-hours.ts'

/** A scope narrowed to the requested groups; the whole scope if none are requested. */
export const reachOf = (scope: Scope, groupIds: readonly string[] | undefined): Scope =>
  groupIds === undefined || groupIds.length === 0
    ? scope
    : scope.map(({ merchantId, groups }) => ({
        merchantId,
        groups: groups === 'all' ? groupIds : groupIds.filter((id) => groups.includes(id)),
      }))

const tables = {
  hour: { byGroup: 'group_sales_hourly', byMachine: 'sales_hourly' },
  day: { byGroup: 'group_sales_daily', byMachine: 'sales_daily' },
} as const
const codes = ['type', 'media_type', 'media_source'] as const

/** A condition on rows with this alias, whose `day` is the merchant's. */
type Condition = (alias: string) => RawBuilder<unknown>

/**
 * Sums of the merchant `m` (its alias) within the scope, with few rows however many machines it has: the sums of the whole merchant, or
 * of the groups, corrected by the sales of machines whose sums have not been moved to their new group yet.
 */
export function groupSales(
  db: TenantDb,
  reach: Scope,
  level: 'hour' | 'day',
  m: string,
  ...conditions: readonly Condition[]
): RawBuilder<unknown> {
  const { byGroup, byMachine } = tables[level]
  const at = level === 'hour' ? ['day', 'hour'] : ['day']
  const kind = (alias: string) => sql.join([...at, ...codes].map((name) => sql.ref(`${alias}.${name}`)))
  const allOf = (alias: string) =>
    sql.join(
      conditions.map((condition) => condition(alias)),
      sql` and `,
    )
  const merchant = sql.ref(`${m}.id`)
  const stored = sql`
    select ${kind('b')}, ${amountsOf('b')} from ${sql.table(byGroup)} b
    where b.merchant_id = ${merchant} and ${withinScope(db, reach).narrow(byGroup, 'b')} and ${allOf('b')}`
  const some = reach.flatMap(({ merchantId, groups }) => (groups === 'all' ? [] : [{ merchantId, groups }]))
  if (some.length === 0) return stored
  const signs = some.map(
    ({ merchantId, groups }) => sql`when r.merchant_id = ${merchantId}::uuid then
      coalesce(p.group_id = any(${groups}::uuid[]), false)::int - coalesce(r.summed_group_id = any(${groups}::uuid[]), false)::int`,
  )
  return sql`${stored}
    union all
    select ${kind('s')}, ${sql.join(amounts.map((name) => sql`x.sign * ${sql.ref(`s.${name}`)}`))}
    from regrouped_machines r
    join machines p on p.merchant_id = r.merchant_id and p.id = r.machine_id and p.merchant_id = ${merchant}
    cross join lateral (select case ${sql.join(signs, sql` `)} else 0 end as sign) x
    cross join lateral (
      select * from ${sql.table(byMachine)} s
      where ${db.own('s')} and s.merchant_id = r.merchant_id and s.machine_id = r.machine_id and s.merchant_id = ${merchant} and ${allOf('s')} offset 0
    ) s
    where ${db.own('r')} and r.merchant_id = ${merchant} and x.sign <> 0`
}
