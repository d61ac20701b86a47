import { randomUUIDv7 } from 'node:crypto'
import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { type GroupDetails, type groups, mostBlockers } from '#contract/merchants/group.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { withinScope } from '#database/frame/tenant.ts'
import {
  findGroup,
  type GroupRecord,
  giveGroup,
  groupToDelete,
  groupToEdit,
  insertGroup,
  isOnlyGroup,
  machinesIn,
  peopleOfGroups,
  removeGroup,
  shownMachines,
  takeGroup,
  writeGroup,
} from '#database/merchants/group-edit.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { seesInvisible } from '#server/http/as-told.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { moveIntoGroup } from '../machines/move-machines.ts'

type Rows = Pick<typeof groups, 'getGroup' | 'createGroup' | 'updateGroup' | 'deleteGroup'>
type Edit = Pick<TenantCall, 'db' | 'doors' | 'user' | 'now' | 'live'>

const detailsOf = async ({ db, doors }: Edit, group: GroupRecord): Promise<GroupDetails> => ({
  id: group.id,
  merchantId: group.merchant_id,
  name: group.name,
  version: group.version,
  machines: await shownMachines(db, group),
  people: (await peopleOfGroups(doors, group.merchant_id, [group.id])).length,
})

/** Groups, as people make, change and delete them. */
export const groupEditHandlers: Handlers<Rows> = {
  getGroup: async (call) => {
    const group = await findGroup(call.db, call.params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    return detailsOf(call, group)
  },

  createGroup: async (call) => {
    const { db, doors, params, body, user, now, live } = call
    const merchantId = params.merchantId
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const group = { merchant_id: merchantId, id: randomUUIDv7(), name: body.name, version: 1 }
    await insertGroup(db, group, now)
    const subject = { subjectType: 'group', subjectId: group.id, after: { name: group.name } }
    await recordChange(db, { merchantId, at: now, user, action: 'group.create', ...subject })
    // Last, since it is a transaction of its own: a group that never came to be shows nobody anything and is counted nowhere.
    const isConfined = !seesAllGroups(user.scope, merchantId)
    if (isConfined) await giveGroup(doors, user.id, group)
    db.afterCommit(() => {
      live.announce(merchantId, 'group')
      if (isConfined) live.announcePerson(user.id)
    })
    return { id: group.id, merchantId, name: group.name, version: 1, machines: 0, people: isConfined ? 1 : 0 }
  },

  updateGroup: async (call) => {
    const { db, params, body, user, now, live } = call
    const wide = withinScope(db, user.scope)
    const group = await groupToEdit(db, params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    if (body.version !== group.version) {
      return refuseOvertaken({ db, user }, 'group', group.id, await detailsOf({ ...call, db: wide }, group))
    }
    const selected = (ids: string[]) => (ids.length > 0 ? { ids } : undefined)
    const moves = { added: selected(body.addedPosIds), removed: selected(body.removedPosIds) }
    const { added, removed } = await moveIntoGroup({ ...call, db: wide }, group, moves)
    if (body.name !== group.name || added + removed > 0) {
      await writeGroup(db, { ...group, name: body.name })
      await recordChange(db, {
        merchantId: group.merchant_id,
        at: now,
        user,
        action: 'group.update',
        subjectType: 'group',
        subjectId: group.id,
        before: { name: group.name },
        after: { name: body.name, addedPosIds: body.addedPosIds, removedPosIds: body.removedPosIds },
      })
    }
    db.afterCommit(() => live.announce(group.merchant_id, 'group'))
    const saved = await findGroup(wide, group.id)
    if (!saved) throw new ProductError('GroupNotFound')
    return detailsOf({ ...call, db: wide }, saved)
  },

  deleteGroup: async (call) => {
    const { db, doors, params, user, now, live } = call
    const group = await groupToDelete(db, params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    const machines = await machinesIn(db, group)
    const people = await peopleOfGroups(doors, group.merchant_id, [group.id])
    const others = people.filter(({ id }) => id !== user.id)
    const mayKnow = roleMay(user.role, 'group.people')
    const named = others.filter((person) => mayKnow && (seesInvisible(user) || !person.invisible_to_merchants))
    if (machines.count > 0 || others.length > 0)
      throw new ProductError('GroupInUse', {
        machines: machines.count,
        people: others.length,
        firstMachines: machines.first,
        firstPeople: named.slice(0, mostBlockers).map(({ id, name }) => ({ id, name })),
      })
    const isOwn = others.length < people.length
    // Counted among the groups that are there: a membership may have outlived its group.
    if (
      isOwn &&
      !seesAllGroups(user.scope, group.merchant_id) &&
      (await isOnlyGroup(withinScope(db, user.scope), group))
    )
      throw new ProductError('GroupAdminMerchantsValidationException')
    await removeGroup(db, group)
    const subject = { subjectType: 'group', subjectId: group.id, before: { name: group.name } }
    await recordChange(db, { merchantId: group.merchant_id, at: now, user, action: 'group.delete', ...subject })
    // A transaction of its own: were the group to stay after all, it is an empty one that nobody but this person wanted rid of.
    if (isOwn) await takeGroup(doors, user.id, group)
    db.afterCommit(() => {
      live.announce(group.merchant_id, 'group')
      if (isOwn) live.announcePerson(user.id)
    })
    return undefined
  },
}
