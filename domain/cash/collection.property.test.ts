import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionsOf, isEmptied, type SourceOfCollection, sameCollectionMs, takenAt } from './collection.ts'

const minute = 60_000
const hour = 60 * minute
const source = (
  kind: SourceOfCollection['kind'],
  at: number,
  with_: Partial<SourceOfCollection> = {},
): SourceOfCollection => ({
  kind,
  id: `${kind} ${at}`,
  at,
  since: at,
  bagNumber: null,
  pinnedTo: null,
  ...with_,
})
const idsOf = (groups: SourceOfCollection[][]) => groups.map((group) => group.map(({ id }) => id))

/** Boxes taken at least two days apart, each reported in some ways with some delay. */
const events = fc
  .array(
    fc.record({
      days: fc.integer({ min: 2, max: 9 }),
      sale: fc.boolean(),
      audit: fc.option(fc.integer({ min: 0, max: 90 })),
      visit: fc.option(fc.integer({ min: -180, max: 180 })),
      reading: fc.option(fc.integer({ min: 1, max: 20 })),
    }),
    { maxLength: 6 },
  )
  .map((each) => {
    let at = 0
    return each.flatMap(({ days, sale, audit, visit, reading }, event) => {
      at += days * 24 * hour
      const sources = [
        ...(sale ? [source('sale', at)] : []),
        ...(audit === null ? [] : [source('audit', at + audit * minute)]),
        ...(visit === null ? [] : [source('visit', at + visit * minute, { bagNumber: `B${event}` })]),
        // The reading may be the one of the next day.
        ...(reading === null ? [] : [source('reading', at + reading * hour, { since: at - 4 * hour })]),
      ]
      return sources.length === 0 ? [] : [sources]
    })
  })

test('all reports of a box are one collection, in whatever order they arrive', () => {
  fc.assert(
    fc.property(
      events.chain((groups) =>
        fc.tuple(fc.constant(groups), fc.shuffledSubarray(groups.flat(), { minLength: groups.flat().length })),
      ),
      ([groups, arrived]) => {
        const expected = groups.map((group) => group.map(({ id }) => id).toSorted())
        expect(idsOf(collectionsOf(arrived)).map((ids) => ids.toSorted())).toEqual(expected)
      },
    ),
  )
})

const anySource = fc
  .record({
    kind: fc.constantFrom('sale' as const, 'audit' as const, 'visit' as const, 'reading' as const),
    at: fc.integer({ min: 0, max: 72 * 60 }),
    since: fc.integer({ min: 0, max: 30 * 60 }),
    bag: fc.constantFrom(null, null, 'A', 'B'),
    pinnedTo: fc.constantFrom(null, null, null, 'one', 'other'),
  })
  .map(({ kind, at, since, bag, pinnedTo }) =>
    source(kind, at * minute, {
      since: (kind === 'reading' ? at - since : at) * minute,
      bagNumber: kind === 'visit' ? bag : null,
      pinnedTo,
    }),
  )

test('every report is in one collection, near the others, and nothing counted moves', () => {
  fc.assert(
    fc.property(fc.array(anySource, { maxLength: 9 }), (drawn) => {
      const sources = drawn.map((each, index) => ({ ...each, id: String(index) }))
      const groups = collectionsOf(sources)
      expect(
        groups
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(sources.map(({ id }) => id).toSorted())
      expect(idsOf(collectionsOf(sources.toReversed()))).toEqual(idsOf(groups))
      for (const group of groups) {
        const pins = new Set(group.map(({ pinnedTo }) => pinnedTo).filter(Boolean))
        expect(pins.size).toBeLessThanOrEqual(1)
        const free = group.filter(({ pinnedTo }) => !pinnedTo)
        expect(new Set(free.map(({ bagNumber }) => bagNumber).filter(Boolean)).size).toBeLessThanOrEqual(1)
        for (const one of free)
          for (const other of free)
            expect(Math.max(one.since, other.since) - Math.min(one.at, other.at)).toBeLessThanOrEqual(sameCollectionMs)
      }
      for (const pin of ['one', 'other'])
        expect(groups.filter((group) => group.some(({ pinnedTo }) => pinnedTo === pin)).length).toBeLessThanOrEqual(1)
    }),
  )
})

test('a visit belongs to the audit nearest to it', () => {
  const sources = [source('audit', 0), source('visit', 6 * hour), source('audit', 6 * hour + 5 * minute)]
  expect(idsOf(collectionsOf(sources))).toEqual([['audit 0'], ['visit 21600000', 'audit 21900000']])
})

test('two bags, or two emptied boxes, are two collections', () => {
  const bags = [source('visit', 0, { bagNumber: 'A' }), source('visit', minute, { bagNumber: 'B' })]
  expect(collectionsOf(bags)).toHaveLength(2)
  const emptied = [source('reading', 0), source('reading', 5 * minute)]
  expect(collectionsOf(emptied)).toHaveLength(2)
  const twice = [source('audit', 0), source('audit', 5 * minute), source('sale', -minute)]
  expect(collectionsOf(twice)).toHaveLength(1)
})

test('the machine’s own transaction says best when the box was taken', () => {
  expect(takenAt([source('reading', 20), source('visit', 5), source('sale', 10), source('sale', 12)])).toBe(10)
  expect(takenAt([source('reading', 20), source('visit', 25)])).toBe(25)
})

test('a box that fell by a real amount was emptied, also if it has partly filled again', () => {
  expect(isEmptied(5000, 0, 500)).toBe(true)
  expect(isEmptied(5000, 2000, 500)).toBe(true)
  expect(isEmptied(5000, 4900, 500)).toBe(false)
  expect(isEmptied(300, 0, 500)).toBe(false)
})
