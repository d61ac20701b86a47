import { expect, test } from 'vitest'
import { saying } from './paletteSources.ts'

test('what was found by a word that is not shown says that word first', () => {
  const usual = ['CM-1042', 'North', null]
  expect(saying('piazza', 'Canteen', usual, ['Piazza Garibaldi 3'])).toBe('Piazza Garibaldi 3 · CM-1042 · North')
  expect(saying('1042', 'Canteen', usual, ['Piazza 1042'])).toBe('CM-1042 · North')
  expect(saying('cant', 'Canteen', usual, [null])).toBe('CM-1042 · North')
})
