import { expect, test } from 'vitest'
import { brokenPasswordRules } from './password.ts'

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
