import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire, toWireOrNull } from '#contract/instant.ts'
import { commandLifetime, type RemoteCommand, type remoteCommands } from '#contract/remote-command.ts'
import { recordChange, recordChanges } from '#database/change-log.ts'
import {
  cancelRemoteCommand,
  chosenMachines,
  commandsOf,
  findRemoteCommand,
  insertRemoteCommands,
  listRemoteCommands,
  machinesForCommand,
  type RemoteCommandRecord,
} from '#database/remote-command.ts'
import type { TenantDb } from '#database/tenant.ts'
import type { Handlers } from './handler.ts'
import { refuseForeign } from './refuse.ts'

export const presentRemoteCommand = (row: RemoteCommandRecord): RemoteCommand => ({
  id: row.id,
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  timeZone: row.time_zone,
  posId: row.machine_id,
  posName: row.machine_name,
  posSerial: row.serial,
  type: row.type,
  parameters: row.parameters as Record<string, unknown>,
  status: row.status as RemoteCommand['status'],
  result: row.result as RemoteCommand['result'],
  resultInfo: row.result_info,
  cancelRequested: row.cancel_requested,
  attempts: row.attempts,
  createdAt: toWire(row.created_at),
  createdBy: row.created_by_name,
  notBefore: toWire(row.not_before),
  expiresAt: toWire(row.expires_at),
  startedAt: toWireOrNull(row.started_at),
  executedAt: toWireOrNull(row.executed_at),
})

async function commandOf(db: TenantDb, id: string): Promise<RemoteCommandRecord> {
  const command = await findRemoteCommand(db, id)
  if (!command) throw new ProductError('RemoteCommandNotFound')
  return command
}

/** When a command may begin, and when it is too late. The start cannot lie in the past, nor the end before the start. */
function windowOf(order: { notBefore?: string | undefined; expiresAt?: string | undefined }, now: Date) {
  const wanted = order.notBefore ? fromWire(order.notBefore) : now
  const notBefore = wanted < now ? now : wanted
  const expiresAt = order.expiresAt
    ? fromWire(order.expiresAt)
    : new Date(notBefore.getTime() + commandLifetime.defaultSeconds * 1000)
  const latest = now.getTime() + commandLifetime.maximumSeconds * 1000
  if (expiresAt <= notBefore || expiresAt.getTime() > latest)
    throw new ProductError('ValidationFailed', {
      errors: [{ path: 'order.expiresAt', code: 'invalid_window', message: '' }],
    })
  return { notBefore, expiresAt }
}

export const remoteCommandHandlers: Handlers<typeof remoteCommands> = {
  listRemoteCommands: async ({ db, query }) => {
    await refuseForeign(db, query)
    const { rows, total, capped } = await listRemoteCommands(db, query, query)
    return { items: rows.map(presentRemoteCommand), total, capped }
  },

  getRemoteCommand: async ({ db, params }) => presentRemoteCommand(await commandOf(db, params.commandId)),

  sendRemoteCommand: async ({ db, body, user, now, live }) => {
    const { order } = body
    const window = windowOf(order, now)
    if ('matching' in body.machines) await refuseForeign(db, body.machines.matching)
    const { ids, isWhole } = await chosenMachines(db, body.machines)
    if (!isWhole) throw new ProductError('MachineNotFound')
    const machines = await machinesForCommand(db, ids)
    const commands = machines.map((machine) => ({
      merchant_id: machine.merchant_id,
      id: randomUUIDv7(),
      machine_id: machine.id,
      type: order.type,
      parameters: JSON.stringify(order.parameters),
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
      not_before: window.notBefore,
      expires_at: window.expiresAt,
    }))
    const stored = await insertRemoteCommands(db, commands)
    if (stored.size === 0) throw new ProductError('RemoteCommandPending')
    const sent = (await commandsOf(db, [...stored])).map(presentRemoteCommand)
    await recordChanges(
      db,
      sent.map((command) => ({
        merchantId: command.merchantId,
        at: now,
        user,
        action: 'remoteCommand.send',
        subjectType: 'remoteCommand',
        subjectId: command.id,
        after: command,
      })),
    )
    db.afterCommit(() => {
      for (const command of sent) live.announce(command.merchantId, 'command', command.posId)
    })
    const got = new Set(sent.map((command) => command.posId))
    const refused = machines
      .filter((machine) => !got.has(machine.id))
      .map((machine) => ({ posId: machine.id, posName: machine.name, code: 'RemoteCommandPending' as const }))
    return { sent, refused }
  },

  cancelRemoteCommand: async ({ db, params, user, now, live }) => {
    const before = await commandOf(db, params.commandId)
    if (!(await cancelRemoteCommand(db, before.id))) throw new ProductError('RemoteCommandNotCancellable')
    const after = presentRemoteCommand(await commandOf(db, params.commandId))
    await recordChange(db, {
      merchantId: after.merchantId,
      at: now,
      user,
      action: 'remoteCommand.cancel',
      subjectType: 'remoteCommand',
      subjectId: after.id,
      before: presentRemoteCommand(before),
      after,
    })
    db.afterCommit(() => live.announce(after.merchantId, 'command', after.posId))
    return after
  },
}
