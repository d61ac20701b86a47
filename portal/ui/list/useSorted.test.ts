import { expect, test } from 'vitest'
import { sortedBy } from './useSorted.ts'

const rows = [
  { name: 'b', value: 2 },
  { name: 'a', value: null },
  { name: 'c', value: 10 },
  { name: 'd', value: 2 },
]
const by = (ord: 'name' | 'value' | null, ordType: 'ASC' | 'DESC') =>
  sortedBy(rows, { ord, ordType }, (row, column) => row[column])
    .map(({ name }) => name)
    .join('')

test('numbers sort as numbers, texts as texts, and equal rows keep their order', () => {
  expect(by('value', 'ASC')).toBe('bdca')
  expect(by('name', 'DESC')).toBe('dcba')
  expect(by(null, 'DESC')).toBe('bacd')
})

test('unknown values are last in both directions', () => {
  expect(by('value', 'DESC')).toBe('cbda')
})
