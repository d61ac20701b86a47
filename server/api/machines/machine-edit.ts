import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import type {
  Machine,
  MachineEdit,
  MachineEditOutcome,
  MachineRow,
  MachineRowEdit,
  machines,
} from '#contract/machines/machine.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { findMachines, salesByDay, usualSalesByNow } from '#database/machines/machine.ts'
import {
  type EditableMachine,
  machinesToEdit,
  merchantsOfClients,
  merchantsOfGroups,
  namesHeld,
  writeMachineEdits,
} from '#database/machines/machine-edit.ts'
import { lastChanges, recordChanges } from '#database/platform/change-log.ts'
import { changedFields, isOvertaken, refusedNames } from '#domain/frame/editing.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { presentMachine, presentMachineRow } from './present-machine.ts'

type Rows = Pick<typeof machines, 'updateMachine' | 'updateMachines'>
export type Edit = Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>
type Refusal = 'EditConflict' | 'GroupRequired' | 'PosNameTaken'

const fieldsOf = (machine: EditableMachine) => ({
  version: machine.version,
  name: machine.name,
  address: machine.address,
  groupId: machine.group_id,
  clientId: machine.client_id,
  sector: machine.sector as MachineRow['sector'],
  warrantyUntil: machine.warranty_until,
})
const withoutVersion = ({ version: _, ...fields }: ReturnType<typeof fieldsOf>) => fields

/** A group of another merchant, or out of the caller's reach, answers as if it did not exist. */
async function refuseForeignGroups(
  { db, user }: Edit,
  edits: readonly MachineRowEdit[],
  byId: Map<string, EditableMachine>,
) {
  const requested = edits.flatMap(({ id, groupId }) =>
    groupId ? [{ groupId, merchantId: byId.get(id)?.merchant_id }] : [],
  )
  const merchants = await merchantsOfGroups(
    db,
    user.scope,
    requested.map(({ groupId }) => groupId),
  )
  if (requested.some(({ groupId, merchantId }) => merchants.get(groupId) !== merchantId))
    throw new ProductError('GroupNotFound')
}

/** A client of another merchant than the machine's answers as if it did not exist. */
async function refuseForeignClients(
  db: Edit['db'],
  edits: readonly MachineRowEdit[],
  byId: ReadonlyMap<string, EditableMachine>,
) {
  const requested = edits.flatMap(({ id, clientId }) => (clientId ? [{ id, clientId }] : []))
  const merchants = await merchantsOfClients(
    db,
    requested.map(({ clientId }) => clientId),
  )
  if (requested.some(({ id, clientId }) => merchants.get(clientId) !== byId.get(id)?.merchant_id))
    throw new ProductError('ClientNotFound')
}

/** Saves the valid edits. Returns the reasons for the others. */
export async function saveEdits(call: Edit, edits: readonly MachineRowEdit[]): Promise<Map<string, Refusal>> {
  const { db, user, now, live } = call
  const held = await machinesToEdit(
    db,
    edits.map(({ id }) => id),
  )
  if (held.length !== edits.length) throw new ProductError('MachineNotFound')
  const byId = new Map(held.map((machine) => [machine.id, machine]))
  await refuseForeignGroups(call, edits, byId)
  await refuseForeignClients(db, edits, byId)

  const refused = new Map<string, Refusal>()
  const changes = edits.flatMap(({ id, ...edit }) => {
    const machine = byId.get(id) as EditableMachine
    const before = fieldsOf(machine)
    if (isOvertaken(edit, before)) refused.set(id, 'EditConflict')
    // A user limited to some groups loses access to a machine without a group.
    else if (edit.groupId === null && machine.group_id !== null && !seesAllGroups(user.scope, machine.merchant_id))
      refused.set(id, 'GroupRequired')
    const { version: _, ...fields } = edit
    return refused.has(id) || changedFields(fields, before).length === 0
      ? []
      : [{ machine, before, after: { ...before, ...withoutUndefined(fields) } }]
  })
  const renamings = changes
    .filter(({ before, after }) => before.name !== after.name)
    .map(({ machine, before, after }) => ({
      id: machine.id,
      merchantId: machine.merchant_id,
      before: before.name,
      after: after.name,
    }))
  const renamed = renamings.map(({ id }) => id)
  for (const id of refusedNames(renamings, await namesHeld(db, renamings, renamed))) refused.set(id, 'PosNameTaken')

  const saved = changes.filter(({ machine }) => !refused.has(machine.id))
  await writeMachineEdits(
    db,
    saved.map(({ machine, after }) => ({
      ...machine,
      name: after.name,
      address: after.address,
      group_id: after.groupId,
      client_id: after.clientId,
      sector: after.sector,
      warranty_until: after.warrantyUntil,
    })),
    now,
    renamed.filter((id) => !refused.has(id)),
  )
  await recordChanges(
    db,
    saved.map(({ machine, before, after }) => ({
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'machine.update',
      subjectType: 'machine',
      subjectId: machine.id,
      before: withoutVersion(before),
      after: withoutVersion(after),
    })),
  )
  db.afterCommit(() => {
    for (const { machine, before, after } of saved) {
      live.announce(machine.merchant_id, 'machine', machine.id)
      if (before.groupId !== after.groupId) live.announce(machine.merchant_id, 'group')
      if (before.clientId !== after.clientId) live.announce(machine.merchant_id, 'client')
    }
  })
  return refused
}

const withoutUndefined = (fields: Omit<MachineEdit, 'version'>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Omit<ReturnType<typeof fieldsOf>, 'version'>
  >

/** The current rows, read with the user's whole scope: a machine may have moved out of the selected groups. */
async function rowsOf({ db, user, now }: Edit, ids: readonly string[]): Promise<Map<string, MachineRow>> {
  const wide = withinScope(db, user.scope)
  const records = await findMachines(wide, ids)
  const sales = await salesByDay(wide, [...ids], now)
  return new Map(records.map((record) => [record.id, presentMachineRow(record, sales.get(record.id))]))
}

/** One current machine, read with the user's whole scope. Throws MachineNotFound. */
export async function machineNow({ db, user, now }: Edit, posId: string): Promise<Machine> {
  const wide = withinScope(db, user.scope)
  const [machine] = await findMachines(wide, [posId])
  if (!machine) throw new ProductError('MachineNotFound')
  const sales = await salesByDay(wide, [posId], now)
  return presentMachine(machine, sales.get(posId), await usualSalesByNow(wide, posId, now), now)
}

/** Facts of a conflict by machine. */
async function conflictsOf(call: Edit, rows: ReadonlyMap<string, MachineRow>, ids: readonly string[]) {
  const changes = await lastChanges(call.db, 'machine', ids, seesInvisible(call.user))
  return (id: string) => {
    const change = changes.get(id)
    return {
      current: rows.get(id) as MachineRow,
      changedAt: toWireOrNull(change?.at ?? null),
      changedBy: change?.by ?? null,
    }
  }
}

/** Fields of machines that users fill in: names, addresses, groups, clients, warranties. */
export const machineEditHandlers: Handlers<Rows> = {
  updateMachine: async (call) => {
    const { params, body } = call
    const { posId } = params
    const refusal = (await saveEdits(call, [{ id: posId, ...body }])).get(posId)
    if (refusal === 'EditConflict') {
      const factsOf = await conflictsOf(call, await rowsOf(call, [posId]), [posId])
      throw new ProductError('EditConflict', factsOf(posId))
    }
    if (refusal) throw new ProductError(refusal)
    return machineNow(call, posId)
  },

  updateMachines: async (call) => {
    const ids = call.body.rows.map(({ id }) => id)
    const refused = await saveEdits(call, call.body.rows)
    const rows = await rowsOf(call, ids)
    const overtaken = ids.filter((id) => refused.get(id) === 'EditConflict')
    const factsOf = await conflictsOf(call, rows, overtaken)
    return {
      rows: ids.map((id): MachineEditOutcome => {
        const code = refused.get(id)
        if (code === undefined) return { id, code: 'Saved', row: rows.get(id) as MachineRow }
        return code === 'EditConflict' ? { id, code, facts: factsOf(id) } : { id, code }
      }),
    }
  },
}
