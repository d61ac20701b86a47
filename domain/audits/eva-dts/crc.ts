/*
 * G85 of EVA-DTS: a CRC-16 with the reflected polynomial A001 and an initial value of 0, over the bytes from the S of ST
 * through the CRLF before G85, written as four hex digits.
 */

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xa001 : value >>> 1
  return value
})

/** Continues from `crc` over `bytes[start, end)`. */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length, crc = 0): number {
  let value = crc
  for (let index = start; index < end; index++) {
    value = (value >>> 8) ^ (table[(value ^ (bytes[index] ?? 0)) & 0xff] ?? 0)
  }
  return value
}

const lineEnd = Uint8Array.of(0x0d, 0x0a)

/** The CRC of lines in the standard's form: each ends with CRLF, whatever line ends were transmitted. */
export function crcOfLines(bytes: Uint8Array, lines: Iterable<{ start: number; end: number }>): number {
  let value = 0
  for (const line of lines) value = crc16(lineEnd, 0, 2, crc16(bytes, line.start, line.end, value))
  return value
}

export const swapBytes = (crc: number) => ((crc & 0xff) << 8) | (crc >>> 8)

export const crcText = (crc: number) => crc.toString(16).toUpperCase().padStart(4, '0')
