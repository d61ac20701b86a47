import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { LineText, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { Role } from '../vocabulary/roles.ts'

const GroupName = LineText.trim().min(1).max(200)

export const NewGroup = z.strictObject({ name: GroupName })

/** `people`: users assigned to this group; users who see the whole merchant are not counted. */
export const GroupRow = recordOf(NewGroup, { machines: z.int(), people: z.int() }).omit({
  timeZone: true,
  createdAt: true,
})
export type GroupRow = z.infer<typeof GroupRow>

export const GroupDetails = GroupRow.omit({ merchantName: true })
export type GroupDetails = z.infer<typeof GroupDetails>

export const Group = GroupDetails.omit({ version: true, people: true })
export type Group = z.infer<typeof Group>

export const GroupFilters = z.strictObject({ search: Search.optional() })
export type GroupFilters = z.infer<typeof GroupFilters>
export const groupColumns = {
  name: { kind: 'text', heading: 'group:name' },
  merchant: { kind: 'text', heading: 'group:column.merchant' },
  machines: { kind: 'number', heading: 'group:column.machines' },
  id: { kind: 'plain', heading: 'group:column.id' },
  /** In another table; files omit it. */
  people: { sort: false, kind: 'number', heading: 'group:column.people', only: 'screen' },
} as const satisfies ListColumns

export const groupOrds = ordsOf(groupColumns, 'name')

/** The most groups that are answered without pages. */
export const mostGroupsListed = 500

/** A user assigned to a group. */
export const GroupPerson = z.strictObject({ id: z.uuid(), name: z.string(), email: z.string(), role: Role })
export type GroupPerson = z.infer<typeof GroupPerson>

export const groupPersonColumns = {
  name: { kind: 'text', heading: 'group:person.name' },
  email: { kind: 'text', heading: 'group:person.email' },
  role: { kind: 'word', heading: 'group:person.role', of: 'role' },
} as const satisfies ListColumns

export const groupPersonOrds = ordsOf(groupPersonColumns, 'name')

/** The most machines that one save moves. */
export const mostMoved = 1_000
const Moved = z
  .array(ids.posId)
  .max(mostMoved)
  .refine((ids) => new Set(ids).size === ids.length)
  .default([])

/** `addedPosIds` are moved from any other group; `removedPosIds` have no group afterwards. */
export const UpdateGroup = z
  .strictObject({ version: Version, name: GroupName, addedPosIds: Moved, removedPosIds: Moved })
  .refine(({ addedPosIds, removedPosIds }) => !removedPosIds.some((id) => addedPosIds.includes(id)))

/** Maximum blocking objects that are named; all of them are counted. */
export const mostBlockers = 20

/** Facts of `GroupInUse`. Users are named only to readers who may see them. */
export const GroupBlockers = z.strictObject({
  machines: z.int(),
  people: z.int(),
  firstMachines: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  firstPeople: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
})
export type GroupBlockers = z.infer<typeof GroupBlockers>

export const groups = {
  listGroups: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups',
    summary: `List groups you can see by name, search or ids, up to ${mostGroupsListed}`,
    needs: 'group.read',
    topics: ['group'],
    query: GroupFilters.extend({ ids: oneOrMany(z.uuid()) }),
    ok: z.array(Group),
  }),
  pageGroups: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups/paged',
    summary: 'List groups',
    needs: 'group.read',
    topics: ['group'],
    query: GroupFilters.extend(paged(groupOrds)),
    ok: pageOf(GroupRow).extend(withTotals),
  }),
  getGroup: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups/{groupId}',
    summary: 'Get a group',
    needs: 'group.read',
    topics: ['group'],
    ok: GroupDetails,
    fails: ['GroupNotFound'],
  }),
  createGroup: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/groups',
    summary: 'Create a group; a group admin who creates it also sees it',
    needs: 'group.write',
    body: NewGroup,
    ok: GroupDetails,
    status: 201,
    fails: ['MerchantNotSelected', 'GroupNameTaken'],
  }),
  updateGroup: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/groups/{groupId}',
    summary: 'Rename a group, and add or remove machines',
    needs: 'group.write',
    body: UpdateGroup,
    ok: GroupDetails,
    fails: ['GroupNotFound', 'MachineNotFound', 'GroupNameTaken', 'GroupRequired', 'EditConflict'],
  }),
  deleteGroup: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/groups/{groupId}',
    summary: 'Delete a group without machines, users and update rules',
    needs: 'group.write',
    fails: ['GroupNotFound', 'GroupInUse', 'GroupHasFirmwareRules', 'GroupAdminMerchantsValidationException'],
  }),
  listGroupPeople: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/groups/{groupId}/users',
    summary: 'List users assigned to a group, without users of the whole merchant',
    needs: 'group.people',
    finds: ['groupId'],
    topics: ['group'],
    query: z.strictObject(paged(groupPersonOrds)),
    ok: pageOf(GroupPerson),
    fails: ['GroupNotFound'],
  }),
}

/** The number of users is in another table; files omit it. */
export const exportedGroups = {
  row: groups.pageGroups,
  filters: GroupFilters,
  ords: groupOrds,
  columns: groupColumns,
} as const satisfies ExportedList
