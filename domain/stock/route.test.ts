import { expect, test } from 'vitest'
import { servedDays, sharedDays, stopsOn } from './route.ts'

test('a machine without days of its own is served on each day of its route, others only where both agree', () => {
  expect(servedDays([1, 3, 5], [])).toEqual([1, 3, 5])
  expect(servedDays([1, 3, 5], [3, 4])).toEqual([3])
})

test('two routes share the days on which both serve a machine', () => {
  expect(sharedDays({ route: [1, 2, 3], stop: [] }, { route: [2, 3], stop: [3] })).toEqual([3])
  expect(sharedDays({ route: [1], stop: [] }, { route: [2], stop: [] })).toEqual([])
})

test('a round has the machines of its day, without deleted ones', () => {
  const stop = (id: number, days: number[], isDeleted = false) => ({ id, days, isDeleted })
  const stops = [stop(1, []), stop(2, [1]), stop(3, [2]), stop(4, [], true)]
  // A Monday.
  expect(stopsOn(stops, '2026-11-30').map(({ id }) => id)).toEqual([1, 2])
})
