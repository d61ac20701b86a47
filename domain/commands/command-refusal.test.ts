import { describe, expect, test } from 'vitest'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { refusalOf } from './command-refusal.ts'

const now = new Date('2026-11-21T08:00:00Z')
const ahead = { notBefore: now, expiresAt: new Date('2026-11-22T08:00:00Z') }
const all = { features, productFamilies, maximumRefund: 10_000, largestRecharge: 25_000 }
const file = { url: 'https://files.example.com/a.bin', sha256: 'a'.repeat(64), bytes: 10 }

test('a machine gets a command if its merchant has the required feature', () => {
  for (const type of [1, 2, 3, 4, 8, 9, 12, 16, 17, 18] as const)
    expect(refusalOf({ type, parameters: {} }, all, ahead, now)).toBeNull()
})

describe('without its feature', () => {
  const nothing = { features: [], productFamilies, maximumRefund: 10_000, largestRecharge: 25_000 }
  test.each([
    [9, {}, 'FeatureNotEnabled'],
    [12, {}, 'FeatureNotEnabled'],
    [17, {}, 'FeatureNotEnabled'],
    [18, {}, 'FeatureNotEnabled'],
    [11, { version: '1.2.0', file }, 'FirmwareNotEnabledException'],
    [13, { version: 'EUR-14', file }, 'CashDatabaseNotEnabledException'],
    [14, { peripheral: 'recycler', version: '7', file }, 'FirmwareNotEnabledException'],
    [15, { peripheral: 'recycler', version: '7', file }, 'CashDatabaseNotEnabledException'],
    [19, { name: 'Summer', file }, 'SendVpConfigNotAllowed'],
  ] as const)('command %i is refused', (type, parameters, code) => {
    expect(refusalOf({ type, parameters } as Parameters<typeof refusalOf>[0], nothing, ahead, now)).toBe(code)
  })
  test('commands without a required feature are allowed', () => {
    for (const type of [1, 2, 3, 4, 8, 16] as const)
      expect(refusalOf({ type, parameters: {} }, nothing, ahead, now)).toBeNull()
  })
})

test('only merchants with recyclers can pay out cash; no other command requires a family', () => {
  const without = { ...all, productFamilies: ['gettone'] }
  const refund = { type: 7, parameters: { amount: 100 } } as const
  expect(refusalOf(refund, without, ahead, now)).toBe('ProductFamilyNotEnabled')
  expect(refusalOf(refund, { ...all, productFamilies: ['cashlogy'] }, ahead, now)).toBeNull()
  expect(refusalOf({ type: 5, parameters: { amount: 100 } }, without, ahead, now)).toBeNull()
  for (const type of [1, 2, 3, 4, 8, 9, 12, 16, 17, 18] as const)
    expect(refusalOf({ type, parameters: {} }, { ...all, productFamilies: [] }, ahead, now)).toBeNull()
})

test('cash that is paid out stays below the maximum refund; credit is no refund', () => {
  expect(refusalOf({ type: 7, parameters: { amount: 10_000 } }, all, ahead, now)).toBe('CommandRefundTooLarge')
  expect(refusalOf({ type: 7, parameters: { amount: 9_999 } }, all, ahead, now)).toBeNull()
  expect(refusalOf({ type: 5, parameters: { amount: 10_000 } }, all, ahead, now)).toBeNull()
})

test('credit that is sent is within the largest recharge', () => {
  expect(refusalOf({ type: 5, parameters: { amount: 25_000 } }, all, ahead, now)).toBeNull()
  expect(refusalOf({ type: 5, parameters: { amount: 25_001 } }, all, ahead, now)).toBe('CommandCreditTooLarge')
})

test('a window that is over in the machine’s time zone is refused', () => {
  const over = { notBefore: new Date('2026-11-21T02:00:00Z'), expiresAt: now }
  expect(refusalOf({ type: 4, parameters: {} }, all, over, now)).toBe('CommandWindowPassed')
})
