import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { UserDetails, UserRow } from '#contract/people/user-edit.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { UserWithMemberships } from '#database/people/user-edit.ts'
import type { UserRecord } from '#database/people/user-list.ts'
import { isWhollyInSight, membershipsInSight } from '#domain/people/user-edit.ts'
import { type Principal, wholeMerchants } from '#server/http/scope.ts'

export const presentUserRow = (user: UserRecord): UserRow => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  language: user.language as Language | null,
  status: user.status,
  merchants: user.merchants,
  merchantCount: user.merchant_count,
  groups: user.groups,
  groupCount: user.group_count,
  hasAllGroups: user.has_all_groups,
  receiveNotifications: user.receive_notifications,
  allowLicensing: user.allow_licensing,
  invisibleToMerchants: user.invisible_to_merchants,
  lastSeenAt: toWireOrNull(user.last_seen_at),
  createdAt: toWire(user.created_at),
})

/** A user for this reader, with memberships within the reader's own. */
export function presentUser(person: UserWithMemberships, reader: Principal): UserDetails {
  const sight = wholeMerchants(reader.scope)
  return {
    id: person.id,
    version: person.version,
    email: person.email,
    name: person.name,
    role: person.role,
    language: person.language as Language | null,
    status: person.status,
    merchants: membershipsInSight(person.memberships, sight).map((one) => ({
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
    belongsElsewhere: !isWhollyInSight(person.memberships, sight),
  }
}
