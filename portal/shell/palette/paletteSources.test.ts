import { expect, test } from 'vitest'
import { saying } from './paletteSources.ts'

test('a result matched by a hidden word shows that word first', () => {
  const usual = ['CM-1042', 'North', null]
  expect(saying('piazza', 'Canteen', usual, ['Piazza Garibaldi 3'])).toBe('Piazza Garibaldi 3 · CM-1042 · North')
  expect(saying('1042', 'Canteen', usual, ['Piazza 1042'])).toBe('CM-1042 · North')
  expect(saying('cant', 'Canteen', usual, [null])).toBe('CM-1042 · North')
})
