import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Commission, commissionBase, commissionOf as commissionOver, type SoldAtClient } from './commission.ts'

const commissionOf = (agreed: Commission, sold: SoldAtClient) => commissionOver([{ agreed, sold }])

const money = fc.integer({ min: 0, max: 10 ** 12 })
const sold = fc.record({ sales: money, refunds: money, vends: fc.integer({ min: 0, max: 10 ** 6 }) })
const hundredths = fc.integer({ min: 0, max: 10_000 })
const percent = (percent: number) => ({ kind: 'percent' as const, percent, perVend: null })

test('a percentage is within half a unit of the exact share, half a unit up, and never above its base', () => {
  fc.assert(
    fc.property(sold, hundredths, (line, share) => {
      const base = BigInt(commissionBase(line))
      const calculated = BigInt(commissionOf(percent(share / 100), line))
      const distance = calculated * 10_000n - base * BigInt(share)
      expect(distance > -5000n && distance <= 5000n).toBe(true)
      expect(calculated <= base).toBe(true)
    }),
  )
})

test('commission grows with sales and percentage, and shrinks with refunds', () => {
  fc.assert(
    fc.property(sold, hundredths, money, (line, share, more) => {
      const of = (change: Partial<typeof line>, by = share) => commissionOf(percent(by / 100), { ...line, ...change })
      expect(of({ sales: line.sales + more })).toBeGreaterThanOrEqual(of({}))
      expect(of({ refunds: line.refunds + more })).toBeLessThanOrEqual(of({}))
      expect(of({}, Math.min(10_000, share + 1))).toBeGreaterThanOrEqual(of({}))
    }),
  )
})

test('per vend it is exactly the vends times the amount, whatever was refunded', () => {
  fc.assert(
    fc.property(sold, fc.integer({ min: 0, max: 10 ** 6 }), (line, perVend) => {
      const agreed = { kind: 'perVend' as const, percent: null, perVend }
      expect(BigInt(commissionOf(agreed, line))).toBe(BigInt(line.vends) * BigInt(perVend))
      expect(commissionOf({ ...agreed, kind: 'none' }, line)).toBe(0)
    }),
  )
})

test.each([
  [10, { sales: 1005, refunds: 0 }, 101],
  [10, { sales: 1004, refunds: 0 }, 100],
  [12.55, { sales: 10_000, refunds: 2000 }, 1004],
  [50, { sales: 100, refunds: 300 }, 0],
  [0.29, { sales: 5000, refunds: 0 }, 15],
])('%s percent of %o are %i', (share, line, expected) => {
  expect(commissionOf(percent(share), { ...line, vends: 1 })).toBe(expected)
})

test('agreements that follow each other are added before they are rounded', () => {
  const part = (share: number, sales: number) => ({ agreed: percent(share), sold: { sales, refunds: 0, vends: 1 } })
  expect(commissionOver([part(10, 1004), part(20, 1002)])).toBe(301)
  expect(commissionOver([])).toBe(0)
})
