import { expect, test } from 'vitest'
import { compareReleases } from './release-order.ts'

test('versions are compared by their numbers, part by part', () => {
  const sorted = ['4.9.0.12', '4.12.0.3', '4.12.0.10', '4.12.1.0', '10.0.0.0']
  expect(sorted.toReversed().toSorted(compareReleases)).toEqual(sorted)
  expect(compareReleases('EUR-2026.10', 'EUR-2026.9')).toBeGreaterThan(0)
  expect(compareReleases('4.12', '4.12.0')).toBeLessThan(0)
  expect(compareReleases('1.0', '1.0')).toBe(0)
})
