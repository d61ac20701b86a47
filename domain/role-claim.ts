import { lesserRole, type Role, roleClaimWords, roles } from '#contract/vocabulary/roles.ts'

/** The product's name as identity providers write it in front of a role. */
export const product = 'GETTONE'

/** A role as the identity token names it: `GETTONESUPERADMIN`. */
export const claimOfRole = (role: Role): string => product + roleClaimWords[role]

const roleOfWord = (word: string): Role | null => roles.find((role) => claimOfRole(role) === word) ?? null

/**
 * The role that the `userRole` claim gives in this deployment, or null when it gives none.
 * The claim is one role, or `tenant=role;tenant=role`, where the tenant must match letter by letter. A tenant that is named
 * twice with different roles gets the lesser one.
 */
export function roleFromClaim(claim: unknown, tenant: string): Role | null {
  if (typeof claim !== 'string') return null
  if (!claim.includes('=')) return roleOfWord(claim)
  const granted = claim
    .split(';')
    .filter((pair) => pair.startsWith(`${tenant}=`))
    .map((pair) => roleOfWord(pair.slice(tenant.length + 1)))
  if (granted.length === 0 || granted.includes(null)) return null
  return (granted as Role[]).reduce(lesserRole)
}
