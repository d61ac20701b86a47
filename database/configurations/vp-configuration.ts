import { sql } from 'kysely'
import { mostVpBlockers, type VpConfigurationBlockers } from '#contract/configurations/vp-configuration.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Machines of the scope whose target a configuration is. */
const targetsOf = (db: TenantDb) => sql`vp_targets t
  join machines m on m.merchant_id = t.merchant_id and m.id = t.machine_id
  where t.merchant_id = vp_configurations.merchant_id and t.vp_configuration_id = vp_configurations.id
    and ${db.own('t')} and ${db.narrow('machines', 'm')}`

export const vpConfigurationList = recordList({
  list: 'vpConfigurations',
  table: 'vp_configurations',
  sums: { of: ['machines', 'machinesInSync'] },
  where: (db, { deviceTypes, isValid, hasMachines }) => [
    anyOf('vp_configurations.device_type', deviceTypes, 'text'),
    when(isValid, (expected) => sql<boolean>`(vp_configurations.problems = 0) = ${expected}`),
    when(hasMachines, (expected) => sql<boolean>`exists (select 1 from ${targetsOf(db)}) = ${expected}`),
  ],
  beside: {
    machines: (db: TenantDb) => sql<number>`(select count(*)::int from ${targetsOf(db)})`,
    machines_in_sync: (db: TenantDb) => sql<number>`(select count(*)::int from ${targetsOf(db)}
      and exists (select 1 from vp_reports r where ${db.own('r')} and r.merchant_id = t.merchant_id
        and r.machine_id = t.machine_id and r.sha256 = vp_configurations.sha256))`,
  },
})

/** Stores what follows from a document that was just written. */
export async function noteVpFacts(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  facts: { sha256: string; problems: number; at: Date },
): Promise<void> {
  await db.query
    .updateTable('vp_configurations')
    .set({ sha256: facts.sha256, problems: facts.problems, updated_at: facts.at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** Machines that block the deletion of a configuration, if any. Machines outside the scope are reported as existing only. */
export async function machinesWithVp(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
): Promise<VpConfigurationBlockers | undefined> {
  const rows = await db
    .from('machines')
    .innerJoin('vp_targets', (join) =>
      join
        .onRef('vp_targets.merchant_id', '=', 'machines.merchant_id')
        .onRef('vp_targets.machine_id', '=', 'machines.id'),
    )
    .where('machines.merchant_id', '=', merchant_id)
    .where('vp_targets.vp_configuration_id', '=', id)
    .select(['machines.id', 'machines.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy(sql`machines.name_order, machines.id`)
    .limit(mostVpBlockers)
    .execute()
  const { all } = await db.query
    .selectFrom('vp_targets')
    .where('vp_targets.merchant_id', '=', merchant_id)
    .where('vp_targets.vp_configuration_id', '=', id)
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow()
  if (all === 0) return undefined
  const machines = rows[0]?.n ?? 0
  return { machines, firstMachines: rows.map((row) => ({ id: row.id, name: row.name })), hasOthers: all > machines }
}
