import { expect, test } from 'vitest'
import { doContradict } from './rule-conflict.ts'

test('rules from the same version contradict, rules that follow one another agree', () => {
  const toTwo = { from: ['1'], to: '2' }
  expect(doContradict(toTwo, { from: ['1'], to: '3' })).toBe(true)
  expect(doContradict(toTwo, { from: [], to: '3' })).toBe(true)
  expect(doContradict(toTwo, { from: ['2'], to: '3' })).toBe(false)
  expect(doContradict(toTwo, { from: ['2'], to: '1' })).toBe(true)
})
