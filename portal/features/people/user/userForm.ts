import type { Membership, UserDetails, UserForm } from '#contract/people/user-edit.ts'
import { isOfGroups } from '#contract/vocabulary/roles.ts'
import { normalised, runsMerchants } from '#domain/people/user-edit.ts'

/** The form values of a user. */
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

/** A new membership: all groups, unless some are chosen or the role is limited to groups. */
export const begun = (
  { merchantId, groupIds }: Pick<Membership, 'merchantId' | 'groupIds'>,
  role: UserForm['role'],
): Membership => ({ merchantId, allGroups: !isOfGroups(role) && groupIds.length === 0, groupIds })

/** A new user of the chosen merchant. */
export const nobodyYet = (merchant: { id: string } | undefined, role: UserForm['role']): UserForm => ({
  email: '',
  name: '',
  language: null,
  role,
  merchants: merchant ? [begun({ merchantId: merchant.id, groupIds: [] }, role)] : [],
  receiveNotifications: false,
  allowLicensing: false,
  invisibleToMerchants: false,
  isSuspended: false,
})

/** The request body: merchant admins have whole merchants; chosen groups stay in the form, for another role. */
export const sentOf = (values: UserForm): UserForm =>
  runsMerchants(values.role)
    ? { ...values, merchants: values.merchants.map((one) => begun({ ...one, groupIds: [] }, values.role)) }
    : values
