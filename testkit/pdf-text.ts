import { inflateSync } from 'node:zlib'

/**
 * The texts of a PDF as pdfmake writes it, one per drawn line and font, in the order of the page: compressed streams, and fonts with a map to
 * Unicode. A character without a glyph is U+FFFD.
 */
export function textsOfPdf(bytes: Buffer): string[] {
  const objects = objectsOf(bytes)
  const letters = new Map<string, Map<number, string>>()
  for (const { head } of objects.values())
    for (const [, name = '', font = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '') ?? []
      letters.set(name, lettersOf(objects.get(map)?.stream ?? ''))
    }
  const texts: string[] = []
  for (const { stream } of objects.values()) {
    let font: Map<number, string> | undefined
    for (const [, name, drawn = ''] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = letters.get(name)
      else {
        const codes = [...drawn.matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
        // Glyph 0 is what a font draws for a character that it lacks.
        const letter = (code: string) => (code === '0000' ? '\ufffd' : (font?.get(Number.parseInt(code, 16)) ?? ''))
        texts.push(codes.map(letter).join(''))
      }
    }
  }
  return texts
}

const unicode = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** The letters of a font by their codes, from its map to Unicode: ranges with one text for each code. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    for (const [at, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries())
      letters.set(Number.parseInt(first, 16) + at, unicode(hex.replaceAll(' ', '')))
  return letters
}

/** The objects of a PDF by their numbers, with their streams unpacked. */
export function objectsOf(bytes: Buffer): Map<string, { head: string; stream: string }> {
  const raw = bytes.toString('latin1')
  const objects = new Map<string, { head: string; stream: string }>()
  for (const [, id = '', body = ''] of raw.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)) {
    const [, head = body, rest] = /^([\s\S]*?)stream\r?\n([\s\S]*)\nendstream/.exec(body) ?? []
    // Its last byte may look like a part of the line's end.
    const packed = rest?.slice(0, Number(/\/Length (\d+)/.exec(head)?.[1] ?? rest.length))
    const isPacked = packed !== undefined && head.includes('/FlateDecode')
    objects.set(id, { head, stream: isPacked ? inflateSync(Buffer.from(packed, 'latin1')).toString('latin1') : '' })
  }
  return objects
}
