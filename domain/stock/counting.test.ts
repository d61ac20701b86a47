import { expect, test } from 'vitest'
import { type Difference, differenceAfter, isFinding, keepBooks, noDifference } from './counting.ts'

const reports = (start: Difference, ...pairs: [level: number, expected: number][]) =>
  pairs.reduce((difference, [level, expected]) => differenceAfter(difference, level, expected), start)

test('a difference is a finding when it stays over two reports', () => {
  expect(isFinding(reports(noDifference, [139, 150]))).toBe(false)
  expect(isFinding(reports(noDifference, [139, 150], [138, 149]))).toBe(true)
  // The machine has taken the refill over meanwhile.
  expect(isFinding(reports(noDifference, [139, 150], [149, 149]))).toBe(false)
  expect(isFinding(reports(noDifference, [139, 150], [150, 149]))).toBe(false)
})

test('a difference that a user keeps is no finding until it changes for two reports', () => {
  const afterBooks = keepBooks(reports(noDifference, [139, 150], [138, 149]))
  expect(isFinding(reports(afterBooks, [137, 148]))).toBe(false)
  expect(isFinding(reports(afterBooks, [130, 148]))).toBe(false)
  expect(isFinding(reports(afterBooks, [130, 148], [129, 147]))).toBe(true)
})
