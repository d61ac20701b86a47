import { crc16 } from '#domain/audits/eva-dts/crc.ts'
import { blockLength, DLE, ETB, ETX, SOH, STX } from './characters.ts'

/** Handshakes travel in header blocks, the file in text blocks. */
export type BlockMark = 'header' | 'text'

/** The check of a block covers its data and the ETB or ETX, without DLE (chapter 4.4). */
export const blockCheck = (data: Uint8Array, end: number) => crc16(Uint8Array.of(end), 0, 1, crc16(data))

/** One block on the line: `DLE STX data DLE ETX` and its check, the low byte first. A DLE within the data is doubled. */
export function frameOf(mark: BlockMark, data: Uint8Array, isLast: boolean): Uint8Array {
  const end = isLast ? ETX : ETB
  const check = blockCheck(data, end)
  const stuffed = [...data].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]))
  return Uint8Array.of(DLE, mark === 'header' ? SOH : STX, ...stuffed, DLE, end, check & 0xff, check >>> 8)
}

/** Parts that fit into blocks with their doubled DLE. An empty file is one empty part. */
export function partsOf(data: Uint8Array, longest = blockLength): Uint8Array[] {
  const room = longest - 2
  const parts: Uint8Array[] = []
  let start = 0
  let used = 0
  data.forEach((byte, index) => {
    const width = byte === DLE ? 2 : 1
    if (used + width > room) {
      parts.push(data.subarray(start, index))
      start = index
      used = 0
    }
    used += width
  })
  parts.push(data.subarray(start))
  return parts
}
