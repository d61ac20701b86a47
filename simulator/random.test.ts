import { expect, test } from 'vitest'
import { zoneClock } from './clock.ts'
import { fixedChance, randomFrom } from './random.ts'

const many = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw)
const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

test('a seed always gives the same sequence, and another seed another sequence', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((seed) => randomFrom(seed))
  const drawn = many(100, () => one?.next())
  expect(many(100, () => same?.next())).toEqual(drawn)
  expect(many(100, () => other?.next())).not.toEqual(drawn)
})

test('chance is fair: numbers fill their range, counts and waits have their means', () => {
  const random = randomFrom('fair')
  expect(mean(many(20_000, () => random.next()))).toBeCloseTo(0.5, 1)
  expect(mean(many(20_000, () => random.poisson(3.2)))).toBeCloseTo(3.2, 0)
  expect(mean(many(20_000, () => random.poisson(80)))).toBeGreaterThan(79)
  expect(mean(many(20_000, () => random.wait(5)))).toBeCloseTo(5, 0)
  expect(mean(many(20_000, () => random.around(0.3)))).toBeCloseTo(1, 1)
  expect(new Set(many(500, () => random.int(1, 6)))).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  expect(random.weighted([0, 0])).toBe(-1)
  expect(many(200, () => random.weighted([0, 2, 0]))).toEqual(many(200, () => 1))
  const fixed = many(2000, () => 0).map((_, index) => fixedChance(`day ${index}`))
  expect(mean(fixed)).toBeCloseTo(0.5, 1)
  expect(fixed.filter((value) => value < 0.1).length).toBeGreaterThan(140)
})

test('a zone’s clock knows its summer time, its week and its day', () => {
  const rome = zoneClock('Europe/Rome')
  expect(rome.local(Date.parse('2026-07-01T10:00:00.250Z'))).toBe('2026-07-01T12:00:00.250')
  expect(rome.local(Date.parse('2026-12-31T23:30:00Z'))).toBe('2027-01-01T00:30:00.000')
  // A Monday's first minute, and a Sunday's last hour.
  expect(rome.weekHour(Date.parse('2026-11-22T23:00:30Z'))).toBe(0)
  expect(rome.weekHour(Date.parse('2026-11-22T22:30:00Z'))).toBe(167)
  expect(rome.minuteOfDay(Date.parse('2026-11-22T22:30:00Z'))).toBe(23 * 60 + 30)
})
