import { expect, test } from 'vitest'
import { readPostalLine } from './postal-line.ts'

test('a line of GeoNames gives code, place and the province that addresses name', () => {
  expect(readPostalLine('IT\t00185\tRoma\tLazio\t07\tRoma\tRM\tRoma\t058091\t41.8919\t12.5113\t4')).toEqual({
    country: 'IT',
    compact: '00185',
    code: '00185',
    place: 'Roma',
    province: 'Roma',
    latitude: 41.8919,
    longitude: 12.5113,
  })
  expect(
    readPostalLine('MX\t06000\tCentro\tCiudad de México\t09\tCuauhtémoc\t015\t\t\t19.4342\t-99.1386\t4\r'),
  ).toMatchObject({
    place: 'Centro',
    province: 'Ciudad de México',
  })
  expect(readPostalLine('\ufeffCZ\t11000\tPraha 1\tHlavní město Praha\t52\t\t\t\t\t\t\t')).toMatchObject({
    compact: '11000',
    code: '110 00',
    latitude: null,
  })
  expect(readPostalLine('GB\tSW1A\tWestminster\tEngland\tENG\tGreater London\t\t\t\t91\t-0.13\t4')).toMatchObject({
    code: 'SW1A',
    latitude: null,
    longitude: -0.13,
  })
})

test.each([
  '',
  'IT',
  'IT\t00185',
  'Italia\t00185\tRoma\t\t\t\t\t\t\t\t',
  'IT\t\tRoma\t\t\t\t\t\t\t\t',
  'IT\t00185\t\t\t\t\t\t\t\t\t',
  "IT\t'%_\tRoma\t\t\t\t\t\t\t\t",
])('%j is not a place', (line) => expect(readPostalLine(line)).toBeUndefined())
