import { expect, test } from 'vitest'
import { namedIn } from './namedIn.ts'

test.each([
  ['G900001', 'G900001'],
  [' G9-0001\n', 'G9-0001'],
  ['https://portal.example.com/m/G900001', 'G900001'],
  ['http://localhost:8080/m/A.B_C', 'A.B_C'],
  ['https://portal.example.com/m/0a1b2c3d4e5f', '0a1b2c3d4e5f'],
  ['https://portal.example.com/key/aurora/m/0a1b2c3d4e5f?scanned', '0a1b2c3d4e5f'],
])('a code with %j names the machine %s', (code, serial) => {
  expect(namedIn(code)).toBe(serial)
})

test.each(['', 'https://example.com/other/G900001', 'https://example.com/m/%', 'two words', 'A+B', 'WIFI:S:Bar;;'])(
  'a code with %j names no machine',
  (code) => {
    expect(namedIn(code)).toBeUndefined()
  },
)
