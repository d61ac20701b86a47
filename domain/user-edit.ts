import { type Permission, roleMay } from '#contract/access.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Membership } from '#contract/user-edit.ts'
import { isOfGroups, type Role } from '#contract/vocabulary/roles.ts'
import type { UserStatus } from '#contract/vocabulary/user.ts'

/** What one may see of a merchant: all of its groups, or these. */
interface Sight {
  merchantId: string
  groups: 'all' | readonly string[]
}

/** A person's rights and personal data, as rules look at them. */
export interface Person {
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

/** Who changes somebody. The provider's people see everybody everywhere. */
export interface Changer {
  id: string
  isProvider: boolean
  sight: readonly Sight[]
}

/** Whether a role is of the provider's own people, who see every merchant. */
export const isProviders = (role: Role): boolean => roleMay(role, 'merchant.readAll')

/** Whether a role is of those who run a merchant: they see to its people. */
export const runsMerchants = (role: Role): boolean => roleMay(role, 'user.write') && !isProviders(role)

/** Licences are the provider's affair, and of those whom the provider lets in; a group admin has no service manager at all. */
export const mayLicense = (role: Role, allowLicensing: boolean): boolean =>
  roleMay(role, 'license.write') && (allowLicensing || isProviders(role))

/** Whether a person holds a permission: by their role, and that of licences by the option besides. */
export const personMay = (
  { role, allowLicensing }: Pick<Person, 'role' | 'allowLicensing'>,
  permission: Permission,
): boolean => (permission === 'license.write' ? mayLicense(role, allowLicensing) : roleMay(role, permission))

/** The part of some memberships that one sees. Who has all groups of a merchant is out of sight of who has some. */
export function membershipsInSight(memberships: readonly Membership[], sight: readonly Sight[]): Membership[] {
  return memberships.flatMap((membership) => {
    const seen = sight.find(({ merchantId }) => merchantId === membership.merchantId)
    if (!seen) return []
    if (seen.groups === 'all') return [membership]
    const groupIds = membership.groupIds.filter((id) => seen.groups.includes(id))
    return groupIds.length > 0 ? [{ ...membership, groupIds }] : []
  })
}

const groupsOf = (memberships: readonly Membership[]) =>
  memberships.reduce((sum, { groupIds }) => sum + groupIds.length, 0)

/** Whether one sees all that a person belongs to. */
export function isWhollyInSight(memberships: readonly Membership[], sight: readonly Sight[]): boolean {
  const seen = membershipsInSight(memberships, sight)
  return seen.length === memberships.length && groupsOf(seen) === groupsOf(memberships)
}

/** What a person has once those who see a part have written that part anew: the rest stays as it was. */
export function withMemberships(
  current: readonly Membership[],
  wanted: readonly Membership[],
  sight: readonly Sight[],
): Membership[] {
  const seen = membershipsInSight(current, sight)
  const isSeen = (one: Membership, groupId: string) =>
    seen.some(({ merchantId, groupIds }) => merchantId === one.merchantId && groupIds.includes(groupId))
  const kept = current.flatMap((one) => {
    const whole = seen.find(({ merchantId }) => merchantId === one.merchantId)
    const groupIds = one.groupIds.filter((id) => !isSeen(one, id))
    return !whole || groupIds.length > 0 ? [{ ...one, groupIds }] : []
  })
  const merged = new Map(kept.map((one) => [one.merchantId, one]))
  for (const one of wanted) {
    const rest = merged.get(one.merchantId)
    // All groups hold every single one, and are not taken away by who does not see them.
    if (rest?.allGroups) continue
    const groupIds = one.allGroups ? [] : [...(rest?.groupIds ?? []), ...one.groupIds]
    merged.set(one.merchantId, { ...one, groupIds: [...new Set(groupIds)] })
  }
  return normalised([...merged.values()])
}

/** The same memberships in an order of their own, so that equal ones are equal. */
export const normalised = (memberships: readonly Membership[]): Membership[] =>
  memberships
    .map(({ merchantId, allGroups, groupIds }) => ({ merchantId, allGroups, groupIds: [...groupIds].sort() }))
    .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))

/** Why nobody may be given these memberships by somebody who sees so much. */
export function refusedMemberships(
  role: Role,
  wanted: readonly Membership[],
  sight: readonly Sight[],
): ErrorCode | undefined {
  for (const { merchantId, allGroups, groupIds } of wanted) {
    const seen = sight.find((one) => one.merchantId === merchantId)
    if (!seen) return 'MerchantNotFoundException'
    // One gives what one has.
    if (seen.groups !== 'all' && allGroups) return 'Forbidden'
    if (seen.groups !== 'all' && groupIds.some((id) => !seen.groups.includes(id))) return 'GroupNotFound'
  }
  const ungrouped = wanted.filter(({ groupIds }) => groupIds.length === 0)
  // All groups of a merchant may be none.
  if (isOfGroups(role)) return ungrouped.length > 0 ? 'GroupAdminMerchantsValidationException' : undefined
  return ungrouped.some(({ allGroups }) => !allGroups) ? 'ValidationFailed' : undefined
}

/** Whether options that are the provider's to set differ. */
const hasOtherOptions = (before: Partial<Person>, after: Partial<Person>) =>
  Boolean(before.allowLicensing) !== Boolean(after.allowLicensing) ||
  Boolean(before.invisibleToMerchants) !== Boolean(after.invisibleToMerchants)

/** Why somebody may not make such a person. */
export function refusedMaking(by: Changer, made: Person): ErrorCode | undefined {
  if (!by.isProvider && (isProviders(made.role) || hasOtherOptions({}, made))) return 'Forbidden'
  return refusedMemberships(made.role, made.memberships, by.sight)
}

/** Why somebody may not make this of a person; `wanted` are the memberships that were asked for. */
export function refusedChange(
  by: Changer,
  id: string,
  before: Person,
  after: Person,
  wanted: readonly Membership[],
): ErrorCode | undefined {
  if (!by.isProvider && (isProviders(before.role) || isProviders(after.role))) return 'Forbidden'
  if (!by.isProvider && hasOtherOptions(before, after)) return 'Forbidden'
  const hasRightsChanged =
    before.role !== after.role || (before.status === 'suspended') !== (after.status === 'suspended')
  if (by.id === id && hasRightsChanged) return 'OwnRights'
  // Whoever came in by an address is known by it; a new one would be a way into somebody else's account.
  if (before.email !== after.email && before.status !== 'invited') return 'UserEmailFixed'
  const isPersonal =
    hasRightsChanged ||
    before.email !== after.email ||
    before.name !== after.name ||
    before.language !== after.language ||
    before.receiveNotifications !== after.receiveNotifications
  if (!by.isProvider && isPersonal && !isWhollyInSight(before.memberships, by.sight)) return 'UserBelongsElsewhere'
  const refusal = refusedMemberships(after.role, wanted, by.sight)
  // Somebody of older days may lack groups, and is suspended all the same.
  const isKeptOut = after.status === 'suspended' && !hasOtherReach(before, after)
  return isKeptOut && refusal === 'GroupAdminMerchantsValidationException' ? undefined : refusal
}

/** The merchants that somebody runs: as an admin who can come in and sees them whole. */
export const runBy = ({ role, status, memberships }: Pick<Person, 'role' | 'status' | 'memberships'>): string[] =>
  runsMerchants(role) && status === 'active'
    ? memberships.filter(({ allGroups }) => allGroups).map(({ merchantId }) => merchantId)
    : []

/** What a change leaves without this person: merchants that they ran, and whether the provider loses a super admin. */
export function leftBehind(
  before: Person,
  after: Person | undefined,
): { merchantIds: string[]; isSuperAdmin: boolean } {
  const still = new Set(after ? runBy(after) : [])
  const wasSuper = isProviders(before.role) && before.status === 'active'
  const isSuper = after !== undefined && isProviders(after.role) && after.status === 'active'
  return { merchantIds: runBy(before).filter((id) => !still.has(id)), isSuperAdmin: wasSuper && !isSuper }
}

const hasOtherReach = (before: Person, after: Person): boolean =>
  before.role !== after.role ||
  JSON.stringify(normalised(before.memberships)) !== JSON.stringify(normalised(after.memberships))

/** Whether somebody may see or do more or less than before, so that what is open must look again. */
export const hasOtherRights = (before: Person, after: Person): boolean =>
  hasOtherReach(before, after) ||
  before.status !== after.status ||
  mayLicense(before.role, before.allowLicensing) !== mayLicense(after.role, after.allowLicensing)
