import { expect, test } from 'vitest'
import { writeNumber } from '#portal/app/i18n/format.ts'
import { writeAuditAmount } from './auditAmount.ts'

const numberIn = (language: string) => (value: number, options: Intl.NumberFormatOptions) =>
  writeNumber(value, language, options)

test('an amount in the storage digits of its currency is money like any other', () => {
  expect(writeAuditAmount(128_420, { currency: 'EUR', digits: 2 }, numberIn('it'))).toBe('€\u00a01.284,20')
})

test("an amount that kept the machine's decimals shows all of them", () => {
  expect(writeAuditAmount(12_345, { currency: 'EUR', digits: 3 }, numberIn('en'))).toBe('€\u00a012.345')
  expect(writeAuditAmount(12_345, { currency: 'CLP', digits: 2 }, numberIn('it'))).toBe('$\u00a0123,45')
})

test('an amount without a currency is a plain number', () => {
  expect(writeAuditAmount(1050, { currency: null, digits: 2 }, numberIn('en'))).toBe('10.50')
})

test('an unreported amount is empty, and zero is zero', () => {
  expect(writeAuditAmount(null, { currency: 'EUR', digits: 2 }, numberIn('en'))).toBeUndefined()
  expect(writeAuditAmount(0, { currency: 'EUR', digits: 2 }, numberIn('en'))).toBe('€\u00a00,00')
})
