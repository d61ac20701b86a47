import { expect, test } from 'vitest'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { currencies } from '#contract/vocabulary/currencies.ts'
import { formatMoney } from './money.ts'

const shown = {
  COP: '$\u00a012.346',
  CZK: 'Kč\u00a012.346',
  EUR: '€\u00a012.345,60',
  GBP: '£\u00a012,345.60',
  QAR: 'QAR\u00a012,345.60',
  RON: 'lei\u00a012.345,60',
  RSD: 'RSD\u00a012.345,60',
  ZAR: 'R\u00a012\u00a0345,60',
  MXN: '$\u00a012,345.60',
  UYU: '$U\u00a012.346',
  CLP: '$\u00a01.234.560',
  BRL: 'R$\u00a012.345,60',
  PEN: 'S/\u00a012,345.60',
  PYG: '₲\u00a01.234.560',
  USD: 'US$\u00a012,345.60',
} as const satisfies Record<Currency, string>

test.each(Object.entries(shown))('1,234,560 minor units of %s show as %s', (currency, text) => {
  expect(formatMoney(1_234_560, currency as Currency)).toBe(text)
})

test('every currency has a row in the table above', () => {
  expect(Object.keys(shown).sort()).toEqual(Object.keys(currencies).sort())
})

test('cents below one unit keep their zero, and a loss has a minus sign', () => {
  expect(formatMoney(5, 'EUR')).toBe('€\u00a00,05')
  expect(formatMoney(-123_456, 'EUR')).toBe('€\u00a0−1.234,56')
  expect(formatMoney(-4, 'COP')).toBe('$\u00a00')
})
