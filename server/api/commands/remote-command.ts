import { randomUUIDv7 } from 'node:crypto'
import {
  type CommandOrder,
  type CommandRefusal,
  commandLifetime,
  moneyCommands,
  RemoteCommand,
  type remoteCommands,
} from '#contract/commands/remote-command.ts'
import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Downgrade } from '#contract/updates/downgrade.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { defaultRechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import {
  cancelRemoteCommands,
  chosenCommands,
  commandsOf,
  findRemoteCommand,
  insertRemoteCommands,
  listRemoteCommands,
  machinesForCommand,
  type RemoteCommandRecord,
} from '#database/commands/remote-command.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { machinesChosen } from '#database/machines/machine-acts.ts'
import { recordChange, recordChanges } from '#database/platform/change-log.ts'
import { machinesWithNewer } from '#database/updates/rule-target.ts'
import { refusalOf } from '#domain/commands/command-refusal.ts'
import { type CommandWindow, windowIn } from '#domain/commands/command-window.ts'
import { isFor } from '#domain/updates/release-fit.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed, refuseReversedRanges } from '#server/http/refuse.ts'
import { posOf, wireOf } from '#server/http/wire.ts'
import { releaseOfOrder } from '#server/updates/find-release.ts'
import { updateSigner } from '#server/updates/signing-key.ts'
import { type ReleaseTarget, updateParameters } from '#server/updates/update-order.ts'
import { vpSending } from '../configurations/vp-sending.ts'
import { refuseUnusualCommand } from './price-guard.ts'

export const presentRemoteCommand = (row: RemoteCommandRecord): RemoteCommand =>
  wireOf(RemoteCommand, row, {
    ...posOf(row),
    posConnection: row.connection as RemoteCommand['posConnection'],
    posLastSeenAt: toWireOrNull(row.last_seen_at),
    createdBy: row.created_by_name,
    progress:
      row.progress_phase === null || row.progress_at === null
        ? null
        : {
            phase: row.progress_phase as UpdatePhase,
            percent: row.progress_percent,
            at: toWire(row.progress_at),
          },
  })

async function commandOf(db: TenantDb, id: string): Promise<RemoteCommandRecord> {
  const command = await findRemoteCommand(db, id)
  if (!command) throw new ProductError('RemoteCommandNotFound')
  return command
}

type Reader = Pick<TenantCall, 'db' | 'user'>

const presentAll = async (call: Reader, commands: readonly RemoteCommandRecord[]) =>
  (await withShownNames(call, commands, 'created_by', 'created_by_name')).map(presentRemoteCommand)

async function presentedCommand(call: Reader & { params: { commandId: string } }): Promise<RemoteCommand> {
  const [command] = await presentAll(call, [await commandOf(call.db, call.params.commandId)])
  return command as RemoteCommand
}

/**
 * The start and expiry of a command at a machine of a time zone. A start in the past becomes now. An end before the start,
 * or too far ahead, is refused.
 */
function windowOf(order: CommandOrder, now: Date): (timeZone: string) => CommandWindow {
  const latest = now.getTime() + commandLifetime.maximumSeconds * 1000
  const refuse = (field: string) => {
    throw new ProductError('ValidationFailed', {
      errors: [{ path: `order.${field}`, code: 'invalid_window', message: '', rule: 'rule.range' }],
    })
  }
  const fromNow = (at: Date) => (at < now ? now : at)
  const { localWindow } = order
  if (localWindow) {
    return (timeZone) => {
      const { notBefore, expiresAt } = windowIn(timeZone, localWindow)
      if (expiresAt.getTime() > latest) refuse('localWindow')
      return { notBefore: fromNow(notBefore), expiresAt }
    }
  }
  const notBefore = order.notBefore ? fromNow(fromWire(order.notBefore)) : now
  const expiresAt = order.expiresAt
    ? fromWire(order.expiresAt)
    : new Date(notBefore.getTime() + commandLifetime.defaultSeconds * 1000)
  if (expiresAt <= notBefore || expiresAt.getTime() > latest) refuse('expiresAt')
  return () => ({ notBefore, expiresAt })
}

/** An object of ours that an order names, at the machines of the order. */
interface NamedObject {
  refusalOf(machine: ReleaseTarget): CommandRefusal | null
  parametersFor(machine: ReleaseTarget, window: CommandWindow): object
  /** Machines that it would take back to an older version. */
  downgradeOf?(ids: readonly string[]): Promise<Downgrade | undefined>
  noteSent?(commands: readonly { machine_id: string; id: string }[], at: Date): Promise<void>
}

/** The firmware, database or configuration that an order names; null for orders that name none. */
async function namedObject(
  call: Pick<TenantCall, 'db' | 'doors' | 'vault' | 'config' | 'blobs' | 'live'>,
  { order, allowDowngrade }: { order: CommandOrder; allowDowngrade: boolean },
): Promise<NamedObject | null> {
  if ('vpConfigurationId' in order.parameters) {
    const sending = await vpSending(call, order.parameters.vpConfigurationId)
    return {
      refusalOf: (machine) => (sending.isFor(machine) ? null : 'SendVpConfigNotAllowed'),
      parametersFor: ({ serial }) => sending.parametersFor(serial),
      noteSent: sending.noteTargets,
    }
  }
  const release = await releaseOfOrder(call.db, call.doors, order)
  if (!release) return null
  const sign = await updateSigner(call.doors, call.vault)
  const { publicUrl } = call.config
  return {
    refusalOf: (machine) => (isFor(release, machine) ? null : 'UpdateNotForMachine'),
    parametersFor: (machine, window) => updateParameters(release, machine, window, { sign, publicUrl, allowDowngrade }),
    downgradeOf: (ids) => machinesWithNewer(call.db, ids, release),
  }
}

export const remoteCommandHandlers: Handlers<typeof remoteCommands> = {
  listRemoteCommands: async (call) => {
    const { db, query } = call
    refuseReversed(query)
    const { rows, total, capped } = await listRemoteCommands(db, query)
    return { items: await presentAll(call, rows), total, capped }
  },

  getRemoteCommand: (call) => presentedCommand(call),

  sendRemoteCommand: async (call) => {
    const { db, body, user, now, live } = call
    const { order } = body
    const windowAt = windowOf(order, now)
    if ('matching' in body.machines) refuseReversedRanges(body.machines.matching)
    const { ids, isWhole } = await machinesChosen(db, body.machines)
    if (!isWhole) throw new ProductError('MachineNotFound')
    const machines = await machinesForCommand(db, ids)
    const isMoney = moneyCommands.includes(order.type)
    if (isMoney && new Set(machines.map(({ currency }) => currency)).size > 1)
      throw new ProductError('CommandCurrenciesDiffer')
    const orderId = randomUUIDv7()
    const judged = machines.map((machine) => {
      const window = windowAt(machine.time_zone)
      const target = {
        features: machine.features,
        productFamilies: machine.product_families,
        maximumRefund: machine.maximum_refund,
        largestRecharge:
          machine.largest_recharge ?? defaultRechargeLimits(machine.currency as Currency).largestRecharge,
      }
      return { machine, window, refusal: refusalOf(order, target, window, now) }
    })
    if ('prices' in order.parameters) {
      const targets = judged.flatMap(({ machine, refusal }) =>
        refusal === null
          ? [{ merchantId: machine.merchant_id, id: machine.id, name: machine.name, band: machine.price_band_percent }]
          : [],
      )
      await refuseUnusualCommand(db, targets, order.parameters.prices, body.confirmed)
    }
    // A merchant without the feature learns nothing of what it could send.
    const named = judged.some(({ refusal }) => !refusal) ? await namedObject(call, body) : null
    const refusals = new Map<string, CommandRefusal>()
    const commands = judged.flatMap(({ machine, window, refusal: firstRefusal }) => {
      const place = {
        merchantId: machine.merchant_id,
        serial: machine.serial,
        deviceType: machine.device_type,
        currency: machine.currency,
        timeZone: machine.time_zone,
        updateKey: machine.update_key,
      }
      const refusal = firstRefusal ?? named?.refusalOf(place) ?? null
      if (refusal) {
        refusals.set(machine.id, refusal)
        return []
      }
      return {
        merchant_id: machine.merchant_id,
        id: randomUUIDv7(),
        order_id: orderId,
        machine_id: machine.id,
        type: order.type,
        parameters: JSON.stringify(named?.parametersFor(place, window) ?? order.parameters),
        created_at: now,
        created_by: user.id,
        created_by_name: user.name,
        not_before: window.notBefore,
        expires_at: window.expiresAt,
      }
    })
    const downgrade = body.allowDowngrade
      ? undefined
      : await named?.downgradeOf?.(commands.map((one) => one.machine_id))
    if (downgrade) throw new ProductError('UpdateDowngrade', { ...downgrade })
    const stored = await insertRemoteCommands(db, commands)
    for (const { id, machine_id } of commands) if (!stored.has(id)) refusals.set(machine_id, 'RemoteCommandPending')
    const refused = machines.flatMap(({ id, name }) => {
      const code = refusals.get(id)
      return code ? [{ posId: id, posName: name, code }] : []
    })
    const [first] = refused
    if (stored.size === 0) throw new ProductError(first?.code ?? 'MachineNotFound', { refused })
    await named?.noteSent?.(
      commands.filter(({ id }) => stored.has(id)),
      now,
    )
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
      for (const { merchantId, posId } of sent) {
        live.announce(merchantId, 'command', posId)
        live.announceToGateways(merchantId, 'commandWaiting', posId)
      }
    })
    return { orderId, sent, refused }
  },

  cancelRemoteCommand: async (call) => {
    const { db, params, user, now, live } = call
    const before = await commandOf(db, params.commandId)
    if (!(await cancelRemoteCommands(db, [before.id])).has(before.id))
      throw new ProductError('RemoteCommandNotCancellable')
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
    return presentedCommand(call)
  },

  cancelRemoteCommands: async ({ db, body, user, now, live }) => {
    if ('matching' in body.commands) refuseReversed(body.commands.matching)
    const { ids, isWhole } = await chosenCommands(db, body.commands)
    if (!isWhole) throw new ProductError('RemoteCommandNotFound')
    const cancelled = await cancelRemoteCommands(db, ids)
    const changed = (await commandsOf(db, [...cancelled])).map(presentRemoteCommand)
    await recordChanges(
      db,
      changed.map((command) => ({
        merchantId: command.merchantId,
        at: now,
        user,
        action: 'remoteCommand.cancel',
        subjectType: 'remoteCommand',
        subjectId: command.id,
        after: command,
      })),
    )
    db.afterCommit(() => {
      for (const command of changed) live.announce(command.merchantId, 'command', command.posId)
    })
    return { cancelled: cancelled.size, tooLate: ids.length - cancelled.size }
  },
}
