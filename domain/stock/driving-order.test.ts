import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instances } from '#testkit/stock/round-trips.ts'
import { shortOrder } from './driving-order.ts'

const lengthOf = (distances: readonly (readonly number[])[], order: readonly number[], returns: boolean) =>
  order.reduce((sum, from, at) => {
    const to = order[at + 1] ?? (returns ? order[0] : undefined)
    return sum + (to === undefined ? 0 : (distances[from]?.[to] ?? 0))
  }, 0)

const distancesOf = (places: readonly (readonly number[])[], round = (distance: number) => distance) =>
  places.map(([x = 0, y = 0]) => places.map(([a = 0, b = 0]) => round(Math.hypot(x - a, y - b))))

const sorted = (order: readonly number[]) => [...order].sort((one, other) => one - other)

describe('public instances of up to 100 places', () => {
  test.each(Object.entries(instances))(
    '%s: at most 5 percent above the best known round trip',
    (_, { best, places }) => {
      const distances = distancesOf(
        places.split(';').map((place) => place.trim().split(' ').map(Number)),
        Math.round,
      )
      const order = shortOrder(distances, 3, true)
      expect(order[0]).toBe(3)
      expect(sorted(order)).toEqual(distances.map((_, at) => at))
      expect(lengthOf(distances, order, true)).toBeLessThanOrEqual(best * 1.05)
      expect(lengthOf(distances, order, true)).toBeGreaterThanOrEqual(best)
      // Without the way back.
      const open = shortOrder(distances, 3, false)
      expect(lengthOf(distances, open, false)).toBeLessThanOrEqual(lengthOf(distances, order, false))
    },
  )
})

test('few places are visited by the shortest way of all', () => {
  const place = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }))
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((one) => orders(rest.filter((at) => at !== one)).map((order) => [one, ...order]))
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 7 }), fc.boolean(), (places, returns) => {
      const distances = distancesOf(places)
      const all = distances.map((_, at) => at)
      const shortest = Math.min(...orders(all.slice(1)).map((order) => lengthOf(distances, [0, ...order], returns)))
      const order = shortOrder(distances, 0, returns)
      expect(order[0]).toBe(0)
      expect(sorted(order)).toEqual(all)
      expect(lengthOf(distances, order, returns)).toBeCloseTo(shortest, 6)
    }),
    { numRuns: 60 },
  )
})

test('the same places give the same order, also where many lie at one place', () => {
  const places = Array.from({ length: 40 }, (_, at) => [at % 4, at % 3])
  const distances = distancesOf(places)
  expect(shortOrder(distances, 0, false)).toEqual(shortOrder(distances, 0, false))
  expect(shortOrder([], 0, false)).toEqual([])
})
