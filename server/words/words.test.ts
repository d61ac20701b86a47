import { expect, test } from 'vitest'
import { pageLanguage, spokenOf, wordsIn } from './words.ts'

test('a sentence is from the language files, with its facts filled in', () => {
  expect(wordsIn('it', 'identity')('signIn.wrong')).toBe('Email o password errata')
  expect(wordsIn('en', 'identity')('reset.lead', { email: 'a&b@x.it' })).toBe('For a&b@x.it')
})

test.each([
  ['it-IT,it;q=0.9,en;q=0.8', 'it'],
  ['nl,de;q=0.5,fr;q=0.9', 'fr'],
  ['de, en;q=0.7', 'de'],
  ['pt-BR es', 'pt'],
  ['nl', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
])('for %j the language is %j', (header, language) => {
  expect(spokenOf(header)).toBe(language)
})

test('a reader’s choice precedes the deployment’s language, which precedes the browser’s', () => {
  expect(pageLanguage({ chosen: 'fr', deployment: 'it', accept: 'de' })).toBe('fr')
  expect(pageLanguage({ chosen: '<script>', deployment: 'it', accept: 'de' })).toBe('it')
  expect(pageLanguage({ chosen: undefined, deployment: undefined, accept: 'de' })).toBe('de')
  expect(pageLanguage({ chosen: undefined, deployment: undefined, accept: 'nl' })).toBe('en')
})
