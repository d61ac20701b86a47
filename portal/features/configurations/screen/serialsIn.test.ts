import { expect, test } from 'vitest'
import { serialsIn } from './serialsIn.ts'

test('serials are the first column of a file, in any common separator', () => {
  expect(serialsIn('\uFEFFSerial;Place\r\nA-1;Rome\r\n\r\n"B-2";"Milan"\r\n')).toEqual([
    { serial: 'A-1', line: 2 },
    { serial: 'B-2', line: 4 },
  ])
  expect(serialsIn('A-1,Rome\nB-2\tMilan\n C-3 ').map(({ serial }) => serial)).toEqual(['A-1', 'B-2', 'C-3'])
  expect(serialsIn('')).toEqual([])
})
