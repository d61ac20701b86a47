import { ProductError } from '#contract/errors.ts'
import type { ExportRecord } from '#database/export/job.ts'
import type { Doors, Scope, ScopePair } from '#database/frame/tenant.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { type Principal, principalOf } from '../http/scope.ts'

/**
 * The user who owns the export, with current rights: the lesser of the role when ordered and the current role. Throws
 * UnauthorizedUserException when the user has lost access.
 */
export async function ownerOf(doors: Doors, job: Pick<ExportRecord, 'user_id' | 'role'>): Promise<Principal> {
  return principalOf(await findPrincipalById(doors, job.user_id), job.role)
}

/** A user by id, with current rights. Throws UnauthorizedUserException when the user has lost access. */
export async function readerOf(doors: Doors, userId: string): Promise<Principal> {
  const record = await findPrincipalById(doors, userId)
  return principalOf(record, record?.role ?? null)
}

/** The common part of two scopes, merchant by merchant. */
export const commonScope = (one: Scope, other: Scope): Scope =>
  one.flatMap((pair) =>
    other
      .filter(({ merchantId }) => merchantId === pair.merchantId)
      .map((present) => ({ ...present, groups: commonGroups(pair.groups, present.groups) }))
      .filter(({ groups }) => groups === 'all' || groups.length > 0),
  )

const commonGroups = (one: ScopePair['groups'], other: ScopePair['groups']): ScopePair['groups'] => {
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((group) => other.includes(group))
}

/** Whether one scope fully includes another. */
export const covers = (wide: Scope, narrow: Scope): boolean =>
  narrow.every(({ merchantId, groups }) =>
    wide.some(
      (pair) =>
        pair.merchantId === merchantId &&
        (pair.groups === 'all' || (groups !== 'all' && groups.every((group) => pair.groups.includes(group)))),
    ),
  )

/** Refuses users who may see less than the file contains. */
export function refuseNarrowed(owner: Principal, job: Pick<ExportRecord, 'scope'>): void {
  if (!covers(owner.scope, job.scope)) throw new ProductError('ExportNotFound')
}
