import { type RawBuilder, sql } from 'kysely'
import type { MachineFilters } from '#contract/machine.ts'
import type { RemoteCommandFilters, remoteCommandOrds } from '#contract/remote-command.ts'
import { cancel } from '#domain/command-lifecycle.ts'
import { changeCommand, lockCommands } from './command-outbox.ts'
import { anyOf } from './conditions.ts'
import { filteredMachines } from './machine.ts'
import { countUpTo, offsetOf, type Page } from './paging.ts'
import { type Chosen, chosenOf, type Selection } from './selection.ts'
import type { TenantDb } from './tenant.ts'

const ordColumns = {
  createdAt: sql`remote_commands.created_at`,
  posName: sql`lower(machines.name)`,
  type: sql`remote_commands.type`,
  status: sql`remote_commands.status`,
  executedAt: sql`remote_commands.executed_at`,
} satisfies Record<(typeof remoteCommandOrds)[number], RawBuilder<unknown>>

const joined = (db: TenantDb) =>
  db
    .from('remote_commands')
    .innerJoin('merchants', 'merchants.id', 'remote_commands.merchant_id')
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'remote_commands.merchant_id')
        .onRef('machines.id', '=', 'remote_commands.machine_id'),
    )

const shown = (db: TenantDb) =>
  joined(db)
    .selectAll('remote_commands')
    .select([
      'merchants.name as merchant_name',
      'merchants.time_zone as time_zone',
      'machines.name as machine_name',
      'machines.serial as serial',
    ])

export type RemoteCommandRecord = Awaited<ReturnType<typeof findRemoteCommand>> & object

/** A query on the commands that match. */
export const commandsMatching = (db: TenantDb, filters: RemoteCommandFilters) =>
  joined(db)
    .where(anyOf('remote_commands.status', filters.statuses, 'int'))
    .where(anyOf('remote_commands.type', filters.types, 'int'))
    .where(anyOf('remote_commands.machine_id', filters.posIds, 'uuid'))

/** In which order a list of commands stands; the newest first unless asked otherwise. */
export const remoteCommandOrdering = (by: {
  ord?: (typeof remoteCommandOrds)[number] | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}) =>
  sql`${ordColumns[by.ord ?? 'createdAt']} ${sql.raw(by.ordType === 'ASC' ? 'asc nulls last' : 'desc nulls last')},
    remote_commands.id desc`

export async function listRemoteCommands(
  db: TenantDb,
  filters: RemoteCommandFilters,
  page: Page & { ord?: (typeof remoteCommandOrds)[number] | undefined; ordType?: 'ASC' | 'DESC' | undefined },
) {
  const counted = await countUpTo(db, commandsMatching(db, filters))
  const chosen = await commandsMatching(db, filters)
    .select('remote_commands.id')
    .orderBy(remoteCommandOrdering(page))
    .limit(page.size)
    .offset(offsetOf(page))
    .execute()
  return {
    ...counted,
    rows: await commandsOf(
      db,
      chosen.map((row) => row.id),
    ),
  }
}

export const findRemoteCommand = (db: TenantDb, id: string) =>
  shown(db).where('remote_commands.id', '=', id).executeTakeFirst()

/** Commands by their ids, in that order. */
export async function commandsOf(db: TenantDb, ids: string[]): Promise<RemoteCommandRecord[]> {
  if (ids.length === 0) return []
  const rows = await shown(db)
    .where(anyOf('remote_commands.id', ids, 'uuid'))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** The machines that somebody selected, by their ids. */
export const chosenMachines = (db: TenantDb, selection: Selection<MachineFilters>): Promise<Chosen> =>
  chosenOf(selection, {
    named: async (ids) => (await machinesForCommand(db, ids)).map(({ id }) => id),
    matched: async (except, most) => {
      const query = () =>
        filteredMachines(db, 'matching' in selection ? selection.matching : {}).where(
          sql<boolean>`not (machines.id = any(${except}::uuid[]))`,
        )
      const rows = await query().select('machines.id').limit(most).execute()
      return { ids: rows.map(({ id }) => id), total: (await countUpTo(db, query())).total }
    },
  })

/** Machines of the scope that a command shall go to, by their ids. */
export const machinesForCommand = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('machines')
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select(['machines.merchant_id', 'machines.id', 'machines.name'])
    .orderBy('machines.id')
    .execute()

/** Commands of one statement; more go into several. */
const rowsPerStatement = 500

export interface NewCommand {
  merchant_id: string
  id: string
  machine_id: string
  type: number
  parameters: string
  created_at: Date
  created_by: string
  created_by_name: string
  not_before: Date
  expires_at: Date
}

/** Stores commands; one whose machine already has a pending command of the type is left out. Answers the ids stored. */
export async function insertRemoteCommands(db: TenantDb, commands: NewCommand[]): Promise<Set<string>> {
  const stored = new Set<string>()
  for (let from = 0; from < commands.length; from += rowsPerStatement) {
    const rows = await db.query
      .insertInto('remote_commands')
      .values(
        commands
          .slice(from, from + rowsPerStatement)
          .map((command) => ({ ...command, status: 0, next_attempt_at: command.not_before })),
      )
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'machine_id', 'type']).where(sql<boolean>`status in (0, 1)`).doNothing(),
      )
      .returning('id')
      .execute()
    for (const { id } of rows) stored.add(id)
  }
  return stored
}

/**
 * Ends a command that its machine has not begun; answers whether it could still be ended. The row is held meanwhile, so that a
 * cancellation and the machine's claim have one winner.
 */
export async function cancelRemoteCommand(db: TenantDb, id: string): Promise<boolean> {
  const [command] = await lockCommands(db, { ids: [id] })
  const change = command ? cancel(command) : null
  if (command && change) await changeCommand(db, command, change)
  return change !== null
}
