import { expect, test } from 'vitest'
import { brokenPasswordRules, passwordStrength } from '../rules/password.ts'

test.each([
  ['Gettone-demo-1', []],
  ['Àbcdefg1!', []],
  ['short1!', ['length', 'uppercase']],
  ['all lower case 1!', ['uppercase']],
  ['No digits here!', ['number']],
  ['NoSpecial123', ['special']],
  ['Spaces are not 1', ['special']],
  ['', ['length', 'uppercase', 'number', 'special']],
  ['🔒🔒🔒🔒A1!', ['length']],
])('%j breaks %j', (password, rules) => {
  expect(brokenPasswordRules(password)).toEqual(rules)
})

test.each([
  ['', 0],
  ['Gett-1', 1],
  ['gettone-12345678', 1],
  ['Gettone-1', 2],
  ['Aaaaaaaaaaaaaaa-1', 2],
  ['Gettone-demo1', 3],
  ['Correct-horse-7-staple', 4],
] as const)('%j has the strength %i', (text, strength) => {
  expect(passwordStrength(text)).toBe(strength)
})
