import { describe, expect, test } from 'vitest'
import { access, type Permission, rolesThatMay } from '#contract/access.ts'
import type { Membership } from '#contract/people/user-edit.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import {
  type Changer,
  hasOtherRights,
  isWhollyInSight,
  leftBehind,
  mayLicense,
  membershipsInSight,
  refusedChange,
  refusedMaking,
  refusedMemberships,
  type UserFacts,
  userMay,
  withMemberships,
} from './user-edit.ts'

const whole = (merchantId: string): Membership => ({ merchantId, allGroups: true, groupIds: [] })
const some = (merchantId: string, ...groupIds: string[]): Membership => ({ merchantId, allGroups: false, groupIds })
const admin: Changer = { id: 'admin', isProvider: false, visibleMerchants: ['A'] }
const provider: Changer = { id: 'provider', isProvider: true, visibleMerchants: ['A', 'B'] }
const anna: UserFacts = {
  email: 'anna@example.com',
  name: 'Anna',
  language: null,
  role: 'merchantUser',
  status: 'active',
  memberships: [whole('A')],
  receiveNotifications: false,
  allowLicensing: false,
  invisibleToMerchants: false,
}
const change = (by: Changer, before: Partial<UserFacts>, after: Partial<UserFacts>, memberships = [whole('A')]) =>
  refusedChange(by, 'anna', { ...anna, ...before }, { ...anna, ...before, ...after }, memberships)

test('licences are for super admins and for users with the provider’s permission, never for group admins', () => {
  expect(roles.filter((role) => mayLicense(role, true))).toEqual(['superAdmin', 'merchantAdmin', 'merchantUser'])
  expect(roles.filter((role) => mayLicense(role, false))).toEqual(['superAdmin'])
  const holders = (allowLicensing: boolean) =>
    roles.filter((role) => userMay({ role, allowLicensing }, 'license.write'))
  expect([holders(true), holders(false)]).toEqual([['superAdmin', 'merchantAdmin', 'merchantUser'], ['superAdmin']])
})

test('every other permission comes with the role alone', () => {
  const permissions = (Object.keys(access) as Permission[]).filter((permission) => permission !== 'license.write')
  for (const permission of permissions)
    for (const allowLicensing of [true, false])
      expect(roles.filter((role) => userMay({ role, allowLicensing }, permission))).toEqual(rolesThatMay(permission))
})

test('access changes when licences are granted, but not when the setting has no effect for a group admin', () => {
  const withRole = (role: UserFacts['role']) =>
    hasOtherRights({ ...anna, role, allowLicensing: false }, { ...anna, role, allowLicensing: true })
  expect(roles.filter(withRole)).toEqual(['merchantAdmin', 'merchantUser'])
})

describe('memberships', () => {
  const visibleMerchants = ['A', 'B']
  const all = [whole('A'), some('B', 'b1', 'b9'), whole('C')]

  test('callers see only memberships of their own merchants', () => {
    expect(membershipsInSight(all, visibleMerchants)).toEqual([whole('A'), some('B', 'b1', 'b9')])
    expect(isWhollyInSight([whole('A'), some('B', 'b1')], visibleMerchants)).toBe(true)
    expect(isWhollyInSight(all, visibleMerchants)).toBe(false)
  })

  test('memberships out of the caller’s sight stay, whatever is saved', () => {
    expect(withMemberships(all, [some('A', 'a1')], visibleMerchants)).toEqual([some('A', 'a1'), whole('C')])
    expect(withMemberships(all, [], visibleMerchants)).toEqual([whole('C')])
  })

  test('callers assign only their own merchants, and a group role needs a group in each', () => {
    expect(refusedMemberships('merchantUser', [whole('A'), some('B', 'b1')], visibleMerchants)).toBeUndefined()
    expect(refusedMemberships('merchantUser', [whole('C')], visibleMerchants)).toBe('MerchantNotFoundException')
    expect(refusedMemberships('groupAdmin', [whole('A'), some('B')], visibleMerchants)).toBe(
      'GroupAdminMerchantsValidationException',
    )
    expect(refusedMemberships('merchantUser', [some('A')], visibleMerchants)).toBe('ValidationFailed')
    expect(refusedMemberships('merchantUser', [whole('A')], visibleMerchants)).toBeUndefined()
  })

  test('a group admin has named groups: “all groups” may be none', () => {
    expect(refusedMemberships('groupAdmin', [some('A', 'a1'), whole('A')], visibleMerchants)).toBe(
      'GroupAdminMerchantsValidationException',
    )
    expect(refusedMemberships('groupAdmin', [some('A', 'a1'), some('B', 'b1')], visibleMerchants)).toBeUndefined()
    // A user from before groups were required must get groups on any change, but can be suspended.
    const old = { role: 'groupAdmin', memberships: [whole('A')] } as const
    expect(change(admin, old, { ...old, name: 'Other' })).toBe('GroupAdminMerchantsValidationException')
    expect(change(admin, old, { ...old, status: 'suspended' })).toBeUndefined()
    expect(change(admin, { ...old, status: 'suspended' }, { status: 'active' })).toBe(
      'GroupAdminMerchantsValidationException',
    )
  })
})

test('a merchant admin has whole merchants: a user with some groups is a group admin or a user', () => {
  const { visibleMerchants } = provider
  expect(refusedMemberships('merchantAdmin', [whole('A'), whole('B')], visibleMerchants)).toBeUndefined()
  for (const part of [some('B', 'b1'), some('B')]) {
    expect(refusedMemberships('merchantAdmin', [whole('A'), part], visibleMerchants)).toBe('MerchantAdminWithGroups')
    expect(refusedMaking(provider, { ...anna, role: 'merchantAdmin', memberships: [part] })).toBe(
      'MerchantAdminWithGroups',
    )
  }
  for (const role of ['groupAdmin', 'merchantUser'] as const) {
    const before = { role, memberships: [some('A', 'a1')] }
    expect(change(admin, before, { role: 'merchantAdmin' }, before.memberships)).toBe('MerchantAdminWithGroups')
    expect(change(admin, before, { role: 'merchantAdmin', memberships: [whole('A')] })).toBeUndefined()
  }
})

test('a merchant admin cannot promote to super admin or set an option of the provider', () => {
  for (const made of [{ role: 'superAdmin' }, { allowLicensing: true }, { invisibleToMerchants: true }] as const) {
    expect(refusedMaking(admin, { ...anna, ...made })).toBe('Forbidden')
    expect(refusedMaking(provider, { ...anna, ...made })).toBeUndefined()
    expect(change(admin, {}, made)).toBe('Forbidden')
    expect(change(provider, {}, made)).toBeUndefined()
  }
  expect(change(admin, { role: 'superAdmin' }, { name: 'Other' })).toBe('Forbidden')
  expect(change(admin, { allowLicensing: true }, { name: 'Other' })).toBeUndefined()
})

test('users cannot change their own role or state', () => {
  const ownAccount = { ...provider, id: 'anna' }
  expect(change(ownAccount, {}, { role: 'merchantAdmin' })).toBe('OwnRights')
  expect(change(ownAccount, {}, { status: 'suspended' })).toBe('OwnRights')
  expect(change(ownAccount, {}, { name: 'Other' })).toBeUndefined()
})

test('an address can change only while its user is invited', () => {
  expect(change(admin, { status: 'invited' }, { email: 'other@example.com' })).toBeUndefined()
  for (const status of ['active', 'suspended'] as const)
    expect(change(provider, { status }, { email: 'other@example.com' })).toBe('UserEmailFixed')
})

test('only the visible memberships of a user with other merchants can be changed', () => {
  const shared = { memberships: [whole('A'), whole('B')], status: 'invited' } as const
  const personal = [
    { name: 'x' },
    { role: 'merchantAdmin' },
    { language: 'it' },
    { receiveNotifications: true },
  ] as const
  for (const after of [...personal, { status: 'suspended' }, { email: 'x@example.com' }] as const) {
    expect(change(admin, shared, after)).toBe('UserBelongsElsewhere')
    expect(change(provider, shared, after)).toBeUndefined()
  }
  expect(change(admin, shared, { memberships: [whole('B')] }, [])).toBeUndefined()
})

test('an admin who loses a merchant leaves it behind, and a super admin the provider', () => {
  const runs: UserFacts = { ...anna, role: 'merchantAdmin', memberships: [whole('A')] }
  const left = (after: Partial<UserFacts>) => leftBehind(runs, { ...runs, ...after }).merchantIds
  expect(leftBehind(runs, undefined).merchantIds).toEqual(['A'])
  expect(left({ role: 'groupAdmin' })).toEqual(['A'])
  expect(left({ status: 'suspended' })).toEqual(['A'])
  expect(left({ memberships: [whole('B')] })).toEqual(['A'])
  expect(left({ name: 'Other', memberships: [whole('A'), whole('B')] })).toEqual([])
  expect(leftBehind({ ...runs, status: 'invited' }, undefined).merchantIds).toEqual([])
  const top: UserFacts = { ...anna, role: 'superAdmin', memberships: [] }
  expect(leftBehind(top, { ...top, role: 'merchantAdmin' }).isSuperAdmin).toBe(true)
  expect(leftBehind(top, { ...top, status: 'suspended' }).isSuperAdmin).toBe(true)
  expect(leftBehind(top, { ...top, name: 'Other' }).isSuperAdmin).toBe(false)
  expect(leftBehind({ ...top, status: 'invited' }, undefined).isSuperAdmin).toBe(false)
})
