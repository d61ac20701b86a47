import { crc32, deflateSync } from 'node:zlib'
import { encode, renderSVG } from 'uqr'

/**
 * Level Q survives scratches and dirt on a fifth of the code; ISO/IEC 18004 requires a border of four blank
 * modules.
 */
const look = { ecc: 'Q', border: 4 } as const
/** Pixels of a module: sharp on a label of 5 cm. */
const modulePixels = 16

/** A text as a QR code in SVG. */
export const qrSvg = (text: string): string => renderSVG(text, look)

/** A text as a QR code of black and white pixels. */
export function qrPng(text: string): Buffer {
  const { data, size } = encode(text, look)
  const side = size * modulePixels
  const rows = data.map((row) => {
    // A byte for the row's filter (none), then a bit for each pixel: 1 is white.
    const bytes = Buffer.alloc(1 + Math.ceil(side / 8))
    for (let x = 0; x < side; x += 1)
      if (!row[Math.floor(x / modulePixels)]) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] as number) | (0x80 >> (x & 7))
    return bytes
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit of gray; the remaining header bytes have a single allowed value.
  header[8] = 1
  const pixels = Buffer.concat(rows.flatMap((row) => new Array<Buffer>(modulePixels).fill(row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const ends = Buffer.alloc(4)
  ends.writeUInt32BE(crc32(named))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, named, ends])
}
