import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { lesserRole, type Role } from '#contract/vocabulary/roles.ts'
import { findPrincipal } from '#database/principal.ts'
import type { Doors, Scope } from '#database/tenant.ts'
import type { Caller } from './authentication.ts'

/** Who is calling, with what may be seen. */
export interface Principal {
  id: string
  email: string
  name: string
  role: Role
  language: string | null
  scope: Scope
}

/**
 * The person behind a token. The claim names the role, the database may narrow or suspend it: the lesser wins, from the next
 * request on. A super admin sees every merchant, but one whose claim says less sees what is assigned.
 */
export async function resolvePrincipal(doors: Doors, caller: Caller): Promise<Principal> {
  const record = await findPrincipal(doors, caller.issuer, caller.subject)
  if (!record || record.status !== 'active' || caller.role === null) throw new ProductError('UnauthorizedUserException')
  const role = lesserRole(caller.role, record.role)
  const { id, email, name, language } = record
  return {
    id,
    email,
    name,
    language,
    role,
    scope: roleMay(role, 'merchant.readAll') ? everything(record.everyMerchant) : record.assigned,
  }
}

const everything = (merchantIds: string[]): Scope => merchantIds.map((merchantId) => ({ merchantId, groups: 'all' }))

/** The part of a scope that a path names; a merchant outside of it answers as if it did not exist. */
export function scopeOf(principal: Principal, merchantId: string): Scope {
  if (merchantId === allMerchants) return principal.scope
  const pairs = principal.scope.filter((pair) => pair.merchantId === merchantId)
  if (pairs.length === 0) throw new ProductError('MerchantNotFoundException')
  return pairs
}
