import { randomUUIDv7 } from 'node:crypto'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { Config, ConfigRow, type CustomConfig, type configurations } from '#contract/configurations/configuration.ts'
import { deviceLimits } from '#contract/device-protocol.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { isNoVendParameter, type Parameters } from '#contract/vocabulary/configuration.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { findRemoteCommand, insertRemoteCommands, type RemoteCommandRecord } from '#database/commands/remote-command.ts'
import {
  type ConfigurationRecord,
  findConfiguration,
  listConfigurations,
  newestConfiguration,
} from '#database/configurations/configuration.ts'
import {
  type CustomConfiguration,
  customConfiguration,
  noteSent,
  saveCustomConfiguration,
} from '#database/configurations/custom-configuration.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { changesBetween, countChanges, syncOf } from '#domain/configurations/configuration.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

const sendConfig = 6
const subjectType = 'customConfiguration'

type Machine = Awaited<ReturnType<typeof machineOf>>
type Reader = Pick<TenantCall, 'db' | 'user'>

const presentChanges = ({ added, removed, changed }: ConfigurationRecord): ConfigRow['changes'] =>
  added === null || removed === null || changed === null ? null : { added, removed, changed }

const besideRow = (row: ConfigurationRecord) => ({
  posId: row.machine_id,
  parameters: row.size,
  changes: presentChanges(row),
})

const presentConfigRow = (row: ConfigurationRecord): ConfigRow => wireOf(ConfigRow, row, besideRow(row))

const presentConfig = (record: ConfigurationRecord & { parameters: Parameters }): Config =>
  wireOf(Config, record, { ...besideRow(record), content: record.parameters })

/** The parameters that users edit, or those of the no-vend profile. */
const partOf = ({ parameters }: CustomConfiguration, part: 'own' | 'managed'): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => isNoVendParameter(name) === (part === 'managed')))

/** Sorted by name for readers. */
const wantedOf = (parameters: Parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

const isApplied = ({ status }: RemoteCommandRecord) =>
  status === remoteCommandStatuses.received || status === remoteCommandStatuses.receivedWithWarnings

/** The machine's target configuration with its current state. */
async function presentCustomConfig(call: Reader, machine: Machine, stored: CustomConfiguration): Promise<CustomConfig> {
  const { db } = call
  const [custom = stored] = await withShownNames(call, [stored], 'editedById', 'editedBy')
  const reported = await newestConfiguration(db, machine.id)
  const sent = custom.commandId === null ? undefined : await findRemoteCommand(db, custom.commandId)
  const [command] = await withShownNames(call, sent ? [sent] : [], 'created_by', 'created_by_name')
  const state = syncOf({
    desired: custom.parameters,
    version: custom.version,
    sentVersion: custom.sentVersion,
    appliedAt: command && isApplied(command) ? command.executed_at : null,
    reported: reported ? { parameters: reported.parameters, at: reported.confirmed_at } : null,
  })
  return {
    posId: machine.id,
    merchantId: machine.merchant_id,
    timeZone: machine.time_zone,
    version: custom.version,
    parameters: wantedOf(partOf(custom, 'own')),
    managed: wantedOf(partOf(custom, 'managed')),
    editedAt: toWireOrNull(custom.editedAt),
    editedBy: custom.editedBy,
    ...state,
    command: command
      ? {
          id: command.id,
          version: custom.sentVersion ?? 0,
          createdAt: toWire(command.created_at),
          createdBy: command.created_by_name,
          status: command.status as NonNullable<CustomConfig['command']>['status'],
          result: command.result as NonNullable<CustomConfig['command']>['result'],
          resultInfo: command.result_info,
          executedAt: toWireOrNull(command.executed_at),
        }
      : null,
    reported: reported
      ? {
          id: reported.id,
          readAt: toWire(reported.read_at),
          confirmedAt: toWire(reported.confirmed_at),
          origin: reported.origin,
          port: reported.port as ConfigRow['port'],
          content: reported.parameters,
        }
      : null,
  }
}

/** Locks the target configuration for a change based on this version. */
async function heldOf(call: Reader, machine: Machine, version: number): Promise<CustomConfiguration> {
  const { db, user } = call
  const custom = await customConfiguration(db, machine.id, 'hold')
  if (custom.version === version) return custom
  return refuseOvertaken({ db, user }, subjectType, machine.id, await presentCustomConfig(call, machine, custom))
}

/** A command must fit into one message to the machine. */
function refuseTooLarge(parameters: object): void {
  const expiresInSeconds = commandLifetime.defaultSeconds
  const message = JSON.stringify({ id: randomUUIDv7(), type: sendConfig, parameters, expiresInSeconds })
  if (Buffer.byteLength(message) > deviceLimits.downBytes) throw new ProductError('PayloadTooLarge')
}

export const configurationHandlers: Handlers<typeof configurations> = {
  listConfigs: async ({ db, params, query }) => {
    const { rows, total, capped } = await listConfigurations(db, params.posId, query)
    return { items: rows.map(presentConfigRow), total, capped }
  },

  getConfig: async ({ db, params }) => {
    const configuration = await findConfiguration(db, params.posId, params.configId)
    if (!configuration) throw new ProductError('ConfigurationNotFound')
    return presentConfig(configuration)
  },

  getCustomConfig: async (call) => {
    const { db, params } = call
    const machine = await machineOf(db, params.posId)
    return presentCustomConfig(call, machine, await customConfiguration(db, machine.id))
  },

  updateCustomConfig: async (call) => {
    const { db, params, body, user, now, live } = call
    const machine = await machineOf(db, params.posId)
    const machineKey = { merchantId: machine.merchant_id, id: machine.id }
    const current = await customConfiguration(db, machine.id, 'hold')
    const parameters = Object.fromEntries(body.parameters.map(({ name, value }) => [name, value]))
    const changes = countChanges(changesBetween(partOf(current, 'own'), parameters))
    // An equal configuration is stored already: a repeated save, or no change.
    if (changes.added + changes.removed + changes.changed === 0) return presentCustomConfig(call, machine, current)
    const before = await heldOf(call, machine, body.version)
    const whole = { ...parameters, ...partOf(before, 'managed') }
    await saveCustomConfiguration(db, machineKey, {
      parameters: whole,
      version: before.version + 1,
      at: now,
      by: user.name,
    })
    await recordChange(db, {
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'customConfiguration.update',
      subjectType,
      subjectId: machine.id,
      before: partOf(before, 'own'),
      after: parameters,
    })
    db.afterCommit(() => live.announce(machine.merchant_id, 'configuration', machine.id))
    return presentCustomConfig(call, machine, await customConfiguration(db, machine.id))
  },

  sendCustomConfig: async (call) => {
    const { db, params, body, user, now, live } = call
    const machine = await machineOf(db, params.posId)
    const machineKey = { merchantId: machine.merchant_id, id: machine.id }
    const custom = await heldOf(call, machine, body.version)
    const settings = custom.parameters
    if (Object.keys(settings).length === 0) throw new ProductError('NothingToSend')
    refuseTooLarge({ settings })
    const commandId = randomUUIDv7()
    const stored = await insertRemoteCommands(db, [
      {
        merchant_id: machine.merchant_id,
        id: commandId,
        machine_id: machine.id,
        order_id: randomUUIDv7(),
        type: sendConfig,
        parameters: JSON.stringify({ settings }),
        created_at: now,
        created_by: user.id,
        created_by_name: user.name,
        not_before: now,
        expires_at: new Date(now.getTime() + commandLifetime.defaultSeconds * 1000),
      },
    ])
    if (stored.size === 0) throw new ProductError('RemoteCommandPending')
    await noteSent(db, machineKey, { commandId, version: custom.version })
    await recordChange(db, {
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'customConfiguration.send',
      subjectType,
      subjectId: machine.id,
      after: { commandId, parameters: custom.parameters },
    })
    db.afterCommit(() => {
      live.announce(machine.merchant_id, 'configuration', machine.id)
      live.announce(machine.merchant_id, 'command', machine.id)
      live.announceToGateways(machine.merchant_id, 'commandWaiting', machine.id)
    })
    return presentCustomConfig(call, machine, await customConfiguration(db, machine.id))
  },
}
