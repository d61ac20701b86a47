import { largestRoleInGroups, type Role, roles } from '#contract/vocabulary/roles.ts'

/** Of two roles the one with less access. If token and database differ, it wins. */
export const lesserRole = (a: Role, b: Role): Role => (roles.indexOf(a) >= roles.indexOf(b) ? a : b)

/** The part of a role that applies to users who see only some groups of a merchant: they cannot run it. */
export const roleInSomeGroups = (role: Role): Role => lesserRole(role, largestRoleInGroups)

/** The role that applies within assigned merchants: users of some groups of a merchant cannot run it. */
export const roleWithin = (role: Role, assigned: readonly { groups: 'all' | readonly string[] }[]): Role =>
  assigned.some(({ groups }) => groups !== 'all') ? roleInSomeGroups(role) : role
