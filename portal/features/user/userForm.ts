import type { UserDetails, UserForm } from '#contract/user-edit.ts'
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

/** Somebody new, of the merchant that is chosen. */
export const nobodyYet = (merchantId: string | undefined, role: UserForm['role']): UserForm => ({
  email: '',
  name: '',
  language: null,
  role,
  merchants: merchantId ? [{ merchantId, allGroups: true, groupIds: [] }] : [],
  receiveNotifications: false,
  allowLicensing: false,
  invisibleToMerchants: false,
  isSuspended: false,
})
