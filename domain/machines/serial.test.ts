import { expect, test } from 'vitest'
import { isSameSerial, serialKey } from './serial.ts'

test('serials are the same whatever their capitals, and with blanks around them', () => {
  expect(isSameSerial(' exp-1', 'EXP-1 ')).toBe(true)
  expect(isSameSerial('EXP-1', 'EXP_1')).toBe(false)
  expect(serialKey('lab.0001-x')).toBe('LAB.0001-X')
})
