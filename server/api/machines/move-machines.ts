import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import type { AssignedMachine, MovedMachines, MoveMachines } from '#contract/machines/assigned-machine.ts'
import {
  type AssignedRecord,
  type Assignee,
  assignMachines,
  chosenMachines,
  type HeldMachine,
  machinesToAssign,
} from '#database/machines/assigned-machines.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { seesAllGroups } from '#server/http/scope.ts'

export const presentAssigned = (machine: AssignedRecord): AssignedMachine => ({
  id: machine.id,
  merchantId: machine.merchant_id,
  name: machine.name,
  serial: machine.serial,
  deviceType: machine.device_type,
  address: machine.address,
  state: machine.state,
  hidden: machine.hidden,
  groupId: machine.group_id,
  groupName: machine.group_name,
  clientId: machine.client_id,
  clientName: machine.client_name,
})

type Move = Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>
type Moves = z.output<typeof MoveMachines>
const fieldOf = { group_id: 'groupId', client_id: 'clientId' } as const
const topicOf = { group_id: 'group', client_id: 'client' } as const

/**
 * Brings machines to a group or client and takes others away. All are the caller's own to see, and of the same merchant, or nothing
 * happens. Answers how many were somewhere else before.
 */
export async function moveMachines(
  { db, user, now, live }: Move,
  to: Assignee,
  body: Moves,
): Promise<z.output<typeof MovedMachines>> {
  const chosen = async (selection: typeof body.added) => {
    if (!selection) return []
    const { ids, isWhole } = await chosenMachines(db, to, selection)
    if (!isWhole) throw new ProductError('MachineNotFound')
    const machines = await machinesToAssign(db, ids)
    if (machines.some(({ merchant_id }) => merchant_id !== to.merchant_id)) throw new ProductError('MachineNotFound')
    return machines
  }
  const isHere = (machine: HeldMachine) => machine[to.column] === to.id
  const added = (await chosen(body.added)).filter((machine) => !isHere(machine))
  const removed = (await chosen(body.removed)).filter(isHere)
  const idsOf = (machines: HeldMachine[]) => machines.map(({ id }) => id)
  await assignMachines(db, to.column, to.id, idsOf(added))
  await assignMachines(db, to.column, null, idsOf(removed))
  const field = fieldOf[to.column]
  const entries = [...added.map((one) => [one, to.id] as const), ...removed.map((one) => [one, null] as const)]
  await recordChanges(
    db,
    entries.map(([machine, after]) => ({
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'machine.update',
      subjectType: 'machine',
      subjectId: machine.id,
      before: { [field]: machine[to.column] },
      after: { [field]: after },
    })),
  )
  db.afterCommit(() => {
    for (const [{ merchant_id, id }] of entries) live.announce(merchant_id, 'machine', id)
    if (entries.length > 0) live.announce(to.merchant_id, topicOf[to.column])
  })
  return { added: added.length, removed: removed.length }
}

/** Moves machines into a group and out of it. What is in no group would be out of sight of who sees some groups alone: GroupRequired. */
export async function moveIntoGroup(
  call: Move,
  group: { merchant_id: string; id: string },
  body: Moves,
): Promise<z.output<typeof MovedMachines>> {
  const moved = await moveMachines(call, { ...group, column: 'group_id' }, body)
  if (moved.removed > 0 && !seesAllGroups(call.user.scope, group.merchant_id)) throw new ProductError('GroupRequired')
  return moved
}
