import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excessOf, mostOf } from './bounds.ts'

const slot = { level: 6, capacity: 10 }
const nothing = { counted: null, waste: 0, loaded: 0 }

test('waste was in the selection, and a load fits beside the rest', () => {
  expect(excessOf(slot, { ...nothing, waste: 100_000 })).toEqual({ field: 'waste', most: 6 })
  expect(excessOf(slot, { ...nothing, loaded: 10 })).toEqual({ field: 'loaded', most: 4 })
  expect(excessOf(slot, { ...nothing, waste: 6, loaded: 10 })).toBeNull()
  expect(excessOf(slot, { ...nothing, counted: 1_000_000_000 })).toEqual({ field: 'counted', most: 10 })
  expect(excessOf(slot, { counted: 2, waste: 3, loaded: 0 })).toEqual({ field: 'waste', most: 2 })
})

test('a count says what was there, whatever the portal expected', () => {
  expect(excessOf(slot, { counted: 0, waste: 0, loaded: 10 })).toBeNull()
  expect(excessOf({ level: 12, capacity: 10 }, { ...nothing, counted: 12 })).toBeNull()
})

test('where level or capacity is unknown, the other is the limit', () => {
  expect(mostOf({ level: null, capacity: 10 }, nothing)).toEqual({ counted: 10, waste: 10, loaded: 10 })
  expect(excessOf({ level: 3, capacity: null }, { ...nothing, waste: 4 })).toEqual({ field: 'waste', most: 3 })
})

test('whatever is possible leaves a level between nothing and the capacity', () => {
  const pieces = fc.integer({ min: 0, max: 25 })
  fc.assert(
    fc.property(
      fc.record({ level: pieces, capacity: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ counted: fc.option(pieces), waste: pieces, loaded: pieces }),
      (held, handling) => {
        if (excessOf(held, handling)) return
        const left = (handling.counted ?? held.level) - handling.waste + handling.loaded
        expect(left).toBeGreaterThanOrEqual(0)
        expect(left).toBeLessThanOrEqual(Math.max(held.capacity, held.level))
      },
    ),
  )
})
