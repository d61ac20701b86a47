import { expect, test } from 'vitest'
import { chooseLanguage } from './language.ts'

test('the language a user saved comes before everything else', () => {
  expect(chooseLanguage({ saved: 'de', deployment: 'it', browser: ['fr-FR'] })).toBe('de')
})

test("the deployment's language comes before the browser's", () => {
  expect(chooseLanguage({ deployment: 'it', browser: ['fr-FR'] })).toBe('it')
})

test("the browser's language is taken when the portal speaks it, whatever its region", () => {
  expect(chooseLanguage({ browser: ['nl-NL', 'pt-BR', 'en'] })).toBe('pt')
})

test('English is what remains', () => {
  expect(chooseLanguage({ saved: 'xx', deployment: '', browser: ['nl', 'ja'] })).toBe('en')
})
