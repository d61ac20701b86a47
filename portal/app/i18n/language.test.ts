import { expect, test } from 'vitest'
import { chooseLanguage } from './language.ts'

test('the language saved by a user is first', () => {
  expect(chooseLanguage({ saved: 'de', deployment: 'it', browser: ['fr-FR'] })).toBe('de')
})

test("the deployment's language precedes the browser's", () => {
  expect(chooseLanguage({ deployment: 'it', browser: ['fr-FR'] })).toBe('it')
})

test("the browser's language is used if the portal has it, whatever its region", () => {
  expect(chooseLanguage({ browser: ['xx-XX', 'pt-BR', 'en'] })).toBe('pt')
})

test('English is the fallback', () => {
  expect(chooseLanguage({ saved: 'xx', deployment: '', browser: ['xx', 'ja'] })).toBe('en')
})
