import fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalOf } from './collection-count.ts'
import { comparedWith, lineDifference, sideOf, takenPieces } from './collection-total.ts'

const amounts = fc.option(fc.integer({ min: 0, max: 50_000 }))
const pieces = fc.uniqueArray(
  fc.record({ value: fc.constantFrom(5, 10, 50, 100, 200, 500), count: fc.integer({ min: 0, max: 60 }) }),
  { selector: ({ value }) => value },
)

test('the pieces of a side and its rest are its total', () => {
  fc.assert(
    fc.property(amounts, pieces, (total, reported) => {
      const side = sideOf(total, reported)
      expect(side.total).toBe(total)
      if (total === null) expect(side).toMatchObject({ pieces: [], rest: null })
      else expect(totalOf(side.pieces) + (side.rest ?? Number.NaN)).toBe(total)
      expect(side.rest ?? 0).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('pieces of more than the total belong to another moment: none of them is in it', () => {
  expect(sideOf(999, [{ value: 100, count: 10 }])).toEqual({ total: 999, pieces: [], rest: 999 })
  expect(sideOf(1000, [{ value: 100, count: 10 }])).toMatchObject({ rest: 0 })
})

test('pieces that stayed in the box were not taken', () => {
  const before = [
    { value: 100, count: 5 },
    { value: 50, count: 2 },
  ]
  expect(takenPieces(before, [{ value: 50, count: 2 }])).toEqual([{ value: 100, count: 5 }])
  expect(takenPieces(before, [{ value: 200, count: 1 }])).toEqual([])
  expect(takenPieces(before, [])).toEqual(before)
})

test('a count is compared with the audited total if it is exact, else with the transmitted, else with the audited', () => {
  expect(comparedWith({ audited: 100, isAuditExact: true, transmitted: 90 })).toBe('audited')
  expect(comparedWith({ audited: 100, isAuditExact: false, transmitted: 90 })).toBe('transmitted')
  expect(comparedWith({ audited: 100, isAuditExact: false, transmitted: null })).toBe('audited')
  expect(comparedWith({ audited: null, isAuditExact: true, transmitted: null })).toBeNull()
})

test('a denomination has a difference only on the compared side, if its whole total is known by denomination', () => {
  const line = { audited: 10, transmitted: 12, counted: 11 }
  const whole = { audited: 0, transmitted: 0 }
  expect(lineDifference(line, { side: 'audited', rest: whole })).toBe(1)
  expect(lineDifference(line, { side: 'transmitted', rest: { audited: 700, transmitted: 0 } })).toBe(-1)
  expect(lineDifference(line, { side: 'audited', rest: { audited: 5, transmitted: 0 } })).toBeNull()
  expect(lineDifference({ ...line, audited: null }, { side: 'audited', rest: whole })).toBe(11)
  expect(lineDifference({ ...line, counted: null }, { side: 'audited', rest: whole })).toBeNull()
  expect(lineDifference(line, { side: null, rest: { audited: null, transmitted: null } })).toBeNull()
})

test('if every denomination has a difference, their sum is the difference of the totals', () => {
  fc.assert(
    fc.property(pieces, pieces, (expected, counted) => {
      const values = [...new Set([...expected, ...counted].map(({ value }) => value))]
      const rest = { audited: sideOf(totalOf(expected), expected).rest, transmitted: null }
      const of = (side: typeof expected, value: number) => side.find((one) => one.value === value)?.count ?? null
      const differences = values.map((value) => {
        const line = { audited: of(expected, value), transmitted: null, counted: of(counted, value) ?? 0 }
        return value * (lineDifference(line, { side: 'audited', rest }) ?? Number.NaN)
      })
      expect(differences.reduce((sum, one) => sum + one, 0)).toBe(totalOf(counted) - totalOf(expected))
    }),
  )
})
