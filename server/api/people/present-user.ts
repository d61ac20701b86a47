import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { type UserDetails, UserRow } from '#contract/people/user-edit.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { UserWithMemberships } from '#database/people/user-edit.ts'
import type { UserRecord } from '#database/people/user-list.ts'
import { isWhollyInSight, membershipsInSight } from '#domain/people/user-edit.ts'
import { type Principal, wholeMerchants } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'

export const presentUserRow = (user: UserRecord): UserRow => wireOf(UserRow, user)

/** A user for this reader, with memberships within the reader's own. */
export function presentUser(person: UserWithMemberships, reader: Principal): UserDetails {
  const visibleMerchants = wholeMerchants(reader.scope)
  return {
    id: person.id,
    version: person.version,
    email: person.email,
    name: person.name,
    role: person.role,
    language: person.language as Language | null,
    status: person.status,
    merchants: membershipsInSight(person.memberships, visibleMerchants).map((one) => ({
      merchantId: one.merchantId,
      merchantName: one.merchantName,
      allGroups: one.allGroups,
      groups: one.groupIds.flatMap((id) => {
        const name = one.groupNames[id]
        return name === undefined ? [] : [{ id, name }]
      }),
    })),
    receiveNotifications: person.receiveNotifications,
    allowLicensing: person.allowLicensing,
    invisibleToMerchants: person.invisibleToMerchants,
    lastSeenAt: toWireOrNull(person.lastSeenAt),
    createdAt: toWire(person.createdAt),
    secondFactors: person.secondFactors,
    belongsElsewhere: !isWhollyInSight(person.memberships, visibleMerchants),
  }
}
