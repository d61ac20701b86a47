import { expect, test } from 'vitest'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { formatMoney } from './money.ts'

/** Minor units as they are stored. 49 and 50 are where currencies that show no cents round. */
const amounts = [0, 4, 49, 50, 999, 1000, -1000, 123_456, 100_000_000, 1_234_567_890] as const

/**
 * The specification's table, and for the currencies it does not name ISO 4217 and the habit of their country: digits stored, digits
 * shown, symbol, then each of the amounts above. An underscore is a no-break space, so that it can be seen.
 */
const table = {
  COP: [2, 0, '$', '_0', '_0', '_0', '_1', '_10', '_10', '_−10', '_1.235', '_1.000.000', '_12.345.679'],
  CZK: [2, 0, 'Kč', '_0', '_0', '_0', '_1', '_10', '_10', '_−10', '_1.235', '_1.000.000', '_12.345.679'],
  EUR: [
    2,
    2,
    '€',
    '_0,00',
    '_0,04',
    '_0,49',
    '_0,50',
    '_9,99',
    '_10,00',
    '_−10,00',
    '_1.234,56',
    '_1.000.000,00',
    '_12.345.678,90',
  ],
  GBP: [
    2,
    2,
    '£',
    '_0.00',
    '_0.04',
    '_0.49',
    '_0.50',
    '_9.99',
    '_10.00',
    '_−10.00',
    '_1,234.56',
    '_1,000,000.00',
    '_12,345,678.90',
  ],
  QAR: [
    2,
    2,
    'QAR',
    '_0.00',
    '_0.04',
    '_0.49',
    '_0.50',
    '_9.99',
    '_10.00',
    '_−10.00',
    '_1,234.56',
    '_1,000,000.00',
    '_12,345,678.90',
  ],
  RON: [
    2,
    2,
    'lei',
    '_0,00',
    '_0,04',
    '_0,49',
    '_0,50',
    '_9,99',
    '_10,00',
    '_−10,00',
    '_1.234,56',
    '_1.000.000,00',
    '_12.345.678,90',
  ],
  RSD: [
    2,
    2,
    'RSD',
    '_0,00',
    '_0,04',
    '_0,49',
    '_0,50',
    '_9,99',
    '_10,00',
    '_−10,00',
    '_1.234,56',
    '_1.000.000,00',
    '_12.345.678,90',
  ],
  ZAR: [
    2,
    2,
    'R',
    '_0,00',
    '_0,04',
    '_0,49',
    '_0,50',
    '_9,99',
    '_10,00',
    '_−10,00',
    '_1_234,56',
    '_1_000_000,00',
    '_12_345_678,90',
  ],
  MXN: [
    2,
    2,
    '$',
    '_0.00',
    '_0.04',
    '_0.49',
    '_0.50',
    '_9.99',
    '_10.00',
    '_−10.00',
    '_1,234.56',
    '_1,000,000.00',
    '_12,345,678.90',
  ],
  UYU: [2, 0, '$U', '_0', '_0', '_0', '_1', '_10', '_10', '_−10', '_1.235', '_1.000.000', '_12.345.679'],
  CLP: [0, 0, '$', '_0', '_4', '_49', '_50', '_999', '_1.000', '_−1.000', '_123.456', '_100.000.000', '_1.234.567.890'],
  BRL: [
    2,
    2,
    'R$',
    '_0,00',
    '_0,04',
    '_0,49',
    '_0,50',
    '_9,99',
    '_10,00',
    '_−10,00',
    '_1.234,56',
    '_1.000.000,00',
    '_12.345.678,90',
  ],
  PEN: [
    2,
    2,
    'S/',
    '_0.00',
    '_0.04',
    '_0.49',
    '_0.50',
    '_9.99',
    '_10.00',
    '_−10.00',
    '_1,234.56',
    '_1,000,000.00',
    '_12,345,678.90',
  ],
  PYG: [0, 0, '₲', '_0', '_4', '_49', '_50', '_999', '_1.000', '_−1.000', '_123.456', '_100.000.000', '_1.234.567.890'],
  USD: [
    2,
    2,
    'US$',
    '_0.00',
    '_0.04',
    '_0.49',
    '_0.50',
    '_9.99',
    '_10.00',
    '_−10.00',
    '_1,234.56',
    '_1,000,000.00',
    '_12,345,678.90',
  ],
} as const satisfies Record<Currency, readonly [stored: number, shown: number, symbol: string, ...amounts: string[]]>

test.each(Object.entries(table))('%s is stored, rounded and written as specified', (code, row) => {
  const currency = code as Currency
  const [stored, displayed, symbol, ...written] = row
  expect(currencies[currency]).toMatchObject({ storageDigits: stored, shownDigits: displayed, symbol })
  expect(amounts.map((minor) => formatMoney(minor, currency))).toEqual(
    written.map((text) => `${symbol}${text}`.replaceAll('_', '\u00a0')),
  )
})

test('every currency of the product is in the table, and no other', () => {
  expect(Object.keys(table).sort()).toEqual(Object.keys(currencies).sort())
  expect(Object.keys(table)).toHaveLength(15)
})

test('an amount that rounds to zero has no sign, and rounding is away from zero on both sides', () => {
  expect([-49, -50, -149, -150].map((minor) => formatMoney(minor, 'CZK'))).toEqual(
    ['Kč_0', 'Kč_−1', 'Kč_−1', 'Kč_−2'].map((text) => text.replaceAll('_', '\u00a0')),
  )
})

test('the largest amount that is stored exactly is written exactly', () => {
  expect(formatMoney(Number.MAX_SAFE_INTEGER, 'EUR')).toBe('€\u00a090.071.992.547.409,91')
  expect(formatMoney(Number.MAX_SAFE_INTEGER, 'PYG')).toBe('₲\u00a09.007.199.254.740.991')
})
