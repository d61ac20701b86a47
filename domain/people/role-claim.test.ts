import { expect, test } from 'vitest'
import { roles } from '#contract/vocabulary/roles.ts'
import { claimOfRole, isCustomerClaim, roleFromClaim } from './role-claim.ts'

test('a plain claim names one of the four staff roles', () => {
  expect(roleFromClaim('GETTONESUPERADMIN', 'GETTONE')).toBe('superAdmin')
  for (const role of roles) expect(roleFromClaim(claimOfRole(role), 'anything')).toBe(role)
})

test('a list of pairs gives the role of the configured tenant', () => {
  const claim = 'milan=GETTONEMERCHANTADMIN;rome=GETTONEGROUPADMIN'
  expect(roleFromClaim(claim, 'rome')).toBe('groupAdmin')
  expect(roleFromClaim(claim, 'milan')).toBe('merchantAdmin')
})

test('a tenant is matched exactly', () => {
  const claim = 'GETTONE-TEST=GETTONESUPERADMIN;gettone=GETTONESUPERADMIN;XGETTONE=GETTONESUPERADMIN'
  expect(roleFromClaim(claim, 'GETTONE')).toBeNull()
})

test('a tenant named twice gets the lesser role', () => {
  expect(roleFromClaim('a=GETTONESUPERADMIN;a=GETTONEMERCHANTUSER', 'a')).toBe('merchantUser')
  expect(roleFromClaim('a=GETTONESUPERADMIN;a=SOMETHING', 'a')).toBeNull()
})

test.each([
  undefined,
  null,
  7,
  [],
  ['GETTONESUPERADMIN'],
  {},
  '',
  'CUSTOMER',
  'GETTONECUSTOMER',
  'superAdmin',
  'SUPERADMIN',
  'gettonesuperadmin',
  'GETTONESUPERADMIN ',
  '=GETTONESUPERADMIN',
  'GETTONE=',
  ';;;',
  'GETTONE=GETTONESUPERADMIN=x',
])('%j gives no role', (claim) => {
  expect(roleFromClaim(claim, 'GETTONE')).toBeNull()
})

test.each([
  ['CUSTOMER', true],
  ['GETTONE=CUSTOMER', true],
  ['rome=GETTONEMERCHANTUSER;GETTONE=CUSTOMER', true],
  ['rome=CUSTOMER', false],
  ['GETTONE=CUSTOMER;GETTONE=GETTONEMERCHANTUSER', false],
  ['GETTONEMERCHANTUSER', false],
  [undefined, false],
])('%j names an end customer: %s, and gives them no staff role', (claim, is) => {
  expect(isCustomerClaim(claim, 'GETTONE')).toBe(is)
  if (is) expect(roleFromClaim(claim, 'GETTONE')).toBeNull()
})
