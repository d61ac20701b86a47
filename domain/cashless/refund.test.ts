import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type FailedVend,
  isDueTo,
  type RefundCase,
  refundableOf,
  refundFaultOf,
  refundRefusalOf,
  type SaleMoney,
  saleRefusalOf,
} from './refund.ts'

const sale = (with_: Partial<SaleMoney> = {}): SaleMoney => ({
  type: 1,
  charged: 70,
  reversed: 0,
  refunded: 0,
  ...with_,
})

test.each([
  ['the whole sale', sale(), 70, null],
  ['more than the sale', sale(), 71, 'RefundAboveSale'],
  ['more than is left', sale({ refunded: 30 }), 41, 'RefundAboveSale'],
  ['what is left', sale({ refunded: 30 }), 40, null],
  ['a refunded sale', sale({ refunded: 70 }), 1, 'TransactionRefunded'],
  ['a sale that the machine reversed', sale({ reversed: 70 }), 1, 'TransactionReversed'],
  ['what the machine did not give back', sale({ reversed: 50 }), 21, 'RefundAboveSale'],
  ['a sale that cost nothing', sale({ charged: 0 }), 1, 'TransactionNotRefundable'],
  ['a recharge', sale({ type: 4 }), 1, 'TransactionNotRefundable'],
] as const)('a refund of %s', (_, of, amount, refusal) => {
  expect(refundRefusalOf(of, amount)).toBe(refusal)
})

test('refunds of a sale in parts never exceed the charged amount', () => {
  fc.assert(
    fc.property(
      fc.record({
        type: fc.constantFrom(1, 2, 4, 14, 15, 16),
        charged: fc.integer({ min: -10, max: 500 }),
        reversed: fc.integer({ min: 0, max: 500 }),
      }),
      fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 20 }),
      (of, amounts) => {
        let refunded = 0
        for (const amount of amounts) if (!refundRefusalOf({ ...of, refunded }, amount)) refunded += amount
        expect(refunded).toBeLessThanOrEqual(Math.max(0, of.charged - of.reversed))
        expect(refundableOf({ ...of, refunded })).toBe(
          [1, 2, 14, 15].includes(of.type) ? Math.max(0, of.charged - of.reversed - refunded) : 0,
        )
      },
    ),
  )
})

const refundCase = (with_: Partial<RefundCase> = {}): RefundCase => ({
  amount: 70,
  isBlocked: false,
  sale: sale(),
  balance: 100,
  largestBalance: 170,
  ...with_,
})

test.each([
  ['that fits exactly is paid', refundCase(), null],
  ['without a sale is paid up to the largest balance', refundCase({ sale: null }), null],
  [
    'to a blocked medium is refused, whatever else is wrong',
    refundCase({ isBlocked: true, amount: 999 }),
    'MediaBlocked',
  ],
  ['above the sale names what may still be refunded', refundCase({ amount: 71 }), 'RefundAboveSale'],
  ['above the largest balance names the limit', refundCase({ balance: 101 }), 'BalanceAboveLimit'],
  ['without a sale above the largest balance too', refundCase({ sale: null, amount: 71 }), 'BalanceAboveLimit'],
] as const)('a refund %s', (_, of, code) => {
  expect(refundFaultOf(of)?.code ?? null).toBe(code)
})

test('a refund is due to the medium that paid; a claim also refunds who paid with coins or a bank card', () => {
  const key = { mediaType: 2, serial: '4C3A9DD1' }
  const coins = { mediaType: 1, serial: null }
  expect([isDueTo(key, '4C3A9DD1', false), isDueTo(key, '4C3A9DD1', true)]).toEqual([true, true])
  expect([isDueTo(key, '18067961', false), isDueTo(key, '18067961', true)]).toEqual([false, false])
  expect([isDueTo(coins, '4C3A9DD1', false), isDueTo(coins, '4C3A9DD1', true)]).toEqual([false, true])
})

const failedVend = (with_: Partial<FailedVend> = {}): FailedVend => ({
  sale: sale(),
  payer: { mediaType: 2, serial: 'K1' },
  media: { isBlocked: false, balance: 100 },
  maximum: 71,
  largestBalance: 170,
  ...with_,
})

test.each([
  ['of a registered medium is refunded', failedVend(), null],
  ['that cost nothing', failedVend({ sale: sale({ charged: 0 }) }), 'uncharged'],
  ['that the machine reversed', failedVend({ sale: sale({ reversed: 70 }) }), 'reversed'],
  ['that was refunded', failedVend({ sale: sale({ refunded: 70 }) }), 'refunded'],
  ['paid in cash', failedVend({ media: null, payer: { mediaType: 1, serial: null } }), 'cash'],
  ['paid by bank card', failedVend({ media: null, payer: { mediaType: 5, serial: null } }), 'card'],
  ['of an unregistered medium', failedVend({ media: null }), 'unknownMedia'],
  ['of a blocked medium', failedVend({ media: { isBlocked: true, balance: 0 } }), 'blockedMedia'],
  ['not below the maximum refund', failedVend({ maximum: 70 }), 'aboveMaximum'],
  ['above the largest balance', failedVend({ largestBalance: 169 }), 'balanceAboveLimit'],
  // What was refunded comes before how it was paid: nothing is left for a claim.
  [
    'paid in cash and refunded by a claim',
    failedVend({ sale: sale({ refunded: 70 }), media: null, payer: { mediaType: 1, serial: null } }),
    'refunded',
  ],
] as const)('a failed vend %s', (_, vend, refusal) => {
  expect(saleRefusalOf(vend)).toBe(refusal)
})
