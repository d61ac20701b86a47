import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { Group, GroupDetails, GroupRow, type groups, mostBlockers, NewGroup } from '#contract/merchants/group.ts'
import type { groupMachines } from '#contract/merchants/group-machines.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { listAssigned } from '#database/machines/assigned-machines.ts'
import { countUsers, groupList, listGroups } from '#database/merchants/group.ts'
import {
  forgetDeletedMachines,
  giveGroup,
  isOnlyGroup,
  machinesIn,
  pageOfUsers,
  takeGroup,
  usersOfGroups,
} from '#database/merchants/group-edit.ts'
import { keepPlaceName } from '#database/sales/former-terms.ts'
import { namesOf, rulesNaming } from '#database/updates/rules-using.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { moveIntoGroup, presentAssigned } from '../machines/move-machines.ts'

interface Moves {
  addedPosIds: string[]
  removedPosIds: string[]
}
type Key = { merchant_id: string; id: string }

/** The machines and other users of a group, which prevent its deletion. */
async function inGroup({ db, doors, user }: TenantCall, group: Key) {
  const machines = await machinesIn(db, group)
  const people = await usersOfGroups(doors, group.merchant_id, [group.id])
  const others = people.filter(({ id }) => id !== user.id)
  if (machines.count === 0 && others.length === 0) return undefined
  const mayKnow = roleMay(user.role, 'group.people')
  const named = others.filter((person) => mayKnow && (seesInvisible(user) || !person.invisible_to_merchants))
  return {
    machines: machines.count,
    people: others.length,
    firstMachines: machines.first,
    firstPeople: named.slice(0, mostBlockers).map(({ id, name }) => ({ id, name })),
  }
}

/** A user limited to some groups keeps one. Only existing groups count: a membership may outlive its group. */
async function refuseLastGroup({ db, doors, user }: TenantCall, group: Key): Promise<void> {
  if (seesAllGroups(user.scope, group.merchant_id)) return
  const people = await usersOfGroups(doors, group.merchant_id, [group.id])
  if (people.some(({ id }) => id === user.id) && (await isOnlyGroup(db, group)))
    throw new ProductError('GroupAdminMerchantsValidationException')
}

export const groupRecord = editable({
  noun: 'group',
  rows: groupList,
  fields: NewGroup,
  present: async (group, { doors }) => {
    const people = (await usersOfGroups(doors, group.merchant_id, [group.id])).length
    return wireOf(GroupDetails, group, { people })
  },
  duplicates: { groups_merchant_id_name_key: ['GroupNameTaken', 'name'] },
  blockedBy: (_, group, call) => inGroup(call, group),
  alsoChange: async (call, group) => {
    const { addedPosIds, removedPosIds } = call.body as typeof call.body & Moves
    const selected = (ids: string[]) => (ids.length > 0 ? { ids } : undefined)
    const moves = { added: selected(addedPosIds), removed: selected(removedPosIds) }
    const { added, removed } = await moveIntoGroup(call, group, moves)
    return added + removed > 0 ? { addedPosIds, removedPosIds } : undefined
  },
  clear: async (call, group) => {
    const using = await rulesNaming(call.db, 'groupIds', group)
    const names = namesOf(using)
    if (names.length > 0)
      throw new ProductError('GroupHasFirmwareRules', { rules: using.rules, names: names.join(', ') })
    await refuseLastGroup(call, group)
    await forgetDeletedMachines(call.db, group, call.now)
    await keepPlaceName(call.db, group)
  },
  // A separate transaction: a group that was never created exposes nothing, and a leftover group is empty.
  created: async ({ db, doors, user, live }, group) => {
    if (seesAllGroups(user.scope, group.merchant_id)) return
    await giveGroup(doors, user.id, group)
    db.afterCommit(() => live.announceUser(user.id))
  },
  deleted: async ({ db, doors, user, live }, group) => {
    if (await takeGroup(doors, user.id, group)) db.afterCommit(() => live.announceUser(user.id))
  },
})

/** Groups of machines, and what is in them. */
export const groupHandlers: Handlers<typeof groups & typeof groupMachines> = {
  ...groupRecord.handlers,

  getMachineGroup: async ({ db, params }) => {
    const { group_id } = await machineOf(db, params.posId)
    const group = group_id && (await groupList.find(db, group_id))
    if (!group) throw new ProductError('GroupNotFound')
    return wireOf(Group, group)
  },

  listGroups: async ({ db, query }) => (await listGroups(db, query)).map((group) => wireOf(Group, group)),
  pageGroups: async ({ db, doors, query }) => {
    const { rows, totals = [], ...counted } = await groupList.list(db, query)
    const people = await countUsers(doors, rows)
    return { items: rows.map((row) => wireOf(GroupRow, row, { people: people.get(row.id) ?? 0 })), ...counted, totals }
  },

  listGroupMachines: async ({ db, params, query }) => {
    const { merchant_id, id } = await groupRecord.of(db, params.groupId)
    const { rows, total, capped } = await listAssigned(db, { merchant_id, id, column: 'group_id' }, query)
    return { items: rows.map(presentAssigned), total, capped }
  },

  moveGroupMachines: async (call) => {
    const db = withinScope(call.db, call.user.scope)
    return moveIntoGroup({ ...call, db }, await groupRecord.use(db, call.params.groupId), call.body)
  },

  listGroupPeople: async ({ db, doors, params, query, user }) => {
    const group = await groupRecord.of(db, params.groupId)
    const { rows, total } = await pageOfUsers(doors, group, query, roleMay(user.role, 'user.readAll'))
    return { items: rows, total, capped: false }
  },
}
