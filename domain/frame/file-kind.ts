import type { FileFacts, FileKind } from '#contract/frame/file-rules.ts'

/*
 * What a file is, by its first bytes, and how large an image is, by its header. Nothing is decoded, so a small file that would
 * unfold into gigabytes costs nothing here. These are read from the beginning of a file; nothing throws, whatever the bytes.
 */

/** Bytes to read from the start: metadata before a JPEG's size may take several segments of 64 kB. */
export const enoughBytes = 1024 * 1024

const latin = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** The kind of a file by its first bytes. */
export function kindOf(bytes: Uint8Array): FileKind {
  if (startsWith(bytes, ...pngStart)) return 'png'
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpg'
  if (/^GIF8[79]a/.test(latin(bytes, 0, 6))) return 'gif'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp'
  // ISO/IEC 14496-12: the first box is ftyp, with a brand; QuickTime is no MP4.
  if (latin(bytes, 4, 8) === 'ftyp' && latin(bytes, 8, 12) !== 'qt  ') return 'mp4'
  // EBML (RFC 8794) with the document type webm.
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3) && latin(bytes, 0, 64).includes('webm')) return 'webm'
  if (latin(bytes, 0, 5) === '%PDF-') return 'pdf'
  if (startsWith(bytes, 0x50, 0x4b) && [0x03, 0x05, 0x07].includes(bytes[2] ?? 0)) return 'zip'
  return markupOf(bytes)
}

const utf16 = (bytes: Uint8Array) => startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)

/** Recognizes markup by its first significant tag; blanks, byte order marks and comments before it are skipped. */
function markupOf(bytes: Uint8Array): FileKind {
  const beginning = latin(bytes, 0, 4096)
  const text = (utf16(bytes) ? beginning.replaceAll('\0', '') : beginning).replace(
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/,
    '',
  )
  const bare = text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .trimStart()
    .toLowerCase()
  if (!bare.startsWith('<')) return 'unknown'
  if (bare.includes('<svg')) return 'svg'
  if (/^<(?:!doctype\s+html|html|head|body|script|iframe|style|title|meta|table|div|p|h1|a|b|br|img|font)\b/.test(bare))
    return 'html'
  return bare.startsWith('<?xml') || /^<[a-z_][\w.:-]*[\s>/]/.test(bare) ? 'xml' : 'unknown'
}

const two = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
const four = (bytes: Uint8Array, at: number) => two(bytes, at) * 65_536 + two(bytes, at + 2)

interface Size {
  width: number
  height: number
}

/** PNG (ISO/IEC 15948): the first chunk is IHDR and begins with width and height. */
function pngSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 24 || latin(bytes, 12, 16) !== 'IHDR') return undefined
  return { width: four(bytes, 16), height: four(bytes, 20) }
}

/** Markers that begin a frame: SOF0 to SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length: TEM, RST0 to RST7, SOI. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** JPEG (ITU-T T.81, annex B): segments follow each other; the frame's has height and width after its length and precision. */
function jpgSize(bytes: Uint8Array): Size | undefined {
  let at = 2
  while (at + 3 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Any number of FF may precede a marker.
    if (marker === 0xff || standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (isFrame(marker))
      return at + 9 <= bytes.length ? { width: two(bytes, at + 7), height: two(bytes, at + 5) } : undefined
    // The picture itself, or its end, before any frame.
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = two(bytes, at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

const little = (bytes: Uint8Array, at: number, count: number) =>
  Array.from({ length: count }, (_, index) => (bytes[at + index] ?? 0) * 256 ** index).reduce(
    (sum, part) => sum + part,
    0,
  )

/** WebP (RFC 9649): the first chunk is an extended header, a lossless or a lossy picture; sizes are little-endian. */
function webpSize(bytes: Uint8Array): Size | undefined {
  const chunk = latin(bytes, 12, 16)
  if (bytes.length < 30) return undefined
  if (chunk === 'VP8X') return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 }
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const packed = little(bytes, 21, 4)
    return { width: (packed % 2 ** 14) + 1, height: (Math.floor(packed / 2 ** 14) % 2 ** 14) + 1 }
  }
  const isFrameStart = startsWith(bytes.subarray(23), 0x9d, 0x01, 0x2a)
  if (chunk === 'VP8 ' && isFrameStart)
    return { width: little(bytes, 26, 2) % 2 ** 14, height: little(bytes, 28, 2) % 2 ** 14 }
  return undefined
}

const sizes: { readonly [kind in FileKind]?: (bytes: Uint8Array) => Size | undefined } = {
  png: pngSize,
  jpg: jpgSize,
  webp: webpSize,
}

/** Width and height of a PNG, JPEG or WebP in pixels, by its header; undefined if that is missing or truncated. */
export function imageSizeOf(bytes: Uint8Array): Size | undefined {
  const size = sizes[kindOf(bytes)]?.(bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

/** The facts that the contract's file rules need. `beginning` is the first part of a file of `length` bytes. */
export const factsOf = (beginning: Uint8Array, length: number): FileFacts => ({
  kind: kindOf(beginning),
  bytes: length,
  ...imageSizeOf(beginning),
})
