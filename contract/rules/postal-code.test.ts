import { expect, test } from 'vitest'
import { areaOf, compactPostalCode, couldBePostalCode, isPostalCode, writePostalCode } from './postal-code.ts'

test.each([
  ['IT', ' 00185 ', '00185', '00185'],
  ['CZ', '110 00', '11000', '110 00'],
  ['CZ', '11000', '11000', '110 00'],
  ['PL', '00001', '00001', '00-001'],
  ['PT', '1000-001', '1000001', '1000-001'],
  ['BR', '01001000', '01001000', '01001-000'],
  ['GB', 'sw1a 1aa', 'SW1A1AA', 'SW1A 1AA'],
  ['GB', 'm11ae', 'M11AE', 'M1 1AE'],
  ['NL', '1012 js', '1012JS', '1012 JS'],
  ['IE', 'd6w xy00', 'D6WXY00', 'D6W XY00'],
  ['CA', 'k1a0b1', 'K1A0B1', 'K1A 0B1'],
  ['LV', 'LV-1050', '1050', '1050'],
  ['LU', 'L-1234', '1234', '1234'],
  ['AR', 'c1425clf', 'C1425CLF', 'C1425CLF'],
  ['US', '20500-0003', '205000003', '20500-0003'],
])('%s: %s is a postal code', (country, typed, compact, written) => {
  expect(isPostalCode(country, typed)).toBe(true)
  expect(compactPostalCode(country, typed)).toBe(compact)
  expect(writePostalCode(country, typed)).toBe(written)
})

test.each([
  ['IT', '0018'],
  ['IT', 'L0185'],
  ['CZ', '110 0A'],
  ['GB', 'SW1A1A'],
  ['DE', "1' or 1=1"],
  ['MX', '０６０００'],
  ['QA', '%'],
])('%s: %s is not a postal code', (country, typed) => expect(isPostalCode(country, typed)).toBe(false))

test('a partial code can be completed from 3 characters on', () => {
  expect(couldBePostalCode('IT', '201')).toBe(true)
  expect(couldBePostalCode('IT', '20')).toBe(false)
  expect(couldBePostalCode('IT', '201234')).toBe(false)
  expect(couldBePostalCode('IT', '2O1')).toBe(false)
  expect(couldBePostalCode('GB', 'SW1')).toBe(true)
  expect(couldBePostalCode('QA', '12')).toBe(true)
})

test('a whole code leads to the area that lists of places know', () => {
  expect(areaOf('GB', 'SW1A1AA')).toBe('SW1A')
  expect(areaOf('NL', '1012JS')).toBe('1012')
  expect(areaOf('US', '205000003')).toBe('20500')
  expect(areaOf('IT', '00185')).toBe('00185')
  expect(areaOf('GB', 'SW1')).toBe('SW1')
})
