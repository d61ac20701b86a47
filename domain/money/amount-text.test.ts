import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { readAmount, readDecimal, readNumber, writeAmount } from './amount-text.ts'

test.each([
  ['1.234,56', ',', 1234.56],
  ['1.234,56', '.', 1234.56],
  ['1,234.56', ',', 1234.56],
  ['1 234,56', ',', 1234.56],
  ['1’234.56', '.', 1234.56],
  ['2,5', ',', 2.5],
  ['2.5', ',', 2.5],
  ['2,5', '.', 2.5],
  ['1.234', ',', 1234],
  ['1.234', '.', 1.234],
  ['1,234', '.', 1234],
  ['1.234.567', ',', 1234567],
  ['0.123', ',', 0.123],
  ['−12,5', ',', -12.5],
  [' -3 ', ',', -3],
  [',5', ',', 0.5],
  ['5,', ',', 5],
] as const)('%j is read as a person of the language means it (decimal mark %s)', (text, decimal, value) => {
  expect(readNumber(text, decimal, 3)).toBe(value)
})

test.each([
  '',
  ' ',
  'abc',
  '1.2.3',
  '1,23.456,7',
  '12.34,5.6',
  '--1',
  '1e3',
  '0x10',
  '∞',
  '.',
  '1..2',
  '99999999999999999999',
])('%j is not a number', (text) => expect(readNumber(text, ',', 3)).toBeUndefined())

test('too many decimals are refused, but trailing zeros are allowed', () => {
  expect(readNumber('1,25', ',', 1)).toBeUndefined()
  expect(readNumber('1,50', ',', 1)).toBe(1.5)
  expect(readNumber('1,0', ',', 0)).toBe(1)
})

test.each([
  ['EUR', '1.234,56', 123456],
  ['EUR', '€ 1.234,56', 123456],
  ['EUR', '0,07', 7],
  ['EUR', '1,005', undefined],
  ['GBP', '1,234.5', 123450],
  ['CZK', '12,50', 1250],
  ['CLP', '1.990', 1990],
  ['CLP', '1,5', undefined],
  ['ZAR', '1 234,56', 123456],
  ['MXN', '19.99', 1999],
] as [Currency, string, number | undefined][])('%s: %s is %s minor units', (currency, text, minor) => {
  expect(readAmount(text, currency)).toBe(minor)
})

test('an amount written for editing is read back as the same amount, in every currency', () => {
  expect(writeAmount(1250, 'CZK')).toBe('12,50')
  expect(writeAmount(1200, 'CZK')).toBe('12')
  expect(writeAmount(-50, 'CZK')).toBe('−0,50')
  expect(writeAmount(123456, 'EUR')).toBe('1.234,56')
  const all = fc.constantFrom(...(Object.keys(currencies) as Currency[]))
  fc.assert(
    fc.property(all, fc.integer({ min: -1e12, max: 1e12 }), (currency, minor) => {
      expect(readAmount(writeAmount(minor, currency), currency)).toBe(minor)
    }),
    { numRuns: 2000 },
  )
})

test('no text makes it throw', () => {
  const signs = fc.constantFrom('1', '0', '9', '.', ',', '-', ' ', '€')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(signs).map((list) => list.join('')),
      ),
      (text) => {
        const read = readDecimal(text, ',')
        if (read) expect(read.whole + read.fraction).toMatch(/^\d+$/)
      },
    ),
  )
})
