import { sql } from 'kysely'
import type { RemoteCommandFilters, remoteCommandOrds } from '#contract/commands/remote-command.ts'
import { cancel } from '#domain/commands/command-lifecycle.ts'
import { among, anyOf, inPeriod, machinesFound } from '../frame/conditions.ts'
import { inOrderOf, orderOf, type Page, pageByIds, type Sorted } from '../frame/list.ts'
import { type Chosen, chosenOf, type Selection } from '../frame/selection.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { changeCommand, lockCommands } from './command-outbox.ts'
import { lockPrices, noteSentPrices, sendPricesType, takeBackPrices } from './sent-price.ts'

type Ord = (typeof remoteCommandOrds)[number]

/** The order of a list of commands; by default the newest first. */
export const remoteCommandOrdering = orderOf<Ord>({
  by: {
    createdAt: sql`remote_commands.created_at`,
    posName: sql`machines.name_order`,
    type: sql`remote_commands.type`,
    status: sql`remote_commands.status`,
    result: sql`remote_commands.result`,
    notBefore: sql`remote_commands.not_before`,
    expiresAt: sql`remote_commands.expires_at`,
    startedAt: sql`remote_commands.started_at`,
    executedAt: sql`remote_commands.executed_at`,
  },
  first: 'createdAt',
  falling: 'all',
  empty: 'last',
  ties: sql`remote_commands.id desc`,
})

const joined = (db: TenantDb) =>
  db
    .from('remote_commands')
    .innerJoin('merchants', 'merchants.id', 'remote_commands.merchant_id')
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'remote_commands.merchant_id')
        .onRef('machines.id', '=', 'remote_commands.machine_id'),
    )

const listedCommands = (db: TenantDb) =>
  joined(db)
    .selectAll('remote_commands')
    .select([
      'merchants.name as merchant_name',
      'merchants.time_zone as time_zone',
      'machines.name as machine_name',
      'machines.serial as serial',
      'machines.connection as connection',
      'machines.last_seen_at as last_seen_at',
    ])

export type RemoteCommandRecord = Awaited<ReturnType<typeof findRemoteCommand>> & object

/** Returns functions that build queries on the commands that match. The period covers the days of creation. */
export async function commandsMatching(db: TenantDb, filters: RemoteCommandFilters) {
  const inDays = await inPeriod(db, 'remote_commands', 'created_at', filters)
  const isFound = await machinesFound(db, filters.search)
  return () =>
    joined(db)
      .where(inDays)
      .where(anyOf('remote_commands.status', filters.statuses, 'int'))
      .where(anyOf('remote_commands.result', filters.results, 'int'))
      .where(anyOf('remote_commands.type', filters.types, 'int'))
      .where(anyOf('remote_commands.machine_id', filters.posIds, 'uuid'))
      .where(anyOf('remote_commands.order_id', filters.orderIds, 'uuid'))
      .where(anyOf('machines.group_id', filters.groupIds, 'uuid'))
      .where(isFound('remote_commands.machine_id'))
}

export const listRemoteCommands = async (db: TenantDb, query: RemoteCommandFilters & Page & Sorted<Ord>) =>
  pageByIds(db, query, {
    matching: await commandsMatching(db, query),
    order: remoteCommandOrdering(query),
    id: 'remote_commands.id',
    load: (ids, each) => commandsOf(each, ids),
  })

export const findRemoteCommand = (db: TenantDb, id: string) =>
  listedCommands(db).where('remote_commands.id', '=', id).executeTakeFirst()

/** Commands by their ids, in that order. */
export async function commandsOf(db: TenantDb, ids: readonly string[]): Promise<RemoteCommandRecord[]> {
  if (ids.length === 0) return []
  const rows = await listedCommands(db)
    .where(among('remote_commands.id', ids, 'uuid'))
    .execute()
  return inOrderOf(ids, rows)
}

/** Target machines of a command by id, with the columns that decide whether and when it is sent. */
export const machinesForCommand = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('machines')
    .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
    .leftJoin('merchant_features', 'merchant_features.merchant_id', 'machines.merchant_id')
    .leftJoin('merchant_settings', 'merchant_settings.merchant_id', 'machines.merchant_id')
    .leftJoin('machine_secrets', (join) =>
      join
        .onRef('machine_secrets.merchant_id', '=', 'machines.merchant_id')
        .onRef('machine_secrets.machine_id', '=', 'machines.id'),
    )
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select([
      'machines.merchant_id',
      'machines.id',
      'machines.name',
      'merchants.time_zone',
      'merchants.currency',
      'machines.serial',
      'machines.device_type',
    ])
    .select([
      sql<string[]>`coalesce(merchant_features.features, '{}')`.as('features'),
      sql<string[]>`coalesce(merchant_features.product_families, '{}')`.as('product_families'),
      sql<number>`coalesce(merchant_settings.maximum_refund, 0)::float8`.as('maximum_refund'),
      'merchant_settings.largest_recharge',
      'merchant_settings.price_band_percent',
      'machine_secrets.update_key',
    ])
    .orderBy('machines.id')
    .execute()

/** The ids of the selected commands. */
export const chosenCommands = (db: TenantDb, selection: Selection<RemoteCommandFilters>): Promise<Chosen> =>
  chosenOf(db, 'remote_commands', selection, (filters) => commandsMatching(db, filters))

/** Commands per statement; more are split. */
const rowsPerStatement = 500

export interface NewCommand {
  merchant_id: string
  id: string
  order_id: string
  machine_id: string
  type: number
  parameters: string
  created_at: Date
  created_by: string | null
  created_by_name: string
  not_before: Date
  expires_at: Date
}

/**
 * Stores commands, except where the machine has a pending command of the type. Prices on their way are noted at their selections. Returns
 * the ids stored.
 */
export async function insertRemoteCommands(db: TenantDb, commands: NewCommand[]): Promise<Set<string>> {
  const stored = new Set<string>()
  const ofPrices = commands.filter(({ type }) => type === sendPricesType).map(priceCommandOf)
  if (ofPrices.length > 0) await lockPrices(db, ofPrices)
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
  await noteSentPrices(
    db,
    ofPrices.filter(({ id }) => stored.has(id)),
  )
  return stored
}

const priceCommandOf = (command: NewCommand) => ({
  merchantId: command.merchant_id,
  machineId: command.machine_id,
  id: command.id,
  createdAt: command.created_at,
  parameters: JSON.parse(command.parameters) as unknown,
})

/**
 * Cancels commands that their machines have not started; returns them. The rows are locked, so that either the cancellation or the
 * machine's claim wins.
 */
export async function cancelRemoteCommands(db: TenantDb, ids: readonly string[]): Promise<Set<string>> {
  // Machines are locked before their commands, as by all transactions that write prices.
  const ofPrices = await priceCommandsAmong(db, ids)
  if (ofPrices.length > 0) await lockPrices(db, ofPrices)
  const cancelled = new Set<string>()
  for (const command of await lockCommands(db, { ids })) {
    const change = cancel(command)
    if (!change) continue
    await changeCommand(db, command, change)
    cancelled.add(command.id)
  }
  await takeBackPrices(
    db,
    ofPrices.filter(({ id }) => cancelled.has(id)),
  )
  return cancelled
}

const priceCommandsAmong = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('remote_commands')
    .where(sql<boolean>`remote_commands.id = any(${ids}::uuid[])`)
    .where('type', '=', sendPricesType)
    .select(['merchant_id as merchantId', 'machine_id as machineId', 'id'])
    .execute()
