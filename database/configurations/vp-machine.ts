import { sql } from 'kysely'
import type { VpMachineFilters, vpMachineOrds } from '#contract/configurations/vp-configuration.ts'
import type { JsonObject } from '#contract/configurations/vp-document.ts'
import { rankOfState, stateOf } from '../facts/machine-state.ts'
import { machinesFound } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { RecordKey } from '../frame/records.ts'
import { type Chosen, chosenOf, type Selection } from '../frame/selection.ts'
import type { TenantDb } from '../frame/tenant.ts'

type Ord = (typeof vpMachineOrds)[number]
/** A configuration by its key and its model. */
export interface VpConfigurationKey extends RecordKey {
  device_type: string
}

const ordering = orderOf<Ord>({
  by: {
    name: sql`machines.name_order`,
    serial: sql`machines.serial`,
    groupName: sql`lower(groups.name)`,
    state: rankOfState,
    sentVersion: sql`vp_targets.sent_version`,
    reportedAt: sql`vp_reports.reported_at`,
    connection: sql`machines.connection`,
  },
  first: 'name',
  ties: sql`machines.id`,
})

const ofModel = (db: TenantDb, { merchant_id, device_type }: VpConfigurationKey) =>
  db
    .from('machines')
    .leftJoin('vp_targets', (join) =>
      join
        .onRef('vp_targets.merchant_id', '=', 'machines.merchant_id')
        .onRef('vp_targets.machine_id', '=', 'machines.id'),
    )
    .where('machines.merchant_id', '=', merchant_id)
    .where('machines.device_type', '=', device_type)

/** Returns a function that builds queries on the machines that match: of the configuration's model, or with it as their target. */
async function machinesMatching(db: TenantDb, key: VpConfigurationKey, { search, targets }: VpMachineFilters) {
  const isFound = await machinesFound(db, search)
  const isOwn = sql<boolean>`vp_targets.vp_configuration_id is not distinct from ${key.id}::uuid`
  const isShown = { own: isOwn, others: sql<boolean>`not ${isOwn} and not machines.hidden` }
  return () =>
    ofModel(db, key)
      .where(isFound('machines.id'))
      .where(targets ? isShown[targets] : sql<boolean>`(${isOwn} or not machines.hidden)`)
}

const withState = (query: ReturnType<typeof ofModel>) =>
  query
    .leftJoin('groups', (join) =>
      join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
    )
    .leftJoin('vp_configurations as target', (join) =>
      join
        .onRef('target.merchant_id', '=', 'machines.merchant_id')
        .onRef('target.id', '=', 'vp_targets.vp_configuration_id'),
    )
    .leftJoin('vp_reports', (join) =>
      join
        .onRef('vp_reports.merchant_id', '=', 'machines.merchant_id')
        .onRef('vp_reports.machine_id', '=', 'machines.id'),
    )
    .leftJoin('remote_commands', (join) =>
      join
        .onRef('remote_commands.merchant_id', '=', 'machines.merchant_id')
        .onRef('remote_commands.id', '=', 'vp_targets.command_id'),
    )
    .select(['machines.id', 'machines.merchant_id', 'machines.name', 'machines.serial', 'machines.connection'])
    .select(['groups.name as group_name', stateOf.as('state')])
    .select(['vp_targets.vp_configuration_id', 'vp_targets.sent_version', 'vp_targets.confirmed_at'])
    .select(['vp_targets.sha256 as sent_sha256', 'target.name as target_name'])
    .select(['vp_reports.sha256 as reported_sha256', 'vp_reports.reported_at'])
    .select(['remote_commands.id as command_id', 'remote_commands.status', 'remote_commands.result'])
    .select(['remote_commands.created_at as command_at', 'remote_commands.executed_at'])

/** A page of the machines of a configuration's model in the scope. */
export const listVpMachines = async (
  db: TenantDb,
  key: VpConfigurationKey,
  query: VpMachineFilters & Page & Sorted<Ord>,
) =>
  pageOf(db, query, {
    matching: await machinesMatching(db, key, query),
    order: ordering(query),
    select: withState,
  })
export type VpMachineRecord = Awaited<ReturnType<typeof listVpMachines>>['rows'][number]

/** One machine of the configuration's model with its documents; undefined outside the scope. */
export async function findVpMachine(db: TenantDb, key: VpConfigurationKey, machineId: string) {
  const row = await withState(ofModel(db, key).where('machines.id', '=', machineId))
    .select(['vp_targets.document as sent_document', 'vp_reports.document as reported_document'])
    .select(['vp_reports.name as reported_name', 'vp_reports.schema_version as reported_schema'])
    .executeTakeFirst()
  return (
    row && {
      ...row,
      sent_document: row.sent_document as JsonObject | null,
      reported_document: row.reported_document as JsonObject | null,
    }
  )
}

/** The ids of the selected machines. A filter selects machines of the configuration's model only. */
export const chosenVpMachines = (
  db: TenantDb,
  key: VpConfigurationKey,
  selection: Selection<VpMachineFilters>,
): Promise<Chosen> => chosenOf(db, 'machines', selection, (filters) => machinesMatching(db, key, filters))

/** The model of machines and the features of their merchants, by id. */
export const machinesForVp = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('machines')
    .leftJoin('merchant_features', 'merchant_features.merchant_id', 'machines.merchant_id')
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select(['machines.merchant_id', 'machines.id', 'machines.name', 'machines.serial', 'machines.device_type'])
    .select(sql<string[]>`coalesce(merchant_features.features, '{}')`.as('features'))
    .orderBy('machines.id')
    .execute()

/** Rows per statement; more are split. */
const rowsPerStatement = 200

/** Stores the document that commands carry as the target of their machines. */
export async function noteVpTargets(
  db: TenantDb,
  key: RecordKey,
  sent: { version: number; sha256: string; document: string; at: Date },
  commands: readonly { machine_id: string; id: string }[],
): Promise<void> {
  for (let from = 0; from < commands.length; from += rowsPerStatement)
    await db.query
      .insertInto('vp_targets')
      .values(
        commands.slice(from, from + rowsPerStatement).map((command) => ({
          merchant_id: key.merchant_id,
          machine_id: command.machine_id,
          vp_configuration_id: key.id,
          sent_version: sent.version,
          sent_at: sent.at,
          sha256: sent.sha256,
          document: sent.document,
          command_id: command.id,
          confirmed_at: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'machine_id']).doUpdateSet((excluded) => ({
          vp_configuration_id: excluded.ref('excluded.vp_configuration_id'),
          sent_version: excluded.ref('excluded.sent_version'),
          sent_at: excluded.ref('excluded.sent_at'),
          sha256: excluded.ref('excluded.sha256'),
          document: excluded.ref('excluded.document'),
          command_id: excluded.ref('excluded.command_id'),
          confirmed_at: null,
        })),
      )
      .execute()
}
