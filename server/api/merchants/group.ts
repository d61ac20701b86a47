import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import type { groups } from '#contract/merchants/group.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { listAssigned } from '#database/machines/assigned-machines.ts'
import { countPeople, listGroups, pageGroups } from '#database/merchants/group.ts'
import { findGroup, groupToUse, pagePeople } from '#database/merchants/group-edit.ts'
import type { Handlers } from '#server/http/handler.ts'
import { moveIntoGroup, presentAssigned } from '../machines/move-machines.ts'

type Rows = Pick<
  typeof groups,
  'listGroups' | 'pageGroups' | 'listGroupMachines' | 'moveGroupMachines' | 'listGroupPeople'
>

/** Groups as they are listed, and what is in them. */
export const groupHandlers: Handlers<Rows> = {
  listGroups: async ({ db, query }) => {
    const rows = await listGroups(db, query)
    return rows.map(({ merchant_id, ...group }) => ({ ...group, merchantId: merchant_id }))
  },

  pageGroups: async ({ db, doors, query }) => {
    const { rows, total, capped } = await pageGroups(db, query, query)
    const people = await countPeople(doors, rows)
    const items = rows.map(({ merchant_id, merchant_name, ...group }) => ({
      ...group,
      merchantId: merchant_id,
      merchantName: merchant_name,
      people: people.get(group.id) ?? 0,
    }))
    return { items, total, capped }
  },

  listGroupMachines: async ({ db, params, query }) => {
    const group = await findGroup(db, params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    const { rows, total, capped } = await listAssigned(db, { ...group, column: 'group_id' }, query, query)
    return { items: rows.map(presentAssigned), total, capped }
  },

  moveGroupMachines: async (call) => {
    const db = withinScope(call.db, call.user.scope)
    const group = await groupToUse(db, call.params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    return moveIntoGroup({ ...call, db }, group, call.body)
  },

  listGroupPeople: async ({ db, doors, params, query, user }) => {
    const group = await findGroup(db, params.groupId)
    if (!group) throw new ProductError('GroupNotFound')
    const { rows, total } = await pagePeople(doors, group, query, roleMay(user.role, 'user.readAll'))
    return { items: rows, total, capped: false }
  },
}
