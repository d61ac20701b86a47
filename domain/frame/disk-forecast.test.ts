import { expect, test } from 'vitest'
import { daysUntil, growthPerDay } from './disk-forecast.ts'

const day = 86_400_000
const sample = (at: number, used: number, total = 1_000) => ({ at: new Date(at * day), used, total })

test('the growth is that of the line through the samples', () => {
  expect(growthPerDay([sample(0, 100), sample(1, 120), sample(2, 110), sample(3, 130)])).toBeCloseTo(8)
})

test('a disk that grows by ten a day reaches 80 % in 30 days, and 90 % in 40', () => {
  const samples = Array.from({ length: 21 }, (_, at) => sample(at, 300 + at * 10))
  expect([daysUntil(samples, 0.8), daysUntil(samples, 0.9)].map((days) => Math.round(days ?? 0))).toEqual([30, 40])
})

test('a full disk has no days left; a disk without growth or with a short record has no forecast', () => {
  expect(daysUntil([sample(0, 850)], 0.8)).toBe(0)
  expect(daysUntil([sample(0, 500), sample(5, 400)], 0.8)).toBeUndefined()
  expect(daysUntil([sample(0, 100), sample(0.5, 200)], 0.8)).toBeUndefined()
  expect(daysUntil([], 0.8)).toBeUndefined()
})
