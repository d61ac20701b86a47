import { expect, test } from 'vitest'
import { freeName } from './report-name.ts'

test('a copied report keeps its name, or gets the first free number', () => {
  expect(freeName('Coffee', [])).toBe('Coffee')
  expect(freeName('Coffee', ['coffee'])).toBe('Coffee (2)')
  expect(freeName('Coffee', ['coffee', 'coffee (2)'])).toBe('Coffee (3)')
})

test('a numbered name is as long as names may be', () => {
  const long = 'x'.repeat(80)
  expect(freeName(long, [long])).toBe(`${'x'.repeat(76)} (2)`)
})
