import { expect, test } from 'vitest'
import { inRouteOrder } from './week-order.ts'

const stop = (name: string, position: number | null, latitude: number | null) => ({
  name,
  position,
  latitude,
  longitude: latitude === null ? null : 9,
})
const names = (stops: readonly { name: string }[]) => stops.map(({ name }) => name)

test('machines of a route keep its order, and others are where they add the least way', () => {
  const stops = [
    stop('c', 3, 45.3),
    stop('x', null, 45.21),
    stop('a', 1, 45.1),
    stop('b', 2, 45.2),
    stop('y', null, 45.05),
  ]
  expect(names(inRouteOrder(stops, { latitude: 45, longitude: 9 }))).toEqual(['y', 'a', 'b', 'x', 'c'])
})

test('machines without a place keep their place in the route, and are last when they are not on it', () => {
  const stops = [
    stop('z', null, null),
    stop('b', 2, null),
    stop('c', 3, 45.3),
    stop('a', 1, 45.1),
    stop('x', null, 45.2),
  ]
  expect(names(inRouteOrder(stops, null))).toEqual(['a', 'b', 'x', 'c', 'z'])
})
