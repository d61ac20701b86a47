import { expect, test } from 'vitest'
import type { AuditSelection } from '#contract/audits/audit-content.ts'
import { bestSelections } from './bestSelections.ts'

const selection = (name: string, count: number | null, more: Partial<AuditSelection> = {}): AuditSelection => ({
  selection: name,
  line: 1,
  name: null,
  price: null,
  isAbsent: null,
  level: null,
  minimum: null,
  sold:
    count === null ? null : { sinceInitialisation: { value: null, count }, sinceReset: { value: null, count: null } },
  discounts: null,
  surcharges: null,
  test: null,
  free: null,
  soldOutAt: null,
  payments: [],
  ...more,
})

test('the best selections are first, with their share of the best one', () => {
  const best = bestSelections({ selections: [selection('10', 5), selection('11', 20), selection('12', null)] }, 2)
  expect(best.map(({ selection: name, share }) => [name, share])).toEqual([
    ['11', 1],
    ['10', 0.25],
  ])
})

test('a machine that has sold nothing has no shares', () => {
  expect(bestSelections({ selections: [selection('10', 0)] }, 5)[0]?.share).toBe(0)
})

test('a missing selection is not sold out', () => {
  const soldOutAt = '2026-11-20T10:00:00'
  const selections = [selection('10', 2, { soldOutAt }), selection('11', 1, { soldOutAt, isAbsent: true })]
  expect(bestSelections({ selections }, 5).map(({ isSoldOut }) => isSoldOut)).toEqual([true, false])
})
