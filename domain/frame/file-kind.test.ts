import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileFault, fileKinds, fileRules, maxPixels } from '#contract/frame/file-rules.ts'
import { factsOf, imageSizeOf, kindOf } from './file-kind.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((sign) => sign.charCodeAt(0)) : part)),
  )
const four = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const two = (value: number) => [value >>> 8, value & 255]
const png = (width: number, height: number) =>
  bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], four(13), 'IHDR', four(width), four(height), [8, 6, 0, 0, 0])
const segment = (marker: number, content: number[]) => [0xff, marker, ...two(content.length + 2), ...content]
const exif = segment(0xe1, [...bytes('Exif\0\0'), ...new Array<number>(60_000).fill(0xff)])
const jpg = (frame: number, width: number, height: number, before: number[] = []) =>
  bytes([0xff, 0xd8], before, segment(frame, [8, ...two(height), ...two(width), 3]), [0xff, 0xda])

/** WebP pictures by their three headers: extended, lossless, lossy. */
const webps = {
  VP8X: (width: number, height: number) =>
    bytes(
      'RIFF\0\0\0\0WEBPVP8X',
      [10, 0, 0, 0, 0, 0, 0, 0],
      ...[width - 1, height - 1].map((side) => [side & 255, (side >> 8) & 255, side >> 16]),
    ),
  VP8L: (width: number, height: number) => {
    const packed = width - 1 + (height - 1) * 2 ** 14
    const parts = [packed & 255, (packed >>> 8) & 255, (packed >>> 16) & 255, packed >>> 24]
    return bytes('RIFF\0\0\0\0WEBPVP8L', [9, 0, 0, 0, 0x2f], parts, new Array<number>(8).fill(0))
  },
  'VP8 ': (width: number, height: number) =>
    bytes(
      'RIFF\0\0\0\0WEBPVP8 ',
      [9, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a],
      ...[width, height].map((side) => [side & 255, side >> 8]),
    ),
} as const

const problem = (rule: keyof typeof fileRules, file: Uint8Array) =>
  fileFault(fileRules[rule], factsOf(file, file.length))?.key

test('an SVG, an HTML page or a script named .png is recognised by its content', () => {
  const files: [string, string][] = [
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'svg'],
    ['<?xml version="1.0"?>\n<!-- a comment --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg/>', 'svg'],
    ['\xef\xbb\xbf  <svg viewBox="0 0 1 1"></svg>', 'svg'],
    ['<!doctype html><title>x</title>', 'html'],
    ['<HTML><body>', 'html'],
    ['<!-- x --> <script>alert(1)</script>', 'html'],
    ['<?xml version="1.0"?><note/>', 'xml'],
    ['PK\x03\x04', 'zip'],
    ['GIF89a', 'gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
    ['alert(1)', 'unknown'],
  ]
  for (const [text, kind] of files) {
    expect([text, kindOf(bytes(text))]).toEqual([text, kind])
    expect(problem('logo', bytes(text))).toBe('rule.fileKind')
    expect(problem('ingredients', bytes(text))).toBe('rule.fileKind')
  }
  expect(
    kindOf(
      bytes(
        [0xff, 0xfe],
        [...'<svg>'].flatMap((sign) => [sign.charCodeAt(0), 0]),
      ),
    ),
  ).toBe('svg')
})

test('a polyglot counts as its first format, so a page before a PDF is not a PDF', () => {
  expect(kindOf(bytes('<html><!--', '%PDF-1.7'))).toBe('html')
  expect(kindOf(bytes('%PDF-1.7\n<html>'))).toBe('pdf')
  expect(kindOf(bytes([...png(10, 10)], '<script>alert(1)</script>'))).toBe('png')
  expect(problem('ingredients', bytes([...png(10, 10)], '%PDF-1.7'))).toBe('rule.fileKind')
})

test('a picture of a product is refused before it is scaled if it is an SVG or has 40 MB', () => {
  expect(problem('productPicture', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('rule.fileKind')
  const large = { ...factsOf(png(800, 800), 33), bytes: 40_000_000 }
  expect(fileFault(fileRules.productPicture, large)?.key).toBe('rule.fileSize')
})

test('a 40-megapixel image is refused by its header, however small the file', () => {
  for (const huge of [png(8000, 5000), jpg(0xc0, 8000, 5000), png(0xffffffff, 0xffffffff)]) {
    expect(huge.length).toBeLessThan(100)
    expect(problem('logo', huge)).toBe('rule.imagePixels')
    expect(problem('richTextImage', huge)).toBe('rule.imagePixels')
  }
  expect(8000 * 5000).toBeGreaterThan(maxPixels)
})

test.each(Object.entries(webps))(
  'the size of a WebP picture with %s is read, and limits hold for it',
  (chunk, webp) => {
    expect(imageSizeOf(webp(640, 480))).toEqual({ width: 640, height: 480 })
    expect(imageSizeOf(webp(16_000, 3))).toEqual({ width: 16_000, height: 3 })
    for (const rule of ['productPicture', 'blogPicture', 'screenPicture'] as const) {
      expect(problem(rule, webp(16_000, 16_000))).toBe('rule.imagePixels')
      expect(problem(rule, webp(640, 480))).toBeUndefined()
    }
    expect(problem('productPicture', webp(640, 480).slice(0, 29))).toBe('rule.imageBroken')
    if (chunk === 'VP8X') expect(problem('screenPicture', webp(50_000, 50_000))).toBe('rule.imagePixels')
  },
)

test('a logo is limited to 500 × 200 pixels', () => {
  expect(problem('logo', png(500, 200))).toBeUndefined()
  expect(problem('logo', jpg(0xc0, 500, 200))).toBeUndefined()
  expect(problem('logo', png(501, 200))).toBe('rule.imageSize')
  expect(problem('logo', jpg(0xc2, 500, 201))).toBe('rule.imageSize')
})

test.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])(
  'the size of a JPEG is read from frame marker %i, even after metadata, padding and restarts',
  (marker) => {
    expect(imageSizeOf(jpg(marker, 640, 480))).toEqual({ width: 640, height: 480 })
    const before = [
      ...exif,
      ...exif,
      0xff,
      0xff,
      ...segment(0xdb, [0, 1, 2]).slice(1),
      ...segment(0xc4, [1, 2]),
      0xff,
      0xd0,
    ]
    expect(imageSizeOf(jpg(marker, 640, 480, before))).toEqual({ width: 640, height: 480 })
  },
)

test('an image that is cut off, empty in one direction, or has no header is damaged', () => {
  const broken = [
    png(10, 10).slice(0, 20),
    png(0, 10),
    jpg(0xc0, 10, 10).slice(0, 8),
    jpg(0xc0, 0, 10),
    bytes([0xff, 0xd8, 0xff, 0xd9]),
    bytes([0xff, 0xd8, 0xff, 0xda, 0, 8]),
    bytes([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
    bytes([0xff, 0xd8, 0xff, 0xe1, 0, 0]),
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0x00]),
  ]
  for (const file of broken) expect([...file.slice(0, 12), problem('logo', file)].at(-1)).toBe('rule.imageBroken')
})

test('an empty file is reported as empty', () => {
  expect(problem('logo', bytes())).toBe('rule.fileEmpty')
  expect(problem('ingredients', bytes())).toBe('rule.fileEmpty')
})

test('any bytes give a known kind, and nothing throws', () => {
  const starts = fc.constantFrom(
    [],
    [...png(9, 9)],
    [0xff, 0xd8, 0xff],
    [0x3c],
    [...bytes('<?xml')],
    [...bytes('RIFF')],
  )
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
      const facts = factsOf(Uint8Array.from([...start, ...rest]), start.length + rest.length)
      expect(fileKinds).toContain(facts.kind)
      if (facts.width !== undefined) expect(facts.width).toBeGreaterThan(0)
    }),
    { numRuns: 3000 },
  )
})
