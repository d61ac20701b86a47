import { z } from 'zod'

/** The four staff roles, from the widest to the narrowest. */
export const roles = ['superAdmin', 'merchantAdmin', 'groupAdmin', 'merchantUser'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** The end customer: a label without permissions. The staff portal shows customers the unauthorized page. */
export const endCustomer = 'customer'
/** How the identity token names the end customer, without the product's name. */
export const endCustomerClaim = 'CUSTOMER'

/** Reaches the fewest people and things. */
export const leastRole: Role = 'merchantUser'

/** How the identity token names a role: the product's name in front of this word (`GETTONESUPERADMIN`). */
export const roleClaimWords = {
  superAdmin: 'SUPERADMIN',
  merchantAdmin: 'MERCHANTADMIN',
  groupAdmin: 'GROUPADMIN',
  merchantUser: 'MERCHANTUSER',
} as const satisfies Record<Role, string>

/** Whether a role reaches fewer people and things than another; where claim and database differ the lesser one wins. */
export const lesserRole = (a: Role, b: Role): Role => (roles.indexOf(a) >= roles.indexOf(b) ? a : b)

/** Works with some groups of machines, so that each merchant needs one of them at least. */
export const isOfGroups = (role: Role): boolean => role === 'groupAdmin'

/** The part of a role that applies to users who see only some groups of a merchant: they cannot run it. */
export const roleInSomeGroups = (role: Role): Role => lesserRole(role, 'groupAdmin')
