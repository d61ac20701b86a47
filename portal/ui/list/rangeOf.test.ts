import { expect, test } from 'vitest'
import { rangeOf } from './rangeOf.ts'

const rows = (letters: string) => ({
  count: letters.length,
  at: (index: number) => letters[index]?.trim() || undefined,
})
const range = (letters: string, from: string, to: string) =>
  rangeOf(rows(letters), (letter) => letter, from, to)?.join('')

test('a range goes from the first clicked row to the last, in either direction', () => {
  expect(range('abcdef', 'b', 'e')).toBe('bcde')
  expect(range('abcdef', 'e', 'b')).toBe('bcde')
  expect(range('abcdef', 'c', 'c')).toBe('c')
})

test('there is no range to a row of another page, nor across rows that are not loaded', () => {
  expect(range('abc', 'b', 'x')).toBeUndefined()
  expect(range('ab de', 'a', 'e')).toBeUndefined()
})
