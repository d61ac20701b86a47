import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import type { Gate } from '#contract/vocabulary/feature.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Doors, Scope, ScopePair } from '#database/frame/tenant.ts'
import { groupsAmong } from '#database/merchants/group.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'
import { findPrincipal, type PrincipalRecord } from '#database/people/principal.ts'
import { lesserRole, roleWithin } from '#domain/people/lesser-role.ts'
import { isTooWeak, isUnderDeploymentRule, type SignInProof } from '#domain/people/second-factor.ts'
import type { Config } from '../config.ts'
import type { Caller } from './authentication.ts'

/** The caller and their scope. */
export interface Principal {
  id: string
  /** The version of the user's own profile. */
  version: number
  email: string
  name: string
  role: Role
  language: string | null
  allowLicensing: boolean
  scope: Scope
  /** Merchants that are closed to their own users: an expired demo, or no web portal. */
  closed: PrincipalRecord['closed']
}

/**
 * The user behind a token. The token names a role, and the database may lower it or suspend the user: the lesser role
 * applies from the next request on. A token of an ended session is refused, whatever its expiry. A super admin sees every
 * merchant; with a lesser role in the token, only assigned merchants. A user limited to some groups of a merchant is no
 * merchant admin there. Without a second factor, what needs one is closed.
 */
export async function resolvePrincipal(
  doors: Doors,
  caller: Caller,
  { SUPER_ADMIN_SECOND_FACTOR }: Pick<Config, 'SUPER_ADMIN_SECOND_FACTOR'>,
): Promise<Principal> {
  const record = await findPrincipal(doors, caller.issuer, caller.subject, caller.sessionId)
  const principal = principalOf(record, caller.role, caller.proof)
  const isTooOld = record?.sessionsValidFrom && caller.validFrom < record.sessionsValidFrom
  if (isTooOld || !record?.isSessionOpen) throw new ProductError('Unauthorized')
  if (SUPER_ADMIN_SECOND_FACTOR && isUnderDeploymentRule(principal.role) && !caller.proof.hasSecondFactor)
    throw new ProductError('SecondFactorRequired')
  return principal
}

/** The same for a loaded user with the role of a token. */
export function principalOf(record: PrincipalRecord | undefined, claim: Role | null, proof?: SignInProof): Principal {
  if (!record || record.status !== 'active' || claim === null) throw new ProductError('UnauthorizedUserException')
  const granted = lesserRole(claim, record.role)
  const { id, version, email, name, language, allowLicensing } = record
  const seesAll = roleMay(granted, 'merchant.readAll')
  const role = seesAll ? granted : roleWithin(granted, record.assigned)
  const closed = seesAll ? [] : [...record.closed, ...closedToWeak(record, role, proof)]
  const isClosed = new Set(closed.map(({ merchantId }) => merchantId))
  const open = seesAll
    ? everything(record.everyMerchant)
    : record.assigned.filter(({ merchantId }) => !isClosed.has(merchantId))
  return {
    id,
    version,
    email,
    name,
    language,
    allowLicensing,
    role,
    scope: open.map((pair) => blinded(pair, role, record.countedBlind)),
    closed,
  }
}

/** Merchants that need a second factor which the sign-in lacks. Work in the background has no sign-in. */
const closedToWeak = (record: PrincipalRecord, role: Role, proof: SignInProof | undefined): Principal['closed'] =>
  record.secondFactorRules
    .filter((rule) => proof && isTooWeak(rule, role, proof))
    .filter(({ merchantId }) => !record.closed.some((one) => one.merchantId === merchantId))
    .map(({ merchantId }) => ({ merchantId, code: 'SecondFactorRequired' }))

/** A pair of a scope with what a role does not see of cash that is counted blind. */
export const blinded = (pair: ScopePair, role: Role, countedBlind: readonly string[]): ScopePair =>
  countedBlind.includes(pair.merchantId)
    ? { ...pair, blind: roleMay(role, 'cashBox.read') ? 'uncounted' : 'boxes' }
    : pair

const everything = (merchantIds: string[]): Scope => merchantIds.map((merchantId) => ({ merchantId, groups: 'all' }))

/**
 * The part of a scope that a path names. A merchant out of scope is not existing. An expired merchant answers with the reason,
 * as does "all merchants" when all are expired.
 */
export function scopeOf(principal: Principal, merchantId: string): Scope {
  const { scope, closed } = principal
  const isAll = merchantId === allMerchants
  const pairs = isAll ? scope : scope.filter((pair) => pair.merchantId === merchantId)
  const reason = closed.find((one) => isAll || one.merchantId === merchantId)
  if (pairs.length === 0 && reason) throw new ProductError(reason.code)
  if (isAll) return scope
  if (pairs.length === 0) throw new ProductError('MerchantNotFoundException')
  return pairs
}

/** Whether a scope includes all groups of a merchant, and its machines without a group. */
export const seesAllGroups = (scope: Scope, merchantId: string): boolean =>
  scope.some((pair) => pair.merchantId === merchantId && pair.groups === 'all')

/** The merchants that a scope includes as a whole. */
export const wholeMerchants = (scope: Scope): string[] =>
  scope.flatMap(({ merchantId, groups }) => (groups === 'all' ? [merchantId] : []))

/**
 * The part of a scope with a feature, limited to the selected groups. It only narrows: ids are looked up inside the scope.
 * Throws FeatureNotEnabled when no merchant has the feature, GroupNotFound when a group is out of scope.
 */
export async function narrowScope(
  doors: Doors,
  scope: Scope,
  { feature, groupIds }: { feature: Gate | undefined; groupIds: readonly string[] | undefined },
): Promise<Scope> {
  if (!feature && !groupIds) return scope
  return doors.withTenant(
    scope,
    async (db) => {
      const able = feature && (await merchantsWith(db, [feature])).get(feature)
      const pairs = able ? scope.filter(({ merchantId }) => able.has(merchantId)) : scope
      if (able && pairs.length === 0) throw new ProductError('FeatureNotEnabled')
      if (!groupIds) return pairs
      const requestedIds = new Set(groupIds)
      const existing = await groupsAmong(db, [...requestedIds])
      if (existing.length < requestedIds.size) throw new ProductError('GroupNotFound')
      return pairs.flatMap((pair) => {
        const groups = existing.filter((group) => group.merchant_id === pair.merchantId).map(({ id }) => id)
        return groups.length > 0 ? [{ ...pair, groups }] : []
      })
    },
    'read',
  )
}
