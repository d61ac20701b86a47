import { endCustomerClaim, type Role, roleClaimWords, roles } from '#contract/vocabulary/roles.ts'
import { lesserRole } from './lesser-role.ts'

/** The product's name as identity providers write it in front of a role. */
export const product = 'GETTONE'

/** A role as the identity token names it: `GETTONESUPERADMIN`. */
export const claimOfRole = (role: Role): string => product + roleClaimWords[role]

const roleOfWord = (word: string): Role | null => roles.find((role) => claimOfRole(role) === word) ?? null

/**
 * The role words that a claim grants in a tenant: the plain claim, each pair of that tenant, matched exactly, or both from a list.
 * Of a list, texts without the product's name are others' (`offline_access`).
 */
function grantedIn(claim: unknown, tenant: string): string[] {
  if (Array.isArray(claim))
    return claim
      .filter((one): one is string => typeof one === 'string' && one.includes(product))
      .flatMap((one) => grantedIn(one, tenant))
  if (typeof claim !== 'string') return []
  return claim.includes('=')
    ? claim
        .split(';')
        .filter((pair) => pair.startsWith(`${tenant}=`))
        .map((pair) => pair.slice(tenant.length + 1))
    : [claim]
}

/**
 * The claim of this name: as it is written, also with dots (`https://portal.example/role`), or inside of objects
 * (`resource_access.portal.roles`).
 */
export function claimNamed(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>(
      (inside, part) =>
        typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
          ? (inside as Record<string, unknown>)[part]
          : undefined,
      claims,
    )
}

/** Whether the role claim names only an end customer in this deployment. */
export const isCustomerClaim = (claim: unknown, tenant: string): boolean => {
  const granted = grantedIn(claim, tenant)
  return granted.length > 0 && granted.every((word) => word === endCustomerClaim)
}

/**
 * The role that the role claim gives in this deployment, or null when it gives none.
 * The claim is one role, `tenant=role;tenant=role`, where the tenant must match letter by letter, or a list of such texts. A tenant
 * that has several different roles gets the least of them.
 */
export function roleFromClaim(claim: unknown, tenant: string): Role | null {
  const granted = grantedIn(claim, tenant).map(roleOfWord)
  if (granted.length === 0 || granted.includes(null)) return null
  return (granted as Role[]).reduce(lesserRole)
}
