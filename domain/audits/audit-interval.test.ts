import { expect, test } from 'vitest'
import type { AuditCounters } from './audit-counters.ts'
import { comparable, intervalBetween, rolledOverBy } from './audit-interval.ts'

const read = (change: Partial<AuditCounters> = {}): AuditCounters => ({
  board: 'B1',
  machine: 'M1',
  began: null,
  lines: { sold: [100, 10_000], cashSold: [60, 6_000], cashless1Sold: [40, 4_000], cashIn: [null, 7_000] },
  tubeContents: null,
  tubesCounted: null,
  selections: [{ selection: '11', name: 'Espresso', price: 100, sold: [100, 10_000] }],
  ...change,
})
const sold = (count: number, value: number, change: Partial<AuditCounters> = {}) =>
  read({ lines: { sold: [count, value] }, selections: [], ...change })

test('an interval is the difference of the counters of two readings', () => {
  const later = read({
    lines: { sold: [130, 13_100], cashSold: [70, 7_000], cashless1Sold: [60, 6_100], cashIn: [null, 8_500] },
    selections: [{ selection: '11', name: 'Espresso', price: 100, sold: [130, 13_100] }],
  })
  const interval = intervalBetween(read(), later)
  expect(interval.kind).toBe('counted')
  expect(interval.selections.get('11')).toEqual({ step: 'counted', moved: [30, 3_100] })
  expect(comparable(interval)).toMatchObject({
    sold: [30, 3_100],
    cash: [10, 1_000],
    other: [20, 2_100],
    cashIn: 1_500,
  })
})

test('the first read has nothing to be compared with', () => {
  expect(intervalBetween(null, read())).toMatchObject({ kind: 'first', lines: {} })
  expect(comparable(intervalBetween(null, read()))).toMatchObject({ sold: [null, null], cashIn: null })
})

test('a read without counters is passed over', () => {
  expect(intervalBetween(read(), read({ lines: {}, selections: [] })).kind).toBe('notReported')
})

test.each([
  [9_990, 15, 25],
  [65_530, 4, 10],
  [99_999_900, 200, 300],
  [4_294_967_000, 4, 300],
])('a counter from %i to %i has rolled over and moved by %i', (before, now, gone) => {
  expect(rolledOverBy(before, now)).toBe(gone)
})

test.each([
  [5_000, 20],
  [9_990, 9_000],
  [2 ** 33, 1],
  [20, 20],
])('a counter from %i to %i has not rolled over', (before, now) => {
  expect(rolledOverBy(before, now)).toBeNull()
})

test('a counter that rolls over while the money increases is a roll-over, and its difference continues through zero', () => {
  const interval = intervalBetween(sold(9_990, 1_500_000), sold(15, 1_503_750))
  expect(interval.kind).toBe('rolledOver')
  expect(comparable(interval).sold).toEqual([25, 3_750])
})

test('if all counters fell it is a reset, even if one of them could be a roll-over', () => {
  const interval = intervalBetween(sold(9_990, 1_500_000), sold(15, 2_250))
  expect(interval.kind).toBe('reset')
  expect(interval.lines.sold).toEqual({ step: 'restarted', moved: [15, 2_250] })
  expect(comparable(interval).sold).toEqual([null, null])
})

test('counters that all fall from near their maximum were reset: nothing shows a roll-over', () => {
  expect(intervalBetween(sold(9_990, 99_990), sold(3, 450)).kind).toBe('reset')
})

test('after a reset every counter restarts, also a counter that has outgrown its old value', () => {
  const before = read({ lines: { sold: [5_000, 600_000], cashSold: [10, 1_000] } })
  const interval = intervalBetween(before, read({ lines: { sold: [40, 4_000], cashSold: [30, 3_000] } }))
  expect(interval.lines.cashSold).toEqual({ step: 'restarted', moved: [30, 3_000] })
})

test('a reset is seen by the date on which the machine began to count, although the counters have grown', () => {
  const before = sold(10, 1_000, { began: '2026-01-01' })
  expect(intervalBetween(before, sold(50, 5_000, { began: '2026-03-01' })).kind).toBe('reset')
  expect(intervalBetween(before, sold(50, 5_000, { began: '2026-01-01' })).kind).toBe('counted')
})

test('a replaced reader resets only its own counter; the sales continue', () => {
  const later = read({ lines: { sold: [130, 13_000], cashSold: [70, 7_000], cashless1Sold: [5, 500] } })
  const interval = intervalBetween(read(), later)
  expect(interval.kind).toBe('partlyReset')
  expect(comparable(interval)).toMatchObject({ sold: [30, 3_000], cash: [10, 1_000], other: [null, null] })
})

test('a selection that is set to zero does not affect the others', () => {
  const at = (count: number, value: number) => [
    { selection: '11', name: null, price: null, sold: [count, value] as const },
  ]
  const interval = intervalBetween(
    sold(500, 50_000, { selections: at(500, 50_000) }),
    sold(510, 51_000, { selections: at(3, 300) }),
  )
  expect(interval.kind).toBe('counted')
  expect(interval.selections.get('11')).toEqual({ step: 'restarted', moved: [3, 300] })
})

test('counters of a new board are not compared with those of its predecessor', () => {
  const interval = intervalBetween(read(), sold(5_000, 500_000, { board: 'B2' }))
  expect(interval).toMatchObject({ kind: 'boardSwapped', lines: {} })
  expect(comparable(interval).sold).toEqual([null, null])
})

test('the board’s serial decides, even if the machine was renamed; without it, the machine’s serial decides', () => {
  expect(intervalBetween(read(), read({ machine: 'M2' })).kind).toBe('counted')
  expect(intervalBetween(read({ board: null }), read({ board: null, machine: 'M2' })).kind).toBe('boardSwapped')
})

test('a value that only one reading reports is unknown', () => {
  const interval = intervalBetween(read(), sold(120, 12_000))
  expect(comparable(interval)).toMatchObject({
    sold: [20, 2_000],
    cash: [null, null],
    other: [null, null],
    toBox: null,
  })
  expect(intervalBetween(sold(1, 1), read()).lines.cashSold).toEqual({ step: 'unknown', moved: [null, null] })
})

test('to the boxes go the coins past the tubes and the bills past the recycler', () => {
  const at = (box: number, bills: number, recycler: number) =>
    read({ lines: { sold: [1, 1], toBox: [null, box], bills: [null, bills], toRecycler: [null, recycler] } })
  expect(comparable(intervalBetween(at(100, 500, 0), at(150, 1_500, 500))).toBox).toBe(50 + 1_000 - 500)
})
