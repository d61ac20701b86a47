import { z } from 'zod'

/** The four staff roles, from the widest to the narrowest. */
export const roles = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** The end customer of one merchant. No staff role: it is in no list of roles, and the staff portal shows customers the unauthorized page. */
export const endCustomer = 'customer'
/** A link that shows a merchant's figures on a wall. No staff role either. */
export const wallDisplay = 'kiosk'
/** Who may hold a permission. */
export type Holder = Role | typeof endCustomer | typeof wallDisplay
/** The identity token's name of the end customer, without the product's name. */
export const endCustomerClaim = 'CUSTOMER'

/** The role with the smallest scope. */
export const leastRole: Role = 'merchantUser'

/** The identity token's name of a role: the product's name before this word (`GETTONESUPERADMIN`). */
export const roleClaimWords = {
  superAdmin: 'SUPERADMIN',
  merchantAdmin: 'MERCHANTADMIN',
  groupAdmin: 'GROUPADMIN',
  merchantUser: 'MERCHANTUSER',
} as const satisfies Record<Role, string>

/** The most access that users of some groups of machines can have. */
export const largestRoleInGroups: Role = 'groupAdmin'

/** Has some groups of machines, at least one per merchant. */
export const isOfGroups = (role: Role): boolean => role === 'groupAdmin'
