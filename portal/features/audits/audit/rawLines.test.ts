import { expect, test } from 'vitest'
import { rawLinesOf } from './rawLines.ts'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

test('a line ends in CRLF, LF or CR, and the last line end starts no line', () => {
  expect(rawLinesOf(bytes('DXS*A\r\nST*1\nVA1*5\rDXE\r\n'))).toEqual(['DXS*A', 'ST*1', 'VA1*5', 'DXE'])
})

test('blank lines count, so that line numbers match the remarks', () => {
  expect(rawLinesOf(bytes('a\r\n\r\nb'))).toEqual(['a', '', 'b'])
})

test('bytes that are not UTF-8 are read as Latin text', () => {
  expect(rawLinesOf(new Uint8Array([0x63, 0x61, 0x66, 0xe8]).buffer)).toEqual(['cafè'])
})

test('control characters are shown as visible symbols', () => {
  expect(rawLinesOf(bytes('a\u0000b'))).toEqual(['a\ufffdb'])
})

test('an empty file has no lines', () => {
  expect(rawLinesOf(new ArrayBuffer(0))).toEqual([])
})
