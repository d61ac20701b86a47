import { expect, test } from 'vitest'
import { numbersIn } from './number-style.ts'

test('the numbers of a file have the form of the amounts beside them, whatever its language', () => {
  expect(numbersIn('en', 'EUR').format(12345.5)).toBe('12.345,5')
  expect(numbersIn('de', 'GBP', { style: 'percent', minimumFractionDigits: 1 }).format(0.125)).toBe('12.5\u00a0%')
})

test('without one form of amounts they have that of the language', () => {
  expect(numbersIn('en', undefined).format(1234.5)).toBe('1,234.5')
  expect(numbersIn('de', undefined).format(1234.5)).toBe('1.234,5')
})
