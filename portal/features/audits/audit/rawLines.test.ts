import { expect, test } from 'vitest'
import { rawLinesOf } from './rawLines.ts'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

test('a line ends in CRLF, LF or CR, and the last line end starts no line', () => {
  expect(rawLinesOf(bytes('DXS*A\r\nST*1\nVA1*5\rDXE\r\n'), null)).toEqual(['DXS*A', 'ST*1', 'VA1*5', 'DXE'])
})

test('blank lines count, so that line numbers match the remarks', () => {
  expect(rawLinesOf(bytes('a\r\n\r\nb'), null)).toEqual(['a', '', 'b'])
})

test('bytes that are not UTF-8 are read in the page of the audit, or else as Latin text', () => {
  const cafe = new Uint8Array([0x63, 0x61, 0x66, 0xe8]).buffer
  expect(rawLinesOf(cafe, null)).toEqual(['cafè'])
  expect(rawLinesOf(cafe, 'windows-1250')).toEqual(['cafč'])
})

test('control characters are shown as visible symbols', () => {
  expect(rawLinesOf(bytes('a\u0000b'), null)).toEqual(['a\ufffdb'])
})

test('an empty file has no lines', () => {
  expect(rawLinesOf(new ArrayBuffer(0), null)).toEqual([])
})
