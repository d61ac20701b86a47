import { expect, test } from 'vitest'
import { resultLine } from './paletteSources.ts'

test('a result matched by a hidden word shows that word first', () => {
  const usual = ['CM-1042', 'North', null]
  expect(resultLine('piazza', 'Canteen', usual, ['Piazza Garibaldi 3'])).toBe('Piazza Garibaldi 3 · CM-1042 · North')
  expect(resultLine('1042', 'Canteen', usual, ['Piazza 1042'])).toBe('CM-1042 · North')
  expect(resultLine('cant', 'Canteen', usual, [null])).toBe('CM-1042 · North')
})
