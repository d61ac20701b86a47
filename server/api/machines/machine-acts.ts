import { randomUUIDv7 } from 'node:crypto'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import type { Machine } from '#contract/machines/machine.ts'
import type { ManyOutcome, machineActs } from '#contract/machines/machine-acts.ts'
import { Group } from '#contract/merchants/group.ts'
import { insertRemoteCommands } from '#database/commands/remote-command.ts'
import { reassociationMs } from '#database/machines/association.ts'
import {
  deleteMachine,
  type HeldMachine,
  holdForAct,
  machinesChosen,
  resetMachine,
  writeActs,
} from '#database/machines/machine-acts.ts'
import { machinesToEdit, merchantsOfClients, merchantsOfGroups } from '#database/machines/machine-edit.ts'
import { groupList } from '#database/merchants/group.ts'
import { recordChange, recordChanges } from '#database/platform/change-log.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { machineOf, refuseReversedRanges } from '#server/http/refuse.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { type Edit, machineNow, saveEdits } from './machine-edit.ts'
import { presentMachineRow } from './present-machine.ts'
import { qrHandlers } from './qr-code.ts'

type Call = Edit & { params: { posId: string } }
type Choice = Parameters<typeof machinesChosen>[1]

/** The command that makes a machine report its data again. */
const readBootInfo = 8

async function heldOf({ db }: Edit, posId: string): Promise<HeldMachine> {
  const [machine] = await holdForAct(db, [posId])
  if (!machine) throw new ProductError('MachineNotFound')
  return machine
}

/** Saves one field of one machine, whatever version it has; a call that names a single field is about nothing else. */
async function saveField(call: Call, field: { groupId: string | null } | { clientId: string | null }): Promise<void> {
  const { posId } = call.params
  const [machine] = await machinesToEdit(call.db, [posId])
  if (!machine) throw new ProductError('MachineNotFound')
  const refusal = (await saveEdits(call, [{ id: posId, version: machine.version, ...field }])).get(posId)
  if (refusal) throw new ProductError(refusal)
}

/** Hides machines or shows them again; returns those whose state changed. */
async function hide(call: Edit, ids: readonly string[], hidden: boolean): Promise<HeldMachine[]> {
  const { db, user, now, live } = call
  const changed = (await holdForAct(db, ids)).filter((machine) => machine.hidden !== hidden)
  await writeActs(
    db,
    changed.map(({ id }) => id),
    { hidden },
    now,
  )
  await recordChanges(
    db,
    changed.map(({ merchant_id, id }) => ({
      merchantId: merchant_id,
      at: now,
      user,
      action: hidden ? 'machine.hide' : 'machine.unhide',
      subjectType: 'machine',
      subjectId: id,
      before: { hidden: !hidden },
      after: { hidden },
    })),
  )
  db.afterCommit(() => {
    for (const { merchant_id, id } of changed) {
      live.announce(merchant_id, 'machine', id)
      live.announce(merchant_id, 'alarm', id)
      // Its group counts the machines that are shown.
      live.announce(merchant_id, 'group')
    }
  })
  return changed
}

/** Returns the selected machines by id. Throws when one is out of reach, or when the filter matches others now. */
async function chosen({ db }: Pick<TenantCall, 'db'>, machines: Choice): Promise<string[]> {
  if ('matching' in machines) refuseReversedRanges(machines.matching)
  const { ids, isWhole } = await machinesChosen(db, machines)
  if (!isWhole) throw new ProductError('MachineNotFound')
  return ids
}

/** Puts many machines into one group or at one client, as far as they are of its merchant. */
async function assignMany(
  call: Edit,
  machines: Choice,
  field: 'groupId' | 'clientId',
  to: string | null,
): Promise<ManyOutcome> {
  const { db, user } = call
  const [column, missing] =
    field === 'groupId' ? (['group_id', 'GroupNotFound'] as const) : (['client_id', 'ClientNotFound'] as const)
  const owners =
    to && (field === 'groupId' ? await merchantsOfGroups(db, user.scope, [to]) : await merchantsOfClients(db, [to]))
  const owner = owners ? owners.get(to as string) : undefined
  if (to && !owner) throw new ProductError(missing)
  const ids = await chosen(call, machines)
  const held = ids.length === 0 ? [] : await machinesToEdit(db, ids)
  const refused: ManyOutcome['refused'] = []
  const edited = held.filter((machine) => {
    const isForeign = owner !== undefined && machine.merchant_id !== owner
    const isLost =
      field === 'groupId' && to === null && machine.group_id !== null && !seesAllGroups(user.scope, machine.merchant_id)
    if (isForeign) refused.push({ id: machine.id, code: missing })
    else if (isLost) refused.push({ id: machine.id, code: 'GroupRequired' })
    return !isForeign && !isLost && machine[column] !== to
  })
  if (edited.length > 0)
    await saveEdits(
      call,
      edited.map(({ id, version }) => ({ id, version, [field]: to })),
    )
  const changed = edited.map((machine) => ({ id: machine.id, before: machine[column] }))
  return { changed, refused, unchanged: ids.length - changed.length - refused.length }
}

/** What is done with machines, beside what is said of them. */
export const machineActHandlers: Handlers<typeof machineActs> = {
  ...qrHandlers,

  getMachineStatus: async ({ db, params }) => {
    const { id, state, connection, posStatus, openAlarms, worstAlarm, hidden, lastSeenAt, lastSaleAt, lastAuditAt } =
      presentMachineRow(await machineOf(db, params.posId), undefined)
    return { id, state, connection, posStatus, openAlarms, worstAlarm, hidden, lastSeenAt, lastSaleAt, lastAuditAt }
  },

  hideMachine: async (call) => {
    const { posId } = call.params
    await heldOf(call, posId)
    await hide(call, [posId], call.body.hidden)
    return machineNow(call, posId)
  },

  hideMachines: async (call) => {
    const ids = await chosen(call, call.body.machines)
    const changed = await hide(call, ids, call.body.hidden)
    return {
      changed: changed.map(({ id }) => ({ id, before: null })),
      unchanged: ids.length - changed.length,
      refused: [],
    }
  },

  allowReassociation: async (call) => {
    const { db, user, now, live, body } = call
    const machine = await heldOf(call, call.params.posId)
    const until = body.allowed ? new Date(now.getTime() + reassociationMs) : null
    await writeActs(db, [machine.id], { reassociation_until: until }, now)
    await recordChange(db, {
      ...subjectOf(machine),
      at: now,
      user,
      action: 'machine.allowReassociation',
      before: { reassociationUntil: toWireOrNull(openUntil(machine.reassociation_until, now)) },
      after: { reassociationUntil: toWireOrNull(until) },
    })
    db.afterCommit(() => live.announce(machine.merchant_id, 'machine', machine.id))
    return machineNow(call, machine.id)
  },

  resetMachine: async (call) => {
    const { db, user, now, live, params } = call
    const machine = await heldOf(call, params.posId)
    const before = await machineNow(call, params.posId)
    const ended = await resetMachine(db, machine, { ...user, at: now })
    await insertRemoteCommands(db, [
      {
        merchant_id: machine.merchant_id,
        id: randomUUIDv7(),
        order_id: randomUUIDv7(),
        machine_id: machine.id,
        type: readBootInfo,
        parameters: '{}',
        created_at: now,
        created_by: user.id,
        created_by_name: user.name,
        not_before: now,
        expires_at: new Date(now.getTime() + commandLifetime.defaultSeconds * 1000),
      },
    ])
    await recordChange(db, {
      ...subjectOf(machine),
      at: now,
      user,
      action: 'machine.reset',
      before: toldBy(before),
      after: ended,
    })
    db.afterCommit(() => {
      for (const topic of ['machine', 'alarm', 'command'] as const)
        live.announce(machine.merchant_id, topic, machine.id)
      live.tellGateways(machine.merchant_id, 'commandWaits', machine.id)
    })
    return machineNow(call, params.posId)
  },

  deleteMachine: async ({ db, user, now, live, params }) => {
    const { merchant_id: merchantId } = await machineOf(db, params.posId)
    const deleted = await deleteMachine(db, merchantId, params.posId, { ...user, at: now })
    if (!deleted) throw new ProductError('MachineNotFound')
    const { machine, ...ended } = deleted
    await recordChange(db, {
      ...subjectOf(machine),
      at: now,
      user,
      action: 'machine.delete',
      before: { serial: machine.serial, name: machine.name, groupId: machine.group_id, clientId: machine.client_id },
      after: ended,
    })
    db.afterCommit(() => {
      for (const topic of ['machine', 'alarm', 'command'] as const) live.announce(merchantId, topic, machine.id)
      live.tellGateways(merchantId, 'machineGone', machine.id)
      if (machine.group_id) live.announce(merchantId, 'group')
      if (machine.client_id) live.announce(merchantId, 'client')
    })
  },

  setMachineGroup: async (call) => {
    await saveField(call, call.body)
    return machineNow(call, call.params.posId)
  },

  setMachineGroups: (call) => assignMany(call, call.body.machines, 'groupId', call.body.groupId),

  getMachineGroup: async ({ db, params }) => {
    const { group_id } = await machineOf(db, params.posId)
    const group = group_id && (await groupList.find(db, group_id))
    if (!group) throw new ProductError('GroupNotFound')
    return wireOf(Group, group)
  },

  leaveMachineGroup: async (call) => {
    await saveField(call, { groupId: null })
    return undefined
  },

  setMachineClient: async (call) => {
    await saveField(call, call.body)
    return machineNow(call, call.params.posId)
  },

  setMachineClients: (call) => assignMany(call, call.body.machines, 'clientId', call.body.clientId),

  setNoVendProfile: async (call) => {
    const machine = await heldOf(call, call.params.posId)
    // No profiles exist yet, so that a machine has none, and every id is somebody's mistake.
    if (call.body.noVendProfileId !== null) throw new ProductError('NoVendProfileNotFound')
    return machineNow(call, machine.id)
  },

  setManageStock: async (call) => {
    const { db, user, now, live, body } = call
    const machine = await heldOf(call, call.params.posId)
    if (machine.manage_stock !== body.manageStock) {
      await writeActs(db, [machine.id], { manage_stock: body.manageStock }, now)
      await recordChange(db, {
        ...subjectOf(machine),
        at: now,
        user,
        action: 'machine.manageStock',
        before: { manageStock: machine.manage_stock },
        after: { manageStock: body.manageStock },
      })
      db.afterCommit(() => live.announce(machine.merchant_id, 'machine', machine.id))
    }
    return machineNow(call, machine.id)
  },
}

const openUntil = (until: Date | null, now: Date) => (until && until > now ? until : null)

const subjectOf = ({ merchant_id, id }: HeldMachine) => ({
  merchantId: merchant_id,
  subjectType: 'machine',
  subjectId: id,
})

/** The data that a reset machine had reported, for the change log. */
const toldBy = ({
  firmwareVersion,
  boardSerial,
  boardModel,
  telemetryBoardType,
  imei,
  simIccid,
  macAddress,
}: Machine) => ({
  firmwareVersion,
  boardSerial,
  boardModel,
  telemetryBoardType,
  imei,
  simIccid,
  macAddress,
})
