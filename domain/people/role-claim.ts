import { endCustomerClaim, type Role, roleClaimWords, roles } from '#contract/vocabulary/roles.ts'
import { lesserRole } from './lesser-role.ts'

/** The product's name as identity providers write it in front of a role. */
export const product = 'GETTONE'

/** A role as the identity token names it: `GETTONESUPERADMIN`. */
export const claimOfRole = (role: Role): string => product + roleClaimWords[role]

const roleOfWord = (word: string): Role | null => roles.find((role) => claimOfRole(role) === word) ?? null

/** The roles that the claim grants in a tenant: the plain claim, or each pair of that tenant, matched exactly. */
const grantedIn = (claim: string, tenant: string): string[] =>
  claim.includes('=')
    ? claim
        .split(';')
        .filter((pair) => pair.startsWith(`${tenant}=`))
        .map((pair) => pair.slice(tenant.length + 1))
    : [claim]

/** Whether the `userRole` claim names only an end customer in this deployment. */
export const isCustomerClaim = (claim: unknown, tenant: string): boolean => {
  const granted = typeof claim === 'string' ? grantedIn(claim, tenant) : []
  return granted.length > 0 && granted.every((word) => word === endCustomerClaim)
}

/**
 * The role that the `userRole` claim gives in this deployment, or null when it gives none.
 * The claim is one role, or `tenant=role;tenant=role`, where the tenant must match letter by letter. A tenant that is named
 * twice with different roles gets the lesser one.
 */
export function roleFromClaim(claim: unknown, tenant: string): Role | null {
  if (typeof claim !== 'string') return null
  const granted = grantedIn(claim, tenant).map(roleOfWord)
  if (granted.length === 0 || granted.includes(null)) return null
  return (granted as Role[]).reduce(lesserRole)
}
