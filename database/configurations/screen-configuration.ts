import { sql } from 'kysely'
import {
  mostScreenVersions,
  type ScreenMachineFilters,
  type screenMachineOrds,
} from '#contract/configurations/screen-configuration.ts'
import type { NewScreenConfiguration } from '#contract/configurations/screen-content.ts'
import { rankOfState, stateOf } from '../facts/machine-state.ts'
import { machinesFound } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { newestReportOf, showsWhatWasSent } from './screen-sync.ts'

/** Assignments of machines in the scope. */
const assignedOf = (db: TenantDb) => sql`screen_assignments a where ${db.narrow('screen_assignments', 'a')}
  and a.merchant_id = screen_configurations.merchant_id and a.screen_configuration_id = screen_configurations.id`

export const screenConfigurationList = recordList({
  list: 'screenConfigurations',
  table: 'screen_configurations',
  sums: { of: ['machines', 'machinesInSync'] },
  beside: {
    machines: (db: TenantDb) => sql<number>`(select count(*)::int from ${assignedOf(db)})`,
    machines_in_sync: (db: TenantDb) =>
      sql<number>`(select count(*)::int from ${assignedOf(db)} and ${showsWhatWasSent(db, 'a')})`,
  },
})

/** Stores a version once. */
export async function keepVersion(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  version: number,
  content: NewScreenConfiguration,
  by: { id: string; name: string },
  now: Date,
): Promise<void> {
  const stored = await db.query
    .insertInto('screen_versions')
    .values({
      merchant_id,
      screen_configuration_id: id,
      version,
      content: JSON.stringify(content),
      saved_at: now,
      saved_by: by.id,
      saved_by_name: by.name,
    })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'screen_configuration_id', 'version']).doNothing())
    .executeTakeFirst()
  if (Number(stored.numInsertedOrUpdatedRows) === 0) return
  await db.query
    .updateTable('screen_configurations')
    .set({ updated_at: now })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** The newest versions, newest first. */
export const listVersions = (db: TenantDb, { merchant_id, id }: RecordKey) =>
  db
    .from('screen_versions')
    .where('screen_versions.merchant_id', '=', merchant_id)
    .where('screen_versions.screen_configuration_id', '=', id)
    .select([
      'screen_versions.version',
      'screen_versions.saved_at',
      'screen_versions.saved_by',
      'screen_versions.saved_by_name',
    ])
    .select(
      sql<number>`(select count(*)::int from screen_assignments a where ${db.narrow('screen_assignments', 'a')}
        and a.merchant_id = screen_versions.merchant_id and a.screen_configuration_id = screen_versions.screen_configuration_id
        and a.version = screen_versions.version)`.as('machines'),
    )
    .orderBy('screen_versions.version', 'desc')
    .limit(mostScreenVersions)
    .execute()

/** The content of a version. */
export const versionOf = async (
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  version: number,
): Promise<NewScreenConfiguration | undefined> => {
  const row = await db
    .from('screen_versions')
    .where('screen_versions.merchant_id', '=', merchant_id)
    .where('screen_versions.screen_configuration_id', '=', id)
    .where('screen_versions.version', '=', version)
    .select('screen_versions.content')
    .executeTakeFirst()
  return row?.content as NewScreenConfiguration | undefined
}

/** Machines of any group that a configuration was sent to; they keep it from being deleted. */
export async function machinesWithScreen(db: TenantDb, { merchant_id, id }: RecordKey) {
  const { machines } = await db.query
    .selectFrom('screen_assignments')
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'screen_assignments.merchant_id')
        .onRef('machines.id', '=', 'screen_assignments.machine_id'),
    )
    .where('screen_assignments.merchant_id', '=', merchant_id)
    .where('machines.merchant_id', '=', merchant_id)
    .where('machines.deleted_at', 'is', null)
    .where('screen_assignments.screen_configuration_id', '=', id)
    .select(sql<number>`count(*)::int`.as('machines'))
    .executeTakeFirstOrThrow()
  return machines > 0 ? { machines } : undefined
}

type Ord = (typeof screenMachineOrds)[number]

const ordering = orderOf<Ord>({
  by: {
    name: sql`machines.name_order`,
    serial: sql`machines.serial`,
    groupName: sql`lower(groups.name)`,
    sentAt: sql`screen_assignments.sent_at`,
    version: sql`screen_assignments.version`,
    commandInfo: sql`lower(command.result_info)`,
    state: rankOfState,
  },
  first: 'name',
  ties: sql`machines.id`,
})

/** A page of the machines of the scope that a configuration was sent to. */
export async function listScreenMachines(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  query: ScreenMachineFilters & Page & Sorted<Ord>,
) {
  const isFound = await machinesFound(db, query.search)
  const matching = () =>
    db
      .from('screen_assignments')
      .innerJoin('machines', (join) =>
        join
          .onRef('machines.merchant_id', '=', 'screen_assignments.merchant_id')
          .onRef('machines.id', '=', 'screen_assignments.machine_id'),
      )
      .where(db.narrow('machines'))
      .where('screen_assignments.merchant_id', '=', merchant_id)
      .where('screen_assignments.screen_configuration_id', '=', id)
      .where(isFound('machines.id'))
  return pageOf(db, query, {
    matching,
    order: ordering(query),
    select: (assigned) =>
      assigned
        .leftJoin('groups', (join) =>
          join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
        )
        .leftJoin('remote_commands as command', (join) =>
          join
            .onRef('command.merchant_id', '=', 'screen_assignments.merchant_id')
            .onRef('command.id', '=', 'screen_assignments.command_id')
            .on(db.own('command')),
        )
        .leftJoinLateral(newestReportOf(db, 'screen_assignments').as('newest'), (join) => join.onTrue())
        .select(['machines.id', 'machines.merchant_id', 'machines.name', 'machines.serial', 'machines.hidden'])
        .select(['machines.group_id', 'groups.name as group_name', stateOf.as('state')])
        .select(['screen_assignments.version', 'screen_assignments.sent_at', 'screen_assignments.document'])
        .select(['command.status as command_status', 'command.result_info as command_info', 'command.executed_at'])
        .select(['newest.document as reported', 'newest.confirmed_at as reported_at']),
  })
}
