import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serviceDaysOf } from './availability.ts'
import type { Move } from './forecast/shown.ts'

const hour = 3_600_000
const day = 24 * hour
const starts = [0, day, 2 * day]
const move = (at: number, amount: number, with_: Partial<Move> = {}): Move => ({
  at,
  amount,
  isSale: amount < 0,
  isOpening: false,
  ...with_,
})
const selection = { balance: 5, moves: [] as Move[], openedAt: -day, endedAt: null as number | null }

test('a selection with pieces is in service the whole day and never sold out', () => {
  expect(serviceDaysOf(selection, starts, 3 * day)).toEqual([
    { minutes: 1440, soldOut: 0 },
    { minutes: 1440, soldOut: 0 },
  ])
})

test('it is sold out from its last sale until the refill, on each of the days', () => {
  const moves = [move(18 * hour, -1), move(day + 6 * hour, 8)]
  expect(serviceDaysOf({ ...selection, balance: 8, moves }, starts, 3 * day)).toEqual([
    { minutes: 1440, soldOut: 360 },
    { minutes: 1440, soldOut: 360 },
  ])
})

test('its service begins with its books and ends when it leaves the machine', () => {
  const moves = [move(12 * hour, 0, { isOpening: true, isSale: false })]
  expect(serviceDaysOf({ ...selection, balance: 0, moves, openedAt: 12 * hour }, starts, 3 * day)).toEqual([
    { minutes: 720, soldOut: 720 },
    { minutes: 1440, soldOut: 1440 },
  ])
  expect(serviceDaysOf({ ...selection, endedAt: day + hour }, starts, 3 * day)[1]).toEqual({ minutes: 60, soldOut: 0 })
  expect(serviceDaysOf({ ...selection, openedAt: null }, starts, 3 * day)[0]).toEqual({ minutes: 0, soldOut: 0 })
})

test('a day of 25 hours has 25 hours of service', () => {
  expect(serviceDaysOf(selection, [0, 25 * hour], 3 * day)[0]).toEqual({ minutes: 1500, soldOut: 0 })
})

test('forwards, minute by minute, its level says the same', () => {
  const minute = 60_000
  const steps = fc.array(
    fc.record({ at: fc.integer({ min: 1, max: 2879 }), refill: fc.integer({ min: 1, max: 5 }), isSale: fc.boolean() }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 }), steps, (start, all) => {
      const inOrder = [...new Map(all.map((step) => [step.at, step])).values()].toSorted(
        (one, other) => one.at - other.at,
      )
      let level = start
      const moves: Move[] = []
      const levels = Array.from({ length: 2880 }, () => 0)
      let next = 0
      for (let at = 0; at < 2880; at++) {
        const step = inOrder[next]
        if (step?.at === at) {
          next++
          // No more is sold than is there.
          const amount = step.isSale ? -Math.min(1, level) : step.refill
          if (amount !== 0) moves.push(move(at * minute, amount))
          level += amount
        }
        levels[at] = level
      }
      const out = (from: number, to: number) => levels.slice(from, to).filter((one) => one === 0).length
      const days = serviceDaysOf(
        { balance: level, moves, openedAt: -1, endedAt: null },
        [0, 1440 * minute, 2880 * minute],
        2880 * minute,
      )
      expect(days.map(({ soldOut }) => soldOut)).toEqual([out(0, 1440), out(1440, 2880)])
    }),
  )
})
