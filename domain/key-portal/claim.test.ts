import { expect, test } from 'vitest'
import type { ClaimLogEntry } from '#contract/key-portal/claim.ts'
import { saleOfClaim } from './claim.ts'

const sale = (more: Partial<ClaimLogEntry> = {}): ClaimLogEntry => ({
  id: crypto.randomUUID(),
  kind: 'transaction',
  at: '2026-05-01T10:00:00',
  code: null,
  isActive: null,
  text: null,
  type: 1,
  product: 'Espresso',
  amount: 100,
  isFailed: false,
  mediaSerial: 'K1',
  isRefunded: false,
  refundable: 100,
  ...more,
})
const claim = {
  amount: 100,
  paidBy: 'media' as const,
  mediaSerial: 'K1',
  happenedAt: '2026-05-01T10:00:00',
}

test('a claim is about the failed vend with its medium, though another sale is nearer', () => {
  const failed = sale({ isFailed: true, at: '2026-05-01T10:03:00' })
  expect(saleOfClaim({ ...claim, log: [sale(), failed] })).toBe(failed)
})

test('without a failed vend it is about the nearest sale of the claimed amount', () => {
  const near = sale({ at: '2026-05-01T10:01:00' })
  const log = [sale({ at: '2026-05-01T09:57:00' }), near, sale({ amount: 90 }), sale({ amount: 250 })]
  expect(saleOfClaim({ ...claim, log })).toBe(near)
})

test('a sale with another medium, below the claimed amount or refunded before is not chosen', () => {
  const log = [
    sale({ mediaSerial: 'K2', isFailed: true }),
    sale({ mediaSerial: null, isFailed: true }),
    sale({ isFailed: true, amount: 90 }),
    sale({ isFailed: true, isRefunded: true, refundable: 0 }),
    sale({ kind: 'alarm', amount: null, refundable: null }),
  ]
  expect(saleOfClaim({ ...claim, log })).toBeUndefined()
})

test('a claim in cash is about a sale without a medium', () => {
  const cash = sale({ mediaSerial: null })
  expect(saleOfClaim({ ...claim, paidBy: 'cash', log: [sale({ isFailed: true }), cash] })).toBe(cash)
})
