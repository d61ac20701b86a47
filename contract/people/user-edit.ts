import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { inAMerchant, inGroupsOfMerchants } from '../rules/merchant.ts'
import { Email } from '../rules/text.ts'
import { Role } from '../vocabulary/roles.ts'
import { UserStatus } from '../vocabulary/user.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** Maximum merchants of a user, and groups within one merchant. */
export const mostMemberships = 500

const uniqueIds = z
  .array(ids.groupId)
  .max(mostMemberships)
  .refine((ids) => new Set(ids).size === ids.length)

/** A user's groups of a merchant: all of them, including future groups, or the chosen ones. */
export const Membership = z
  .strictObject({ merchantId: ids.merchantId, allGroups: z.boolean(), groupIds: uniqueIds })
  .refine(({ allGroups, groupIds }) => !allGroups || groupIds.length === 0)
export type Membership = z.infer<typeof Membership>

/** Maximum merchants and groups that a list names per user; all of them are counted. */
export const mostNamed = 5

/** A user in a list. Only merchants and groups that the reader may see are named and counted. */
export const UserRow = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: Role,
  language: Language.nullable(),
  status: UserStatus,
  merchants: z.array(z.string()),
  merchantCount: z.int(),
  groups: z.array(z.string()),
  groupCount: z.int(),
  /** Users with all groups of one or more of these merchants. */
  hasAllGroups: z.boolean(),
  receiveNotifications: z.boolean(),
  allowLicensing: z.boolean(),
  invisibleToMerchants: z.boolean(),
  /** When the person last opened the portal, within minutes. */
  lastSeenAt: Instant.nullable(),
  createdAt: Instant,
})
export type UserRow = z.infer<typeof UserRow>

const MembershipDetails = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  allGroups: z.boolean(),
  groups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
})

/** A user with the memberships that the reader may see, sorted by the merchants' names. */
export const UserDetails = UserRow.omit({
  merchants: true,
  merchantCount: true,
  groups: true,
  groupCount: true,
  hasAllGroups: true,
}).extend({
  version: Version,
  merchants: z.array(MembershipDetails),
  /** Second factors at the embedded provider: authenticator apps and passkeys. */
  secondFactors: z.int(),
  /** Has memberships that the reader does not see: then only the memberships that are seen can be changed. */
  belongsElsewhere: z.boolean(),
})
export type UserDetails = z.infer<typeof UserDetails>

/** `invitation`: whether the invitation mail of this save was sent; null without a mail. */
export const SavedUser = UserDetails.extend({ invitation: z.enum(['sent', 'failed']).nullable() })
export type SavedUser = z.infer<typeof SavedUser>

const fields = {
  email: Text.trim().toLowerCase().min(1).pipe(Email),
  name: LineText.trim().min(1).max(200),
  language: z.string().toLowerCase().pipe(Language).nullable(),
  role: Role,
  merchants: z
    .array(Membership)
    .max(mostMemberships)
    .refine((merchants) => new Set(merchants.map(({ merchantId }) => merchantId)).size === merchants.length),
  receiveNotifications: z.boolean(),
  /** Only the provider may change it: other callers must send the current value or omit it. */
  allowLicensing: z.boolean().optional(),
  invisibleToMerchants: z.boolean().optional(),
}

export const NewUser = z.strictObject(fields).check(inAMerchant)
export type NewUser = z.infer<typeof NewUser>

/** `isSuspended: false` reactivates a suspended user: invited as before, or active. */
export const UpdateUser = z.strictObject({ version: Version, ...fields, isSuspended: z.boolean() }).check(inAMerchant)
export type UpdateUser = z.infer<typeof UpdateUser>

/** The form: the same fields, with the rule on groups, for which the API has an error code of its own. */
export const UserForm = z.strictObject({ ...fields, isSuspended: z.boolean() }).check(inAMerchant, inGroupsOfMerchants)
export type UserForm = z.infer<typeof UserForm>

/** `merchantId` is optional: a group implies its merchant. */
export const AssociateGroup = z.strictObject({ groupId: ids.groupId, merchantId: ids.merchantId.optional() })

const accountColumns = {
  email: { kind: 'text', heading: 'user:column.email' },
  name: { kind: 'text', heading: 'user:column.name' },
  role: { kind: 'word', heading: 'user:column.role', of: 'role' },
  status: { kind: 'status', heading: 'user:column.status', of: 'userStatus' },
  language: { kind: 'word', heading: 'user:column.language', of: 'language' },
  merchants: {
    sort: false,
    facts: {
      merchant: { kind: 'text', heading: 'user:column.merchants' },
    },
  },
} as const satisfies ListColumns
const sharedOptions = {
  receiveNotifications: { kind: 'flag', heading: 'user:option.receiveNotifications' },
  allowLicensing: { kind: 'flag', heading: 'user:option.allowLicensing' },
} as const
const dateColumns = {
  lastSeenAt: { kind: 'instant', heading: 'user:column.lastSeenAt' },
  createdAt: { kind: 'instant', heading: 'user:column.createdAt' },
  id: { kind: 'plain', heading: 'user:column.id' },
} as const satisfies ListColumns

export const userOfAllColumns = {
  ...accountColumns,
  options: {
    sort: false,
    heading: 'user:column.options',
    facts: {
      ...sharedOptions,
      invisibleToMerchants: { kind: 'flag', heading: 'user:option.invisibleToMerchants' },
    },
  },
  ...dateColumns,
} as const satisfies ListColumns

export const userColumns = {
  ...accountColumns,
  groups: {
    sort: false,
    heading: 'user:column.groups',
    facts: {
      allGroups: { kind: 'flag', heading: 'user:allGroups' },
      groups: { kind: 'text', heading: 'user:column.groups' },
    },
  },
  options: { sort: false, heading: 'user:column.options', facts: sharedOptions },
  ...dateColumns,
} as const satisfies ListColumns

export const userOrds = ordsOf(userColumns, 'email')

export const UserFilters = z.strictObject({
  search: Search.optional(),
  roles: oneOrMany(Role),
  statuses: oneOrMany(UserStatus),
  merchantIds: oneOrMany(ids.merchantId),
  groupIds: oneOrMany(ids.groupId),
  receiveNotifications: Flag.optional(),
  /** Whether they hold the permission for licences, by their role and the option. */
  mayLicense: Flag.optional(),
})
export type UserFilters = z.infer<typeof UserFilters>

const unsound = [
  'MerchantNotFoundException',
  'GroupNotFound',
  'GroupAdminMerchantsValidationException',
  'MerchantAdminWithGroups',
  'UserAlreadyExists',
  'PeopleLimitReached',
] as const

export const userEdits = {
  listEveryUser: endpoint({
    method: 'GET',
    path: '/users/all',
    summary: 'List users of all merchants by email without pages',
    needs: 'user.readAll',
    ok: pageOf(UserRow.pick({ id: true, email: true, name: true, role: true, status: true })),
    timeOut: 'large',
  }),
  exportUsers: endpoint({
    method: 'GET',
    path: '/users/csv',
    summary: 'Export users as CSV in your language, by email',
    needs: 'user.read',
    query: UserFilters,
    fails: ['MerchantNotFoundException', 'GroupNotFound'],
    produces: 'text/csv; charset=utf-8',
    timeOut: 'large',
  }),
  listUsersOfAll: endpoint({
    method: 'GET',
    path: '/users',
    summary: 'List users of all merchants, and of none',
    needs: 'user.readAll',
    query: UserFilters.extend(paged(userOrds)),
    ok: pageOf(UserRow),
    fails: ['MerchantNotFoundException', 'GroupNotFound'],
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/users',
    summary: 'List users of a merchant',
    needs: 'user.read',
    query: UserFilters.extend(paged(userOrds)),
    ok: pageOf(UserRow),
    fails: ['MerchantNotFoundException', 'GroupNotFound'],
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/users/{userId}',
    summary: 'Get a user',
    needs: 'user.read',
    ok: UserDetails,
    fails: ['UserNotFound'],
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/users',
    summary: 'Create a user and email the invitation',
    needs: 'user.write',
    body: NewUser,
    ok: SavedUser,
    status: 201,
    fails: unsound,
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/users/{userId}',
    summary: 'Update a user; only memberships that you can see change',
    needs: 'user.write',
    body: UpdateUser,
    ok: SavedUser,
    fails: [
      ...unsound,
      'UserNotFound',
      'UserBelongsElsewhere',
      'UserEmailFixed',
      'OwnRights',
      'LastMerchantAdmin',
      'LastSuperAdmin',
      'EditConflict',
    ],
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/users/{userId}',
    summary: 'Delete a user; memberships that you cannot see stay',
    needs: 'user.write',
    fails: ['UserNotFound', 'OwnRights', 'LastMerchantAdmin', 'LastSuperAdmin'],
  }),
  associateUserGroup: endpoint({
    method: 'PUT',
    path: '/users/{userId}/associate-group',
    summary: 'Assign a group to a user who does not already see all groups of its merchant',
    needs: 'user.write',
    body: AssociateGroup,
    ok: UserDetails,
    fails: ['UserNotFound', 'GroupNotFound', 'MerchantAdminWithGroups'],
  }),
  removeSecondFactors: endpoint({
    method: 'DELETE',
    path: '/users/{userId}/second-factors',
    summary: 'Remove all second factors of a user who has lost them, and notify the user by email',
    needs: 'user.write',
    fails: ['UserNotFound', 'UserBelongsElsewhere', 'OwnRights', 'SecondFactorNotFound'],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/users/{userId}/resend-invitation',
    summary: 'Resend the invitation of a user; earlier invitations end',
    needs: 'user.write',
    limit: 'invitation',
    fails: ['UserNotFound', 'UserNotInvited', 'InvitationNotSent'],
  }),
  resendInvitationOfMerchant: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/users/{userId}/resend-invitation',
    summary: 'Resend the invitation of a user of a merchant',
    needs: 'user.write',
    limit: 'invitation',
    fails: ['UserNotFound', 'UserNotInvited', 'InvitationNotSent'],
  }),
}

/** The list as a file. */
export const exportedUsers = {
  row: userEdits.listUsers,
  filters: UserFilters,
  ords: userOrds,
  columns: userColumns,
} as const satisfies ExportedList

/** The same for every merchant in the path. */
export const exportedUsersOfAll = {
  row: userEdits.listUsersOfAll,
  filters: UserFilters,
  ords: userOrds,
  columns: userOfAllColumns,
} as const satisfies ExportedList
