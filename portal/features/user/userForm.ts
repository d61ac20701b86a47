import type { Membership, UserDetails, UserForm } from '#contract/user-edit.ts'
import { isOfGroups } from '#contract/vocabulary/roles.ts'
import { normalised } from '#domain/user-edit.ts'

/** What the form holds of a person. */
export const valuesOf = (user: UserDetails): UserForm => ({
  email: user.email,
  name: user.name,
  language: user.language,
  role: user.role,
  merchants: normalised(
    user.merchants.map(({ merchantId, allGroups, groups }) => ({
      merchantId,
      allGroups,
      groupIds: groups.map(({ id }) => id),
    })),
  ),
  receiveNotifications: user.receiveNotifications,
  allowLicensing: user.allowLicensing,
  invisibleToMerchants: user.invisibleToMerchants,
  isSuspended: user.status === 'suspended',
})

/** Whether all groups of a merchant can be given: to who is not of some by their role, by who sees them all. */
export const mayHaveAll = (role: UserForm['role'], merchant: { seesAllGroups: boolean } | undefined): boolean =>
  !isOfGroups(role) && merchant?.seesAllGroups !== false

/** A membership as it begins: all groups where they can be given, else none until they are chosen. */
export const begun = (
  { merchantId, groupIds }: Pick<Membership, 'merchantId' | 'groupIds'>,
  hasAll: boolean,
): Membership => ({ merchantId, allGroups: hasAll && groupIds.length === 0, groupIds })

/** Somebody new, of the merchant that is chosen. */
export const nobodyYet = (
  merchant: { id: string; seesAllGroups: boolean } | undefined,
  role: UserForm['role'],
): UserForm => ({
  email: '',
  name: '',
  language: null,
  role,
  merchants: merchant ? [begun({ merchantId: merchant.id, groupIds: [] }, mayHaveAll(role, merchant))] : [],
  receiveNotifications: false,
  allowLicensing: false,
  invisibleToMerchants: false,
  isSuspended: false,
})
