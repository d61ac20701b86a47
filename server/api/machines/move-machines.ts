import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { AssignedMachine, type MovedMachines, type MoveMachines } from '#contract/machines/assigned-machine.ts'
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
import { wireOf } from '#server/http/wire.ts'

export const presentAssigned = (machine: AssignedRecord): AssignedMachine => wireOf(AssignedMachine, machine)

/** What is locked before the machines, and what follows from their move. */
interface Around {
  before?: (machineIds: readonly string[]) => Promise<void>
  after?: (machineIds: readonly string[]) => Promise<void>
}

type Move = Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>
type Moves = z.output<typeof MoveMachines>
const fieldOf = { group_id: 'groupId', client_id: 'clientId', planogram_id: 'planogramId' } as const
const topicOf = { group_id: 'group', client_id: 'client', planogram_id: 'planogram' } as const
const actionOf = {
  group_id: 'machine.update',
  client_id: 'machine.update',
  planogram_id: 'machine.assignPlanogram',
} as const

/**
 * Assigns machines to a group, client or planogram and removes others. All must be in the caller's scope and of the same
 * merchant, or nothing changes. Returns how many have moved.
 */
export async function moveMachines(
  { db, user, now, live }: Move,
  to: Assignee,
  body: Moves,
  around: Around = {},
): Promise<z.output<typeof MovedMachines>> {
  const machinesOf = async (selection: typeof body.added) => {
    if (!selection) return []
    const { ids, isWhole } = await chosenMachines(db, to, selection)
    if (!isWhole) throw new ProductError('MachineNotFound')
    return ids
  }
  const held = async (ids: readonly string[]) => {
    const machines = await machinesToAssign(db, ids)
    if (machines.some(({ merchant_id }) => merchant_id !== to.merchant_id)) throw new ProductError('MachineNotFound')
    return machines
  }
  const isHere = (machine: HeldMachine) => machine[to.column] === to.id
  const toAdd = await machinesOf(body.added)
  const toRemove = await machinesOf(body.removed)
  await around.before?.([...toAdd, ...toRemove])
  const added = (await held(toAdd)).filter((machine) => !isHere(machine))
  const removed = (await held(toRemove)).filter(isHere)
  const idsOf = (machines: HeldMachine[]) => machines.map(({ id }) => id)
  await assignMachines(db, to.column, to.id, idsOf(added), now)
  await assignMachines(db, to.column, null, idsOf(removed), now)
  await around.after?.(idsOf([...added, ...removed]))
  const field = fieldOf[to.column]
  const entries = [...added.map((one) => [one, to.id] as const), ...removed.map((one) => [one, null] as const)]
  await recordChanges(
    db,
    entries.map(([machine, after]) => ({
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: actionOf[to.column],
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

/**
 * Moves machines into a group and out of it. Throws GroupRequired if a user limited to some groups would lose sight of a
 * machine.
 */
export async function moveIntoGroup(
  call: Move,
  group: { merchant_id: string; id: string },
  body: Moves,
): Promise<z.output<typeof MovedMachines>> {
  const moved = await moveMachines(call, { ...group, column: 'group_id' }, body)
  if (moved.removed > 0 && !seesAllGroups(call.user.scope, group.merchant_id)) throw new ProductError('GroupRequired')
  return moved
}
