import { expect, test } from 'vitest'
import { marksOf, numbersOf } from '#domain/money/number-style.ts'
import {
  instantOf,
  wireInstant,
  writeDay,
  writeInstant,
  writeMoneyByLanguage,
  writeNumber,
  writeRelative,
} from './format.ts'

const now = new Date('2026-11-21T08:00:00Z')

test('null, invalid text and the zero date are no instant', () => {
  for (const text of [null, undefined, '', '0001-01-01T00:00:00', '0001-01-01T00:00:00.000', 'yesterday'])
    expect(instantOf(text)).toBeUndefined()
})

test('an instant without a zone is UTC, and an instant with a suffix keeps it', () => {
  expect(instantOf('2026-11-21T08:00:00.000')).toEqual(now)
  expect(instantOf('2026-11-21T09:00:00+01:00')).toEqual(now)
  expect(wireInstant(now)).toBe('2026-11-21T08:00:00.000')
})

test("an instant is written in the merchant's zone, not in the reader's", () => {
  expect(writeInstant(now, 'time', 'it', 'Europe/Rome')).toBe('09:00')
  expect(writeInstant(now, 'time', 'it', 'America/Bogota')).toBe('03:00')
})

test('the year is written where it is not this one, by the calendar of the zone', () => {
  const write = (at: string, style: 'minute' | 'weekday' = 'minute') =>
    writeInstant(new Date(at), style, 'en', 'Europe/Rome', now)
  expect(write('2026-01-01T08:00:00Z')).toBe('1 Jan, 09:00')
  expect(write('2025-12-31T22:00:00Z')).toBe('31 Dec 2025, 23:00')
  // It is the new year in Rome already.
  expect(write('2025-12-31T23:30:00Z')).toBe('1 Jan, 00:30')
  expect(write('2025-05-01T10:00:00Z', 'weekday')).toContain('2025')
})

test('midnight is 00:00 in every language', () => {
  for (const language of ['it', 'es', 'en', 'fr', 'de', 'pt'])
    expect(writeInstant(new Date('2026-11-21T00:00:00Z'), 'time', language, 'UTC')).toBe('00:00')
})

test('a calendar day is the same in every zone', () => {
  expect(writeDay('2026-11-21', 'en')).toBe('21 Nov 2026')
})

test('times are written relative to now', () => {
  const ago = (seconds: number) => writeRelative(new Date(now.getTime() - seconds * 1000), now, 'en')
  expect([ago(3), ago(32 * 60), ago(6 * 3600), ago(86_400 * 2)]).toEqual([
    'now',
    '32 min ago',
    '6 hr ago',
    '2 days ago',
  ])
})

test('thousands are grouped from four digits on', () => {
  expect([writeNumber(2750, 'it'), writeNumber(2750, 'es'), writeNumber(2750, 'en')]).toEqual([
    '2.750',
    '2.750',
    '2,750',
  ])
})

test('plain numbers have the marks of the merchant’s currency, and the percent sign of the language', () => {
  const inEuro = (value: number, options?: Intl.NumberFormatOptions) =>
    writeNumber(value, 'en', options, marksOf('EUR'))
  expect([inEuro(3365), inEuro(1234.5), inEuro(1_250_000)]).toEqual(['3.365', '1.234,5', '1.250.000'])
  expect(inEuro(0.895, { style: 'percent', maximumFractionDigits: 1 })).toBe('89,5%')
  expect(inEuro(12_340, { notation: 'compact', maximumFractionDigits: 1 })).toBe('12,3k')
  expect(writeNumber(3365, 'de', {}, marksOf('GBP'))).toBe('3,365')
})

test('merchants whose currencies are written alike have one style, others that of the language', () => {
  expect(numbersOf(['EUR', 'RON'])).toBe('EUR')
  expect(numbersOf(['EUR', 'GBP'])).toBeUndefined()
  expect(numbersOf([])).toBeUndefined()
})

test('money by language has the language’s separators and position of the symbol, and the currency’s digits', () => {
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
  const written = (language: string) => plain(writeMoneyByLanguage(358_270, 'EUR', language))
  expect(['en', 'de', 'it', 'es', 'fr', 'pt'].map(written)).toEqual([
    '€3,582.70',
    '3.582,70 €',
    '3.582,70 €',
    '3.582,70 €',
    '3 582,70 €',
    '3 582,70 €',
  ])
  expect(plain(writeMoneyByLanguage(-123_450, 'CZK', 'en'))).toBe('−Kč 1,235')
})
