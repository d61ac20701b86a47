import { type Permission, roleMay } from '#contract/access.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Membership } from '#contract/people/user-edit.ts'
import { isOfGroups, type Role } from '#contract/vocabulary/roles.ts'
import type { UserStatus } from '#contract/vocabulary/user.ts'

/** A user's rights and personal data, for the rules below. */
export interface UserFacts {
  email: string
  name: string
  language: string | null
  role: Role
  status: UserStatus
  memberships: readonly Membership[]
  receiveNotifications: boolean
  allowLicensing: boolean
  invisibleToMerchants: boolean
}

/** The user who makes the change. The provider's users see all users everywhere. */
export interface Changer {
  id: string
  isProvider: boolean
  /** The merchants that they see as a whole: only such users manage users. */
  visibleMerchants: readonly string[]
}

/** Whether a role belongs to the provider's own users, who see every merchant. */
export const isProviders = (role: Role): boolean => roleMay(role, 'merchant.readAll')

/** Whether a role runs merchants: it manages their users and has all of their groups. */
export const runsMerchants = (role: Role): boolean => roleMay(role, 'user.write') && !isProviders(role)

/** Licences are for the provider and for users with its permission. A group admin has no service manager. */
export const mayLicense = (role: Role, allowLicensing: boolean): boolean =>
  roleMay(role, 'license.write') && (allowLicensing || isProviders(role))

/** Whether a user holds a permission: by role, and for licences also by their own setting. */
export const userMay = (
  { role, allowLicensing }: Pick<UserFacts, 'role' | 'allowLicensing'>,
  permission: Permission,
): boolean => (permission === 'license.write' ? mayLicense(role, allowLicensing) : roleMay(role, permission))

/** Those of some memberships that are in merchants one sees. */
export const membershipsInSight = <T extends { merchantId: string }>(
  memberships: readonly T[],
  visibleMerchants: readonly string[],
): T[] => memberships.filter(({ merchantId }) => visibleMerchants.includes(merchantId))

/** Whether the caller sees all memberships of a user. */
export const isWhollyInSight = (
  memberships: readonly { merchantId: string }[],
  visibleMerchants: readonly string[],
): boolean => membershipsInSight(memberships, visibleMerchants).length === memberships.length

/** A user's memberships after an editor who sees a part of them rewrote that part: the rest stays unchanged. */
export const withMemberships = (
  current: readonly Membership[],
  edited: readonly Membership[],
  visibleMerchants: readonly string[],
): Membership[] =>
  normalised([...current.filter(({ merchantId }) => !visibleMerchants.includes(merchantId)), ...edited])

/** The same memberships in an order of their own, so that equal ones are equal. */
export const normalised = (memberships: readonly Membership[]): Membership[] =>
  memberships
    .map(({ merchantId, allGroups, groupIds }) => ({ merchantId, allGroups, groupIds: [...groupIds].sort() }))
    .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))

/** Why an editor who sees these merchants may not assign these memberships. */
export function refusedMemberships(
  role: Role,
  edited: readonly Membership[],
  visibleMerchants: readonly string[],
): ErrorCode | undefined {
  if (!isWhollyInSight(edited, visibleMerchants)) return 'MerchantNotFoundException'
  // Settings of such an admin affect every group.
  if (runsMerchants(role) && edited.some(({ allGroups }) => !allGroups)) return 'MerchantAdminWithGroups'
  const ungrouped = edited.filter(({ groupIds }) => groupIds.length === 0)
  // “All groups” of a merchant may be none.
  if (isOfGroups(role)) return ungrouped.length > 0 ? 'GroupAdminMerchantsValidationException' : undefined
  return ungrouped.some(({ allGroups }) => !allGroups) ? 'ValidationFailed' : undefined
}

/** Whether options that are the provider's to set differ. */
const hasOtherOptions = (before: Partial<UserFacts>, after: Partial<UserFacts>) =>
  Boolean(before.allowLicensing) !== Boolean(after.allowLicensing) ||
  Boolean(before.invisibleToMerchants) !== Boolean(after.invisibleToMerchants)

/** Why the caller may not save such a user. */
export function refusedMaking(by: Changer, made: UserFacts): ErrorCode | undefined {
  if (!by.isProvider && (isProviders(made.role) || hasOtherOptions({}, made))) return 'Forbidden'
  return refusedMemberships(made.role, made.memberships, by.visibleMerchants)
}

/** Why an editor may not make this change to a user; `wanted` are the requested memberships. */
export function refusedChange(
  by: Changer,
  id: string,
  before: UserFacts,
  after: UserFacts,
  edited: readonly Membership[],
): ErrorCode | undefined {
  if (!by.isProvider && (isProviders(before.role) || isProviders(after.role))) return 'Forbidden'
  if (!by.isProvider && hasOtherOptions(before, after)) return 'Forbidden'
  const hasRightsChanged =
    before.role !== after.role || (before.status === 'suspended') !== (after.status === 'suspended')
  if (by.id === id && hasRightsChanged) return 'OwnRights'
  // After sign-up the email identifies the user; changing it could hand over another account.
  if (before.email !== after.email && before.status !== 'invited') return 'UserEmailFixed'
  const isPersonal =
    hasRightsChanged ||
    before.email !== after.email ||
    before.name !== after.name ||
    before.language !== after.language ||
    before.receiveNotifications !== after.receiveNotifications
  if (!by.isProvider && isPersonal && !isWhollyInSight(before.memberships, by.visibleMerchants))
    return 'UserBelongsElsewhere'
  const refusal = refusedMemberships(after.role, edited, by.visibleMerchants)
  // A user from before groups were required may lack groups, and can still be suspended.
  const isKeptOut = after.status === 'suspended' && !hasOtherReach(before, after)
  return isKeptOut && refusal === 'GroupAdminMerchantsValidationException' ? undefined : refusal
}

/** The merchants that a user runs: as an admin who can sign in. */
const runBy = ({ role, status, memberships }: UserFacts): string[] =>
  runsMerchants(role) && status === 'active' ? memberships.map(({ merchantId }) => merchantId) : []

/** What a change removes: merchants that lose this admin, and whether the provider loses a super admin. */
export function leftBehind(
  before: UserFacts,
  after: UserFacts | undefined,
): { merchantIds: string[]; isSuperAdmin: boolean } {
  const still = new Set(after ? runBy(after) : [])
  const wasSuper = isProviders(before.role) && before.status === 'active'
  const isSuper = after !== undefined && isProviders(after.role) && after.status === 'active'
  return { merchantIds: runBy(before).filter((id) => !still.has(id)), isSuperAdmin: wasSuper && !isSuper }
}

const hasOtherReach = (before: UserFacts, after: UserFacts): boolean =>
  before.role !== after.role ||
  JSON.stringify(normalised(before.memberships)) !== JSON.stringify(normalised(after.memberships))

/** Whether a user's rights have changed, so that open pages must reload. */
export const hasOtherRights = (before: UserFacts, after: UserFacts): boolean =>
  hasOtherReach(before, after) ||
  before.status !== after.status ||
  mayLicense(before.role, before.allowLicensing) !== mayLicense(after.role, after.allowLicensing)
