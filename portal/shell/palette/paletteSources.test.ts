import { expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { readWords } from '#testkit/words.ts'
import { resultLine, wordFound } from './paletteSources.ts'

test('a result matched by a hidden word shows that word first', () => {
  const usual = ['CM-1042', 'North', null]
  expect(resultLine('piazza', 'Canteen', usual, ['Piazza Garibaldi 3'])).toBe('Piazza Garibaldi 3 · CM-1042 · North')
  expect(resultLine('1042', 'Canteen', usual, ['Piazza 1042'])).toBe('CM-1042 · North')
  expect(resultLine('cant', 'Canteen', usual, [null])).toBe('CM-1042 · North')
})

test('a screen is found by the words of the field, from the beginning of a word on', () => {
  const words = 'restart, reboot, out of order, réinitialiser'
  expect(wordFound(words, 'REB')).toBe('reboot')
  expect(wordFound(words, 'order')).toBe('out of order')
  expect(wordFound(words, 'reini')).toBe('réinitialiser')
  expect(wordFound(words, 'start')).toBeUndefined()
  expect(wordFound(words, '  ')).toBeUndefined()
  expect(wordFound('', 'restart')).toBeUndefined()
})

test('every screen of the menu has words of the field', () => {
  const { finds } = readWords<{ finds: Record<string, string> }>('en', 'palette')
  const labels = screens.filter(({ menu }) => menu).map(({ label }) => label)
  expect(labels.filter((label) => !finds[label])).toEqual([])
})
