import { randomUUIDv7 } from 'node:crypto'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import type { Machine } from '#contract/machines/machine.ts'
import type { machineActs } from '#contract/machines/machine-acts.ts'
import type { StockCounter } from '#contract/vocabulary/stock.ts'
import { insertRemoteCommands } from '#database/commands/remote-command.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { reassociationMs } from '#database/machines/association.ts'
import {
  deleteMachine,
  type HeldMachine,
  holdForAct,
  machineKeys,
  resetMachine,
  writeActs,
} from '#database/machines/machine-acts.ts'
import { machinesToEdit, merchantsOfClients, merchantsOfGroups } from '#database/machines/machine-edit.ts'
import { recordChange, recordChanges } from '#database/platform/change-log.ts'
import { manageStock as manageStockOf, setStockCounter } from '#database/stock/manage.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { type Assignment, assignMany, chosenMachines } from './assign-many.ts'
import { type Edit, machineNow, saveEdits } from './machine-edit.ts'
import { presentMachineRow } from './present-machine.ts'
import { qrHandlers } from './qr-code.ts'

type Call = Edit & { params: { posId: string } }

/** The command that makes a machine report its data again. */
const readBootInfo = 8

async function heldOf({ db }: Edit, posId: string): Promise<HeldMachine> {
  const [machine] = await holdForAct(db, [posId])
  if (!machine) throw new ProductError('MachineNotFound')
  return machine
}

/** Saves one field of one machine, whatever its version: a call with a single field conflicts with nothing else. */
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
      // The group counts visible machines.
      live.announce(merchant_id, 'group')
    }
  })
  return changed
}

/** Machines whose books are opened together. */
const managedAtOnce = 500

interface StockManagement {
  manageStock: boolean
  stockCountedBy?: StockCounter | undefined
}

/** Turns stock management of machines on or off and sets who counts; returns the machines that changed. */
async function manage(call: Edit, ids: readonly string[], to: StockManagement): Promise<HeldMachine[]> {
  const { db, user, now, live } = call
  // Writers of the machine's data lock its journal first and then the machine.
  const journals = await lockJournals(db, await machineKeys(db, ids))
  const held = (await holdForAct(db, ids)).filter(({ id }) => journals.has(id))
  if (held.length < ids.length) throw new ProductError('MachineNotFound')
  const isSwitched = (machine: HeldMachine) => machine.manage_stock !== to.manageStock
  const isRecounted = ({ stock_counted_by }: HeldMachine) =>
    (to.stockCountedBy ?? stock_counted_by) !== stock_counted_by
  const changed = held.filter((machine) => isSwitched(machine) || isRecounted(machine))
  const keyOf = ({ merchant_id: merchantId, id: machineId }: HeldMachine) => ({ merchantId, machineId })
  const alarmed: { merchantId: string; machineId: string }[] = []
  for (const [merchantId, ofMerchant] of Map.groupBy(changed, (machine) => machine.merchant_id)) {
    const ofOne = withinScope(
      db,
      db.scope.filter((pair) => pair.merchantId === merchantId),
    )
    if (to.stockCountedBy)
      await setStockCounter(ofOne, ofMerchant.filter(isRecounted).map(keyOf), to.stockCountedBy, now)
    const switched = ofMerchant.filter(isSwitched).map(keyOf)
    for (let from = 0; from < switched.length; from += managedAtOnce)
      alarmed.push(...(await manageStockOf(ofOne, switched.slice(from, from + managedAtOnce), to.manageStock, now)))
  }
  await recordChanges(
    db,
    changed.map((machine) => ({
      ...subjectOf(machine),
      at: now,
      user,
      action: 'machine.manageStock',
      before: { manageStock: machine.manage_stock, stockCountedBy: machine.stock_counted_by },
      after: { manageStock: to.manageStock, stockCountedBy: to.stockCountedBy ?? machine.stock_counted_by },
    })),
  )
  db.afterCommit(() => {
    for (const { merchantId, machineId } of changed.map(keyOf))
      for (const topic of ['machine', 'stock'] as const) live.announce(merchantId, topic, machineId)
    for (const { merchantId, machineId } of alarmed) live.announce(merchantId, 'alarm', machineId)
  })
  return changed
}

/** Saves one field of the machine's form for many machines. */
const saveFields =
  (field: 'groupId' | 'clientId'): Assignment['save'] =>
  async (call, machines, to) => {
    await saveEdits(
      call,
      machines.map(({ id, version }) => ({ id, version, [field]: to })),
    )
  }

const toGroup: Assignment = {
  column: 'group_id',
  missing: 'GroupNotFound',
  ownerOf: async ({ db, user }, id) => (await merchantsOfGroups(db, user.scope, [id])).get(id),
  // A user limited to some groups loses access to a machine without a group.
  refusal: ({ user }, { group_id, merchant_id }) =>
    group_id !== null && !seesAllGroups(user.scope, merchant_id) ? 'GroupRequired' : undefined,
  save: saveFields('groupId'),
}

const toClient: Assignment = {
  column: 'client_id',
  missing: 'ClientNotFound',
  ownerOf: async ({ db }, id) => (await merchantsOfClients(db, [id])).get(id),
  save: saveFields('clientId'),
}

/** Actions on machines; machine-edit.ts has their fields. */
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
    const ids = await chosenMachines(call, call.body.machines)
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
    const { merchant_id: merchantId } = await machineOf(db, params.posId)
    // Writers of the machine's data lock its journal first and then the machine.
    await lockJournals(db, [{ merchantId, id: params.posId }])
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
      before: reportedData(before),
      after: ended,
    })
    db.afterCommit(() => {
      for (const topic of ['machine', 'alarm', 'command'] as const)
        live.announce(machine.merchant_id, topic, machine.id)
      live.announceToGateways(machine.merchant_id, 'commandWaiting', machine.id)
    })
    return machineNow(call, params.posId)
  },

  deleteMachine: async ({ db, user, now, live, params }) => {
    const { merchant_id: merchantId } = await machineOf(db, params.posId)
    const deleted = await deleteMachine(db, merchantId, params.posId, { ...user, at: now })
    if (!deleted) throw new ProductError('MachineNotFound')
    const { machine, isOnRound, ...ended } = deleted
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
      if (isOnRound) live.announce(merchantId, 'round')
      live.announceToGateways(merchantId, 'machineDeleted', machine.id)
      if (machine.group_id) live.announce(merchantId, 'group')
      if (machine.client_id) live.announce(merchantId, 'client')
    })
  },

  setMachineGroup: async (call) => {
    await saveField(call, call.body)
    return machineNow(call, call.params.posId)
  },

  setMachineGroups: (call) => assignMany(call, call.body.machines, toGroup, call.body.groupId),

  leaveMachineGroup: async (call) => {
    await saveField(call, { groupId: null })
    return undefined
  },

  setMachineClient: async (call) => {
    await saveField(call, call.body)
    return machineNow(call, call.params.posId)
  },

  setMachineClients: (call) => assignMany(call, call.body.machines, toClient, call.body.clientId),

  setManageStock: async (call) => {
    await manage(call, [call.params.posId], call.body)
    return machineNow(call, call.params.posId)
  },

  setManageStocks: async (call) => {
    const ids = await chosenMachines(call, call.body.machines)
    const changed = await manage(call, ids, call.body)
    return {
      changed: changed.map(({ id }) => ({ id, before: null })),
      unchanged: ids.length - changed.length,
      refused: [],
    }
  },
}

const openUntil = (until: Date | null, now: Date) => (until && until > now ? until : null)

const subjectOf = ({ merchant_id, id }: HeldMachine) => ({
  merchantId: merchant_id,
  subjectType: 'machine',
  subjectId: id,
})

/** The data that a reset machine had reported, for the change log. */
const reportedData = ({
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
