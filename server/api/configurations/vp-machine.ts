import { randomUUIDv7 } from 'node:crypto'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { VpMachine, type VpSendOutcome, type vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { insertRemoteCommands } from '#database/commands/remote-command.ts'
import {
  chosenVpMachines,
  findVpMachine,
  listVpMachines,
  machinesForVp,
  type VpMachineRecord,
} from '#database/configurations/vp-machine.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { vpSyncOf } from '#domain/configurations/vp-document.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { presentVp, vpRecord } from './vp-record.ts'
import { sendVpConfig, vpSending } from './vp-sending.ts'

const isApplied = (status: number | null) =>
  status === remoteCommandStatuses.received || status === remoteCommandStatuses.receivedWithWarnings

function presentVpMachine(row: VpMachineRecord, configuration: { id: string; sha256: string }): VpMachine {
  const isTarget = row.vp_configuration_id === configuration.id
  const { reported_sha256: hash, reported_at: at } = row
  const state = vpSyncOf({
    saved: configuration.sha256,
    sent: isTarget ? row.sent_sha256 : null,
    appliedAt: isApplied(row.status) ? row.executed_at : null,
    wasConfirmed: row.confirmed_at !== null,
    reported: hash !== null && at !== null ? { hash, at } : null,
  })
  return wireOf(VpMachine, row, {
    ...state,
    otherTarget: isTarget ? null : row.target_name,
    sentVersion: isTarget ? row.sent_version : null,
    reportedAt: toWireOrNull(at),
    command:
      isTarget && row.command_id !== null && row.command_at !== null
        ? {
            id: row.command_id,
            status: row.status as NonNullable<VpMachine['command']>['status'],
            result: row.result as NonNullable<VpMachine['command']>['result'],
            createdAt: toWire(row.command_at),
            executedAt: toWireOrNull(row.executed_at),
          }
        : null,
  })
}

type Rows = Pick<typeof vpConfigurations, 'sendVpConfiguration' | 'listVpMachines' | 'getVpMachine'>

/** The machines of configurations of the visual programmer. */
export const vpMachineHandlers: Handlers<Rows> = {
  listVpMachines: async ({ db, params, query }) => {
    const configuration = await vpRecord.of(db, params.vpConfigurationId)
    const { rows, total, capped } = await listVpMachines(db, configuration, query)
    return { items: rows.map((row) => presentVpMachine(row, configuration)), total, capped }
  },

  getVpMachine: async ({ db, params }) => {
    const configuration = await vpRecord.of(db, params.vpConfigurationId)
    const row = await findVpMachine(db, configuration, params.posId)
    if (!row) throw new ProductError('MachineNotFound')
    const { reported_sha256: sha256, reported_at: at } = row
    const isTarget = row.vp_configuration_id === configuration.id
    return {
      ...presentVpMachine(row, configuration),
      sent: isTarget ? row.sent_document : null,
      reported:
        sha256 !== null && at !== null
          ? {
              at: toWire(at),
              name: row.reported_name,
              schemaVersion: row.reported_schema,
              sha256,
              document: row.reported_document,
            }
          : null,
    }
  },

  sendVpConfiguration: async (call) => {
    const { db, params, body, user, now, live } = call
    const sending = await vpSending(call, params.vpConfigurationId)
    const { key, configuration } = sending
    if (configuration.version !== body.version)
      return refuseOvertaken(call, 'vpConfiguration', key.id, presentVp(configuration))
    const { name } = configuration
    const { ids, isWhole } = await chosenVpMachines(db, configuration, body.machines)
    if (!isWhole) throw new ProductError('MachineNotFound')
    const machines = await machinesForVp(db, ids)
    const refusals = new Map<string, VpSendOutcome['refused'][number]['code']>()
    const isAllowed = ({ merchant_id, device_type, features }: (typeof machines)[number]) =>
      sending.isFor({ merchantId: merchant_id, deviceType: device_type }) && features.includes('remoteConfigurations')
    for (const machine of machines) if (!isAllowed(machine)) refusals.set(machine.id, 'SendVpConfigNotAllowed')
    const orderId = randomUUIDv7()
    const commands = machines.filter(isAllowed).map((machine) => ({
      merchant_id: machine.merchant_id,
      id: randomUUIDv7(),
      order_id: orderId,
      machine_id: machine.id,
      type: sendVpConfig,
      parameters: JSON.stringify(sending.parametersFor(machine.serial)),
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
      not_before: now,
      expires_at: new Date(now.getTime() + commandLifetime.defaultSeconds * 1000),
    }))
    const stored = await insertRemoteCommands(db, commands)
    for (const { id, machine_id } of commands) if (!stored.has(id)) refusals.set(machine_id, 'RemoteCommandPending')
    const refused = machines.flatMap(({ id, name: posName }) => {
      const code = refusals.get(id)
      return code ? [{ posId: id, posName, code }] : []
    })
    const sent = commands.filter(({ id }) => stored.has(id))
    if (sent.length === 0) throw new ProductError(refused[0]?.code ?? 'MachineNotFound', { refused })
    await sending.noteTargets(sent, now)
    await recordChange(db, {
      merchantId: key.merchant_id,
      at: now,
      user,
      action: 'vpConfiguration.send',
      subjectType: 'vpConfiguration',
      subjectId: key.id,
      after: { name, version: configuration.version, machines: sent.length, orderId },
    })
    db.afterCommit(() => {
      for (const { machine_id } of sent) {
        live.announce(key.merchant_id, 'command', machine_id)
        live.announceToGateways(key.merchant_id, 'commandWaiting', machine_id)
      }
    })
    return { orderId, sent: sent.map(({ machine_id }) => machine_id), refused }
  },
}
