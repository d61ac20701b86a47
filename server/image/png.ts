import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Bits of a sample and the number of the color type, as PNG names them. */
const kinds = { blackWhite: [1, 0], rgb: [8, 2] } as const

/** A PNG file of rows of pixels; each row begins with the byte of its filter (0, none). */
export function png(width: number, height: number, kind: keyof typeof kinds, rows: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // The remaining header bytes have a single allowed value.
  header.set(kinds[kind], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const ends = Buffer.alloc(4)
  ends.writeUInt32BE(crc32(named))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, named, ends])
}
