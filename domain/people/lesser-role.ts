import { type Role, roles } from '#contract/vocabulary/roles.ts'

/** Whether a role has less access than another. If token and database differ, the lesser role wins. */
export const lesserRole = (a: Role, b: Role): Role => (roles.indexOf(a) >= roles.indexOf(b) ? a : b)

/** The part of a role that applies to users who see only some groups of a merchant: they cannot run it. */
export const roleInSomeGroups = (role: Role): Role => lesserRole(role, 'groupAdmin')
