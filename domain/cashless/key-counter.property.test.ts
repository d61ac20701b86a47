import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findingsOf, type KeyReading } from './key-counter.ts'

const start = Date.UTC(2026, 10, 21)
const minute = 60_000

/** Uses of one key in few counters, so that they meet; a copy restores an earlier counter. */
const readings = fc
  .array(
    fc.record({
      counter: fc.integer({ min: 1, max: 8 }),
      at: fc.integer({ min: 0, max: 120 }).map((minutes) => start + minutes * minute),
      credit: fc.integer({ min: 0, max: 4 }).map((coins) => coins * 50),
      change: fc.constantFrom(-50, 0, 50),
    }),
    { maxLength: 12 },
  )
  .map((uses) =>
    uses.map((use, index): KeyReading => ({ ...use, sourceId: `source-${String(index).padStart(12, '0')}` })),
  )

/** The findings when readings arrive one after the other. */
function arriving(order: readonly KeyReading[]) {
  const readings: KeyReading[] = []
  const findings = new Map<string, object>()
  for (const reading of order) {
    readings.push(reading)
    for (const { key, ...finding } of findingsOf(reading, readings)) if (!findings.has(key)) findings.set(key, finding)
  }
  return [...findings].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, finding]) => ({ key, ...finding }))
}

test('readings of a key show the same findings in whatever order they arrive', () => {
  const inTwoOrders = readings.chain((some) =>
    fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
  )
  fc.assert(
    fc.property(inTwoOrders, ([one, other]) => {
      expect(arriving(other)).toEqual(arriving(one))
    }),
    { numRuns: 2000 },
  )
})

test('a key that only machines use shows nothing', () => {
  const uses = fc.array(fc.integer({ min: -3, max: 4 }), { maxLength: 20 }).map((changes) => {
    let credit = 1_000
    return changes.map((coins, index): KeyReading => {
      credit += coins * 50
      const sourceId = `source-${String(index).padStart(12, '0')}`
      return { counter: index + 1, sourceId, at: start + index * minute, credit, change: coins * 50 }
    })
  })
  const inDisorder = uses.chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))
  fc.assert(
    fc.property(inDisorder, (some) => {
      expect(arriving(some)).toEqual([])
    }),
  )
})
