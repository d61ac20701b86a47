import { expect, test } from 'vitest'
import { crc16, crcOfLines, crcText, swapBytes } from './crc.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('the checksum is CRC-16 with the reflected polynomial A001 and an initial value of 0', () => {
  expect(crcText(crc16(bytes('123456789')))).toBe('BB3D')
})

test('it covers CRLF line ends, whatever line ends were transmitted', () => {
  const file = bytes('ST*001*0001\nID1*A\n')
  const lines = [
    { start: 0, end: 11 },
    { start: 12, end: 17 },
  ]
  expect(crcOfLines(file, lines)).toBe(crc16(bytes('ST*001*0001\r\nID1*A\r\n')))
})

test('it is written as four hex digits, and older devices swap its two bytes', () => {
  expect(crcText(0x1b)).toBe('001B')
  expect(crcText(swapBytes(0xb801))).toBe('01B8')
})
