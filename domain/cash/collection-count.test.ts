import { expect, test } from 'vitest'
import { denominationsOf } from '#contract/vocabulary/world/denominations.ts'
import { differenceOf, isWithin, linesOf, refusalOf, samePieces } from './collection-count.ts'

test('a difference at the tolerance needs no dispute, in either direction', () => {
  expect([100, -100, 101, -101, null].map((difference) => isWithin(difference, 100))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  expect(differenceOf(900, 1000)).toBe(-100)
  expect(differenceOf(900, null)).toBeNull()
})

test('a closed collection can only be reopened, and an open one only be counted', () => {
  expect(refusalOf('count', 'closed')).toBe('CollectionClosed')
  expect(refusalOf('close', 'open')).toBe('CollectionNotCounted')
  expect(refusalOf('dispute', 'open')).toBe('CollectionNotCounted')
  expect(refusalOf('reopen', 'disputed')).toBe('CollectionNotClosed')
  expect((['open', 'counted', 'disputed'] as const).map((status) => refusalOf('count', status))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('lines have all denominations of the currency, and others that a machine reports', () => {
  const lines = linesOf(denominationsOf('EUR'), {
    audited: [{ value: 25, count: 3 }],
    transmitted: [{ value: 200, count: 2 }],
    counted: [{ value: 200, count: 1 }],
  })
  expect(lines).toHaveLength(16)
  expect(lines.find(({ value }) => value === 25)).toMatchObject({ audited: 3, transmitted: null, counted: 0 })
  expect(lines.find(({ value }) => value === 200)).toMatchObject({ audited: null, transmitted: 2, counted: 1 })
})

test('counts are the same whatever their order and their empty denominations', () => {
  const one = [
    { value: 100, count: 2 },
    { value: 50, count: 0 },
  ]
  expect(samePieces(one, [{ count: 2, value: 100 }])).toBe(true)
  expect(samePieces(one, [{ count: 3, value: 100 }])).toBe(false)
})
