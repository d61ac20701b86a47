import { sql } from 'kysely'
import type { RemoteCommandResult, RemoteCommandStatus } from '#contract/vocabulary/remote-command.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import { type CommandChange, type CommandState, silenceAfterGoMs } from '#domain/commands/command-lifecycle.ts'
import { anyOf } from '../frame/conditions.ts'
import { type Doors, type TenantDb, withinScope } from '../frame/tenant.ts'

/** A command with its state in the life cycle. */
export interface OutboxCommand extends CommandState {
  id: string
  merchantId: string
  machineId: string
  type: number
  parameters: Record<string, unknown>
  /** The traceparent of what ordered it; null where nothing was traced. */
  trace: string | null
}

type Which = { ids: readonly string[] } | { pendingOf: string; limit: number }

/** Locks commands of the scope until the transaction ends, so that of two concurrent changes one wins. */
export async function lockCommands(db: TenantDb, which: Which): Promise<OutboxCommand[]> {
  if ('pendingOf' in which || which.ids.length === 0) return lockOfMerchant(db, which)
  const merchants = await merchantsOfCommands(db, which.ids)
  const locked: OutboxCommand[] = []
  // A statement locks rows of one merchant only. All transactions lock merchants in this order, which avoids deadlocks.
  for (const merchantId of merchants.sort()) {
    const merchantDb = withinScope(
      db,
      db.scope.filter((pair) => pair.merchantId === merchantId),
    )
    locked.push(...(await lockOfMerchant(merchantDb, which)))
  }
  return locked
}

/** The merchants of some commands; without a query where the scope has one merchant only. */
async function merchantsOfCommands(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const inScope = [...new Set(db.scope.map(({ merchantId }) => merchantId))]
  if (inScope.length === 1) return inScope
  const rows = await db
    .from('remote_commands')
    .where('id', 'in', [...ids])
    .select('merchant_id')
    .distinct()
    .execute()
  return rows.map((row) => row.merchant_id)
}

async function lockOfMerchant(db: TenantDb, which: Which): Promise<OutboxCommand[]> {
  let query = db.from('remote_commands')
  if ('ids' in which) {
    if (which.ids.length === 0) return []
    query = query.where('id', 'in', [...which.ids])
  } else {
    query = query
      .where('machine_id', '=', which.pendingOf)
      .where('status', 'in', [0, 1])
      .where('started_at', 'is', null)
      .limit(which.limit)
  }
  const rows = await query
    .select([
      'id',
      'merchant_id as merchantId',
      'machine_id as machineId',
      'type',
      'parameters',
      'status',
      'result',
      'attempts',
      'maximum_attempts as maximumAttempts',
      'not_before as notBefore',
      'expires_at as expiresAt',
      'next_attempt_at as nextAttemptAt',
      'started_at as startedAt',
      'claim_id as claimId',
      'progress_at as progressAt',
      'trace',
    ])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({
    ...row,
    parameters: row.parameters as Record<string, unknown>,
    status: row.status as RemoteCommandStatus,
    result: row.result as RemoteCommandResult | null,
  }))
}

/** Stores the result of the life cycle. */
export async function changeCommand(
  db: TenantDb,
  command: { merchantId: string; id: string },
  change: CommandChange,
): Promise<void> {
  const set = {
    ...(change.status !== undefined && { status: change.status }),
    ...(change.result !== undefined && { result: change.result }),
    ...(change.resultInfo !== undefined && { result_info: change.resultInfo }),
    ...(change.cancelRequested !== undefined && { cancel_requested: change.cancelRequested }),
    ...(change.attempts !== undefined && { attempts: change.attempts }),
    ...(change.nextAttemptAt !== undefined && { next_attempt_at: change.nextAttemptAt }),
    ...(change.sentAt !== undefined && { sent_at: change.sentAt }),
    ...(change.startedAt !== undefined && { started_at: change.startedAt }),
    ...(change.executedAt !== undefined && { executed_at: change.executedAt }),
    ...(change.claimId !== undefined && { claim_id: change.claimId }),
  }
  if (Object.keys(set).length === 0) return
  await db.query
    .updateTable('remote_commands')
    .set(set)
    .where('merchant_id', '=', command.merchantId)
    .where('id', '=', command.id)
    .execute()
}

export interface DueCommand {
  merchantId: string
  id: string
  machineId: string
  serial: string
}

/** Commands of some or all merchants whose next attempt is due and whose machine is online; the longest waiting first. */
export const dueCommands = (doors: Doors, now: Date, limit: number, among?: readonly string[]): Promise<DueCommand[]> =>
  doors.withSystem(
    'due commands',
    (db) =>
      db
        .selectFrom('remote_commands as command')
        .innerJoin('machines', (join) =>
          join
            .onRef('machines.merchant_id', '=', 'command.merchant_id')
            .onRef('machines.id', '=', 'command.machine_id')
            .on('machines.connection', '=', 1)
            .on(anyOf('machines.merchant_id', among, 'uuid')),
        )
        .where(anyOf('command.merchant_id', among, 'uuid'))
        .where('command.status', 'in', [0, 1])
        .where('command.started_at', 'is', null)
        .where('command.next_attempt_at', '<=', now)
        .where('command.expires_at', '>', now)
        .where(sql<boolean>`command.attempts < command.maximum_attempts`)
        .orderBy('command.next_attempt_at')
        .limit(limit)
        .select([
          'command.merchant_id as merchantId',
          'command.id',
          'command.machine_id as machineId',
          'machines.serial',
        ])
        .execute(),
    'single statement',
  )

/** Commands of some or all merchants to be ended by time: expired, out of attempts, or started and silent for too long. */
export const overdueCommands = (
  doors: Doors,
  now: Date,
  limit: number,
  among?: readonly string[],
): Promise<{ merchantId: string; id: string }[]> =>
  doors.withSystem(
    'expire commands',
    (db) =>
      db
        .selectFrom('remote_commands')
        .where(anyOf('merchant_id', among, 'uuid'))
        .where('status', 'in', [0, 1])
        .where((is) =>
          is.or([
            is('started_at', 'is', null),
            sql<boolean>`greatest(started_at, progress_at) <= ${new Date(now.getTime() - silenceAfterGoMs)}`,
          ]),
        )
        .where((is) =>
          is.or([
            is('expires_at', '<=', now),
            is.and([
              sql<boolean>`attempts >= maximum_attempts`,
              is('next_attempt_at', '<=', now),
              is('started_at', 'is', null),
            ]),
          ]),
        )
        .orderBy('expires_at')
        .limit(limit)
        .select(['merchant_id as merchantId', 'id'])
        .execute(),
    'single statement',
  )

/** Stores the step of a command that its machine executes. Returns false when it has not begun or has ended. */
export async function writeProgress(
  db: TenantDb,
  command: { merchantId: string; machineId: string; commandId: string },
  { phase, percent }: { phase: UpdatePhase; percent?: number | undefined },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('remote_commands')
    .set({ progress_phase: phase, progress_percent: percent ?? null, progress_at: now })
    .where('merchant_id', '=', command.merchantId)
    .where('machine_id', '=', command.machineId)
    .where('id', '=', command.commandId)
    .where('status', '=', 1)
    .where('started_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The file that a machine's command names, while the command waits or runs; undefined for any other file. */
export async function fileOfCommand(
  db: TenantDb,
  machine: { merchantId: string; id: string },
  fileId: string,
): Promise<{ type: number; sha256: string; bytes: number } | undefined> {
  const row = await db.query
    .selectFrom('remote_commands')
    .where('merchant_id', '=', machine.merchantId)
    .where('machine_id', '=', machine.id)
    .where('status', 'in', [0, 1])
    .where(sql<boolean>`parameters -> 'file' ->> 'id' = ${fileId}`)
    .select([
      'type',
      sql<string>`parameters -> 'file' ->> 'sha256'`.as('sha256'),
      sql<number>`(parameters -> 'file' ->> 'bytes')::int`.as('bytes'),
    ])
    .limit(1)
    .executeTakeFirst()
  return row
}
