import { encode, renderSVG } from 'uqr'
import { png } from './png.ts'

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
  return png(
    side,
    side,
    'blackWhite',
    rows.flatMap((row) => new Array<Buffer>(modulePixels).fill(row)),
  )
}
