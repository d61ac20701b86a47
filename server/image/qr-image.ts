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

/** Black modules side by side, in modules from the upper left corner. */
export interface QrRun {
  x: number
  y: number
  width: number
}

/** A text as a QR code without its border: its side in modules, and the runs of black modules in its rows. */
export function qrRuns(text: string): { side: number; runs: QrRun[] } {
  const { data, size } = encode(text, { ...look, border: 0 })
  const runs = data.flatMap((row, y) => {
    const ofRow: QrRun[] = []
    row.forEach((isBlack, x) => {
      const last = ofRow.at(-1)
      if (isBlack && last && last.x + last.width === x) last.width += 1
      else if (isBlack) ofRow.push({ x, y, width: 1 })
    })
    return ofRow
  })
  return { side: size, runs }
}

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
