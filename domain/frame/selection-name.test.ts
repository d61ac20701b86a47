import { expect, test } from 'vitest'
import { nameAmong, namesOfLine } from './selection-name.ts'

test('a line is the selection with its number, with or without leading zeros', () => {
  for (const [selection, ownName] of [
    ['4', '04'],
    ['04', '4'],
    ['4', '004'],
    ['012', '12'],
    ['0', '00'],
  ] as const)
    expect(nameAmong(selection, new Set([ownName, 'A4', '40'])), `${selection} ${ownName}`).toBe(ownName)
})

test('an exact name comes first, so 4 and 04 beside each other are two selections', () => {
  const names = new Set(['4', '04'])
  expect([nameAmong('4', names), nameAmong('04', names)]).toEqual(['4', '04'])
})

test('names without a number are only themselves', () => {
  const names = new Set(['A4', '04B', 'HOT'])
  for (const other of ['a4', '4B', '4', 'A04', '']) expect(nameAmong(other, names), other).toBeUndefined()
  expect(namesOfLine('A4')).toEqual(['A4'])
  expect(namesOfLine('12')).toEqual(['12', '012', '0012'])
})
