import { expect, test } from 'vitest'
import { phoneOf, writePhone } from './phone.ts'

test('a phone number is read as it is dialled in the country and stored in one way', () => {
  expect(phoneOf('06 6982 1234', 'IT')).toBe('+390669821234')
  expect(phoneOf('0039 06 6982 1234', 'IT')).toBe('+390669821234')
  expect(phoneOf('+52 55 1234 5678', 'IT')).toBe('+525512345678')
  expect(phoneOf('call 06 6982 1234', 'IT')).toBeUndefined()
  expect(phoneOf('06 6982 1234', '')).toBeUndefined()
  expect(phoneOf('06 6982 1234', 'XX')).toBeUndefined()
  expect(writePhone('+390669821234')).toBe('+39 06 6982 1234')
  expect(writePhone('nonsense')).toBe('nonsense')
})
