import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import type { UserWithMemberships } from '#database/people/user-edit.ts'
import { type Changer, isProviders, isWhollyInSight, membershipsInSight } from '#domain/people/user-edit.ts'
import { type Principal, wholeMerchants } from '#server/http/scope.ts'

export const changerOf = (user: Principal): Changer => ({
  id: user.id,
  isProvider: roleMay(user.role, 'user.readAll'),
  visibleMerchants: wholeMerchants(user.scope),
})

/** The user, if the caller may see them. Any other user answers as if they did not exist. */
export function visiblePerson(person: UserWithMemberships | undefined, user: Principal): UserWithMemberships {
  const { isProvider, visibleMerchants } = changerOf(user)
  const isInSight =
    person !== undefined &&
    (isProvider ||
      (!person.invisibleToMerchants && membershipsInSight(person.memberships, visibleMerchants).length > 0))
  if (!isInSight) throw new ProductError('UserNotFound')
  return person
}

/** Refuses what concerns the user everywhere, unless the caller manages all of the user's merchants. */
export function refuseShared(person: UserWithMemberships, user: Principal): UserWithMemberships {
  const { isProvider, visibleMerchants } = changerOf(user)
  if (!isProvider && isProviders(person.role)) throw new ProductError('Forbidden')
  if (!isProvider && !isWhollyInSight(person.memberships, visibleMerchants))
    throw new ProductError('UserBelongsElsewhere')
  return person
}
