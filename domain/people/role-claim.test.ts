import { expect, test } from 'vitest'
import { roles } from '#contract/vocabulary/roles.ts'
import { claimNamed, claimOfRole, isCustomerClaim, roleFromClaim } from './role-claim.ts'

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
  [7, {}, null],
  ['offline_access', 'SUPERADMIN'],
  ['GETTONESUPERADMIN', 'GETTONEKING'],
  ['rome=GETTONESUPERADMIN'],
  [['GETTONESUPERADMIN', 'GETTONEKING']],
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

test('a list gives the least of its roles, whatever else is in it', () => {
  expect(roleFromClaim(['offline_access', 'uma_authorization', 'GETTONEGROUPADMIN'], 'a')).toBe('groupAdmin')
  expect(roleFromClaim(['GETTONESUPERADMIN', 'GETTONEMERCHANTUSER'], 'a')).toBe('merchantUser')
  expect(roleFromClaim(['b=GETTONESUPERADMIN', 'a=GETTONEMERCHANTADMIN'], 'a')).toBe('merchantAdmin')
})

test('a claim is found by its name, also in a namespace or inside of objects', () => {
  const claims = { role: 'x', 'https://portal.example/role': 'y', resource_access: { portal: { roles: ['z'] } } }
  expect(claimNamed(claims, 'role')).toBe('x')
  expect(claimNamed(claims, 'https://portal.example/role')).toBe('y')
  expect(claimNamed(claims, 'resource_access.portal.roles')).toEqual(['z'])
  for (const name of ['resource_access.other.roles', 'role.length', 'constructor', '__proto__.x', ''])
    expect(claimNamed(claims, name)).toBeUndefined()
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
