import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { secondFactorRoles as merchantRoles } from '#contract/merchants/sign-in-rules.ts'
import { leastRole, type Role } from '#contract/vocabulary/roles.ts'
import { type ProvisionedMember, provisionedMembers } from '#database/people/provisioning.ts'
import { claimOfRole } from '#domain/people/role-claim.ts'
import { runsMerchants } from '#domain/people/user-edit.ts'
import { type DirectoryCall, membershipOf, updateUser, userOf } from './directory.ts'
import {
  filterOf,
  listOf,
  localPath,
  mostMembers,
  type Operation,
  operationsOf,
  pageOf,
  ScimError,
  urns,
} from './messages.ts'

/** A group of a directory: a role of the merchant, or one of its groups of machines. */
type DirectoryGroup = { id: string; name: string; role: Role } | { id: string; name: string; role: undefined }

async function groupsOf({ doors, user, merchantId }: DirectoryCall): Promise<DirectoryGroup[]> {
  const groups = await doors.withTenant(
    user.scope,
    (db) =>
      db
        .from('groups')
        .where('groups.merchant_id', '=', merchantId)
        .select(['groups.id', 'groups.name'])
        .orderBy((order) => order.fn('lower', ['groups.name']))
        .orderBy('groups.id')
        .execute(),
    'read',
  )
  return [
    ...merchantRoles.map((role) => ({ id: role, name: claimOfRole(role), role })),
    ...groups.map(({ id, name }) => ({ id, name, role: undefined })),
  ]
}

async function groupOf(call: DirectoryCall, id: string): Promise<DirectoryGroup> {
  const group = (await groupsOf(call)).find((one) => one.id === id)
  if (!group) throw new ProductError('GroupNotFound')
  return group
}

const isIn = (member: ProvisionedMember, { id, role }: DirectoryGroup) =>
  role === undefined ? member.groupIds.includes(id) : member.role === role

function present(group: DirectoryGroup, members: readonly ProvisionedMember[] | undefined, base: string): object {
  return {
    schemas: [urns.group],
    id: group.id,
    displayName: group.name,
    ...(members && {
      members: members
        .filter((member) => isIn(member, group))
        .map(({ id, email }) => ({ value: id, display: email, $ref: `${base}/Users/${id}` })),
    }),
    meta: { resourceType: 'Group', location: `${base}/Groups/${group.id}` },
  }
}

/** The members, unless the query excludes them: with many users they are most of an answer. */
const membersFor = (call: DirectoryCall, query: Record<string, unknown>) =>
  /\bmembers\b/i.test(String(query.excludedAttributes ?? ''))
    ? undefined
    : provisionedMembers(call.doors, call.merchantId)

export async function listScimGroups(
  call: DirectoryCall,
  query: Record<string, unknown>,
  base: string,
): Promise<object> {
  const page = pageOf(query)
  const filter = filterOf(query.filter, ['displayName', 'id'])
  const wanted = filter?.value.toLowerCase()
  const groups = (await groupsOf(call)).filter(
    (one) => !filter || (filter.attribute === 'id' ? one.id : one.name).toLowerCase() === wanted,
  )
  const members = await membersFor(call, query)
  const shown = groups.slice(page.offset, page.offset + page.size)
  return listOf(
    shown.map((one) => present(one, members, base)),
    groups.length,
    page,
  )
}

export async function getScimGroup(
  call: DirectoryCall,
  id: string,
  query: Record<string, unknown>,
  base: string,
): Promise<object> {
  const group = await groupOf(call, id)
  return present(group, await membersFor(call, query), base)
}

async function addMember(call: DirectoryCall, group: DirectoryGroup, userId: string): Promise<void> {
  const user = await userOf(call, userId)
  const there = membershipOf(call, user)
  if (group.role !== undefined) {
    if (user.role === group.role) return
    // A user who runs a merchant has all of its groups.
    const membership = runsMerchants(group.role) ? { ...there, allGroups: true, groupIds: [] } : there
    await updateUser(call, user, { role: group.role, membership })
    return
  }
  if (there.groupIds.includes(group.id)) return
  await updateUser(call, user, {
    membership: { ...there, allGroups: false, groupIds: [...there.groupIds, group.id] },
  })
}

async function removeMember(call: DirectoryCall, group: DirectoryGroup, userId: string): Promise<void> {
  const user = await userOf(call, userId)
  const there = membershipOf(call, user)
  if (group.role !== undefined) {
    if (user.role === group.role && group.role !== leastRole) await updateUser(call, user, { role: leastRole })
    return
  }
  const groupIds = there.groupIds.filter((id) => id !== group.id)
  if (groupIds.length === there.groupIds.length) return
  // Without groups, a user would see all of them or none.
  if (groupIds.length === 0)
    throw new ScimError(409, 'mutability', 'A user keeps one group; suspend or delete the user')
  await updateUser(call, user, { membership: { ...there, groupIds } })
}

const Members = z.array(z.object({ value: z.string().max(100) })).max(mostMembers)

function membersIn(value: unknown): string[] {
  const read = Members.safeParse(Array.isArray(value) ? value : [value])
  if (!read.success) throw new ScimError(400, 'invalidValue', `members is a list of up to ${mostMembers} users by id`)
  return [...new Set(read.data.map((one) => one.value))]
}

/** The ids of the users that an operation adds or removes; `all`: those of it are the members afterwards. */
function memberChange({ op, path, value }: Operation): { op: 'add' | 'remove' | 'all'; ids: string[] } | undefined {
  if (path === undefined) {
    const { members } = z.object({ members: z.unknown().optional() }).catch({ members: undefined }).parse(value)
    // The name is the portal's.
    return members === undefined ? undefined : memberChange({ op, path: 'members', value: members })
  }
  const local = localPath(path)
  const isOne = local.toLowerCase().startsWith('members[') && local.endsWith(']')
  const one = isOne ? filterOf(local.slice('members['.length, -1), ['value'])?.value : undefined
  if (one !== undefined && op === 'remove') return { op, ids: [one] }
  if (/^(displayName|externalId)$/i.test(local))
    throw new ScimError(400, 'mutability', 'Groups are named in the portal')
  if (local.toLowerCase() !== 'members') throw new ScimError(400, 'invalidPath', path.slice(0, 100))
  if (op === 'remove') return value === undefined ? { op: 'all', ids: [] } : { op, ids: membersIn(value) }
  return { op: op === 'replace' ? 'all' : op, ids: membersIn(value) }
}

async function change(
  call: DirectoryCall,
  group: DirectoryGroup,
  { op, ids }: { op: 'add' | 'remove' | 'all'; ids: string[] },
): Promise<void> {
  const members = op === 'all' ? await provisionedMembers(call.doors, call.merchantId) : []
  const gone = members.filter((one) => isIn(one, group) && !ids.includes(one.id)).map(({ id }) => id)
  if (op !== 'remove') for (const id of ids) await addMember(call, group, id)
  for (const id of op === 'remove' ? ids : gone) await removeMember(call, group, id)
}

export async function patchScimGroup(call: DirectoryCall, id: string, body: unknown): Promise<void> {
  const group = await groupOf(call, id)
  const changes = operationsOf(body).flatMap((one) => memberChange(one) ?? [])
  if (changes.reduce((sum, { ids }) => sum + ids.length, 0) > mostMembers)
    throw new ScimError(400, 'tooMany', `A PATCH has up to ${mostMembers} members`)
  for (const one of changes) await change(call, group, one)
}

export async function replaceScimGroup(call: DirectoryCall, id: string, body: unknown, base: string): Promise<object> {
  const group = await groupOf(call, id)
  const { members } = z.object({ members: z.unknown().optional() }).catch({ members: undefined }).parse(body)
  if (members !== undefined) await change(call, group, { op: 'all', ids: membersIn(members) })
  return getScimGroup(call, id, {}, base)
}
