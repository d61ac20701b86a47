import { expect, test } from 'vitest'
import { type Cluster, canSplit, cellsAt, joined, partsOfBox, worstOf } from './map-clusters.ts'

const aCluster = (count: number, longitude: number, more: Partial<Cluster> = {}): Cluster => ({
  count,
  critical: 0,
  warning: 0,
  latitude: 45,
  longitude,
  west: longitude,
  south: 45,
  east: longitude,
  north: 45,
  ...more,
})

test('clusters that would cover each other become one, in the middle of their machines', () => {
  const cells = cellsAt([0, 40, 20, 50], 5)
  const near = aCluster(3, 9, { critical: 1 })
  const far = aCluster(1, 9.5, { warning: 1 })
  expect(joined([near, far, aCluster(2, 15)], cells)).toEqual([
    { ...near, count: 4, critical: 1, warning: 1, longitude: 9.125, west: 9, east: 9.5 },
    aCluster(2, 15),
  ])
})

test('the worst machine gives a cluster its status', () => {
  expect(worstOf({ critical: 0, warning: 0 })).toBe(1)
  expect(worstOf({ critical: 0, warning: 2 })).toBe(2)
  expect(worstOf({ critical: 1, warning: 2 })).toBe(3)
})

test('machines at one place cannot be split by zooming in', () => {
  expect(canSplit({ west: 9.2, south: 45, east: 9.2, north: 45 })).toBe(false)
  expect(canSplit({ west: 9.204, south: 45.485, east: 9.205, north: 45.486 })).toBe(true)
})

test('a box across the 180th meridian has two parts; a world more than once around has one', () => {
  expect(partsOfBox([7, 36, 19, 47])).toEqual([[7, 36, 19, 47]])
  const fiji = [
    [178, -20, 180, -16],
    [-180, -20, -178, -16],
  ]
  expect(partsOfBox([178, -20, 182, -16])).toEqual(fiji)
  expect(partsOfBox([178, -20, -178, -16])).toEqual(fiji)
  expect(partsOfBox([-182, -20, -178, -16])).toEqual(fiji)
  expect(partsOfBox([-300, -60, 300, 60])).toEqual([[-180, -60, 180, 60]])
})

test('a wide box at a close zoom has no more cells than a large screen', () => {
  const wide = cellsAt([-180, -80, 180, 80], 18)
  expect(wide).toBeLessThanOrEqual(32)
  expect(cellsAt([9, 45, 9.01, 45.01], 17)).toBeGreaterThan(100_000)
})
