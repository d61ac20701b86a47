import { z } from 'zod'

/** The four staff roles, from the widest to the narrowest. */
export const roles = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** The end customer of one merchant. No staff role: it is in no list of roles, and the staff portal shows customers the unauthorized page. */
export const endCustomer = 'customer'
/** Who may hold a permission. */
export type Holder = Role | typeof endCustomer
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

/** Whether a role has less access than another. If token and database differ, the lesser role wins. */
export const lesserRole = (a: Role, b: Role): Role => (roles.indexOf(a) >= roles.indexOf(b) ? a : b)

/** Has some groups of machines, at least one per merchant. */
export const isOfGroups = (role: Role): boolean => role === 'groupAdmin'

/** The part of a role that applies to users who see only some groups of a merchant: they cannot run it. */
export const roleInSomeGroups = (role: Role): Role => lesserRole(role, 'groupAdmin')
