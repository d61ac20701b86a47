import { expect, test } from 'vitest'
import { blogTextFor } from './blog-language.ts'

test('Italian readers get Italian, all others English; a missing text falls back to the other language', () => {
  const text = { it: 'Ciao', en: 'Hello' }
  expect(blogTextFor(text, 'it')).toBe('Ciao')
  expect(blogTextFor(text, 'en')).toBe('Hello')
  expect(blogTextFor(text, 'de')).toBe('Hello')
  expect(blogTextFor({ it: 'Ciao', en: '' }, 'fr')).toBe('Ciao')
  expect(blogTextFor({ it: '', en: 'Hello' }, 'it')).toBe('Hello')
})
