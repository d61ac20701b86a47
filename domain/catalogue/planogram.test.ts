import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostPlanogramLines, NewPlanogram } from '#contract/catalogue/planogram.ts'
import { compareLines, draftOf, type ReportedSelection } from './planogram.ts'

const selections = fc.uniqueArray(fc.stringMatching(/^[A-Z]?[1-9][0-9]{0,3}$/), { maxLength: 700 })
const pieces = fc.option(fc.integer({ min: 0, max: 1_000_000 }))
const reports: fc.Arbitrary<ReportedSelection[]> = selections.chain((names) =>
  fc.tuple(
    ...names.map((selection) =>
      fc.record({
        selection: fc.constant(selection),
        productId: fc.constant(null),
        product: fc.option(fc.string()),
        level: pieces,
        capacity: pieces,
        warningLevel: pieces,
        prices: fc.dictionary(fc.constantFrom('1', '2', '8'), fc.maxSafeNat()),
      }),
    ),
  ),
)

test('whatever a machine reports, its draft is a valid planogram', () => {
  fc.assert(
    fc.property(reports, (reported) => {
      const draft = NewPlanogram.parse(draftOf({ name: 'Hall', planogramType: 'B' }, reported))
      expect(draft.lines).toHaveLength(Math.min(reported.length, mostPlanogramLines))
    }),
    { numRuns: 50 },
  )
})

test('a machine filled as drafted differs in nothing but what the merchant does not know', () => {
  fc.assert(
    fc.property(reports, (reported) => {
      const { lines } = draftOf({ name: 'Hall', planogramType: 'B' }, reported)
      const knownLines = reported.slice(0, mostPlanogramLines).map((one) => ({ ...one, product: null, capacity: null }))
      const planned = new Set(lines.map(({ selection }) => selection))
      for (const { differences } of compareLines(
        lines,
        knownLines.filter(({ selection }) => planned.has(selection)),
      ))
        expect(differences.filter((difference) => difference !== 'onlyPlanned')).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('selections that differ come first, in the machine’s order', () => {
  const planned = ['A10', 'A2', 'A1'].map((selection) => ({
    selection,
    productId: null,
    capacity: 5,
    warningLevel: 1,
    refillValue: 5,
    prices: {},
  }))
  const report = (selection: string, capacity: number | null): ReportedSelection => ({
    selection,
    productId: null,
    product: null,
    level: null,
    capacity,
    warningLevel: null,
    prices: {},
  })
  const compared = compareLines(planned, [report('A1', 5), report('A2', null), report('A10', 6), report('A3', 4)])
  expect(compared.map(({ selection, differences }) => [selection, ...differences])).toEqual([
    ['A3', 'onlyReported'],
    ['A10', 'capacity'],
    ['A1'],
    ['A2'],
  ])
})

test('a planned selection 4 is also what the machine writes as 04, unless it has both', () => {
  const line = (selection: string) => ({
    selection,
    productId: null,
    capacity: 5,
    warningLevel: 1,
    refillValue: 5,
    prices: {},
  })
  const report = (selection: string): ReportedSelection => ({
    selection,
    productId: null,
    product: null,
    level: null,
    capacity: 6,
    warningLevel: null,
    prices: {},
  })
  const differences = (planned: string[], reported: string[]) =>
    compareLines(planned.map(line), reported.map(report)).map((one) => [one.selection, ...one.differences])
  expect(differences(['4'], ['04'])).toEqual([['4', 'capacity']])
  expect(differences(['4'], ['4', '04'])).toEqual([
    ['04', 'onlyReported'],
    ['4', 'capacity'],
  ])
  expect(differences(['4', '04'], ['04'])).toEqual([
    ['04', 'capacity'],
    ['4', 'onlyPlanned'],
  ])
})
