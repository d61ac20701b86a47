import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TrailMovement, type TrailReading, trailOf } from './cash-trail.ts'

const hour = 3_600_000
const isSameDay = (one: number, other: number) => Math.floor(one / (24 * hour)) === Math.floor(other / (24 * hour))

/** What happens at a machine: sales into the box or a tube, payouts, fills, theft, and reports of the cash in it. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('move' as const),
    type: fc.constantFrom(1, 4, 8, 11),
    cash: fc.integer({ min: -300, max: 900 }),
    inTubes: fc.integer({ min: -100, max: 100 }),
  }),
  fc.record({ kind: fc.constant('report' as const), knowsBox: fc.boolean() }),
)

function course(
  events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[],
  start: { box: number; tubes: number },
) {
  let { box, tubes } = start
  const readings: TrailReading[] = []
  const movements: TrailMovement[] = []
  for (const [at, one] of events.entries()) {
    if (one.kind === 'report') readings.push({ at: (at + 1) * hour, box: one.knowsBox ? box : null, tubes })
    else {
      box += one.cash - one.inTubes
      tubes += one.inTubes
      movements.push({ stretch: readings.length, type: one.type, count: 1, cash: one.cash })
    }
  }
  return { readings, movements }
}

const held = { box: 500, tubes: 200 }
const base: TrailReading = { at: 0, ...held }

test('the trail’s running figure is the cash of its transactions, in one step or many', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const facts = { base, ...course(events, held) }
      const all = facts.movements.reduce((sum, { cash }) => sum + cash, 0)
      for (const { steps } of [trailOf(facts), trailOf(facts, isSameDay)]) {
        let moved = 0
        for (const step of steps) {
          moved += step.movements.reduce((sum, { cash }) => sum + cash, 0)
          expect(step.moved).toBe(moved)
          if (step.expected !== null) expect(step.expected).toBe(700 + moved)
        }
        expect(moved).toBe(all)
        expect(steps.reduce((sum, { movements }) => sum + movements.reduce((n, { count }) => n + count, 0), 0)).toBe(
          facts.movements.length,
        )
        expect(steps.reduce((sum, { readings }) => sum + readings, 0)).toBe(facts.readings.length)
      }
    }),
  )
})

test('a machine that reports all that moved never differs, also without a report at the collection', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (events, hasBase) => {
      const { steps, parted } = trailOf({ base: hasBase ? base : null, ...course(events, held) })
      expect(parted).toBeNull()
      for (const { difference } of steps) expect(difference ?? 0).toBe(0)
    }),
  )
})

test('money that disappears parts the trail at the first report after it, and the difference is the money', () => {
  const stolen = fc.record({
    before: fc.array(event, { maxLength: 20 }),
    after: fc.array(event, { maxLength: 20 }),
    amount: fc.integer({ min: 1, max: 400 }),
  })
  fc.assert(
    fc.property(stolen, ({ before, after, amount }) => {
      const { readings, movements } = course([...before, ...after], held)
      const early = before.filter(({ kind }) => kind === 'report').length
      const found = readings.map((one, at) =>
        at < early || one.box === null ? one : { ...one, box: one.box - amount },
      )
      const facts = { base, readings: found, movements }
      const first = found.slice(early).find(({ box }) => box !== null)
      const lastEqual = found.slice(0, early).findLast(({ box }) => box !== null) ?? base
      for (const { parted } of [trailOf(facts), trailOf(facts, isSameDay)])
        expect(parted).toEqual(first ? { after: lastEqual.at, at: first.at, difference: -amount } : null)
    }),
  )
})

test('a report that the next one corrects is no place where a difference began', () => {
  const readings = [
    { at: 1, box: 100, tubes: 0 },
    { at: 2, box: 60, tubes: 0 },
    { at: 3, box: 100, tubes: 0 },
  ]
  const { steps, parted } = trailOf({ base: { at: 0, box: 100, tubes: 0 }, readings, movements: [] }, () => true)
  expect(parted).toBeNull()
  expect(steps.map(({ difference }) => difference)).toEqual([0, -40, 0])
})
