import { expect, test } from 'vitest'
import { readIds } from './useChosenMachines.ts'

const [one, two] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002']

test('machines of an address stand side by side or with commas between them', () => {
  expect(readIds([one, two])).toEqual([one, two])
  expect(readIds([`${one},${two}`])).toEqual([one, two])
})

test('each counts once, and what is no id not at all', () => {
  expect(readIds([one, one, '', '<script>', '1; drop table machines'])).toEqual([one])
})
