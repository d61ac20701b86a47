import { expect, test } from 'vitest'
import { serialOf } from './serialOf.ts'

test.each([
  ['G900001', 'G900001'],
  [' G9-0001\n', 'G9-0001'],
  ['https://portal.example.com/m/G900001', 'G900001'],
  ['http://localhost:8080/m/A.B_C', 'A.B_C'],
])('a QR code with %j has the serial %s', (code, serial) => {
  expect(serialOf(code)).toBe(serial)
})

test.each(['', 'https://example.com/other/G900001', 'https://example.com/m/%', 'two words', 'A+B', 'WIFI:S:Bar;;'])(
  'a QR code with %j has no serial',
  (code) => {
    expect(serialOf(code)).toBeUndefined()
  },
)
