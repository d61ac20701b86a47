import type { CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { asUtf8, type ByteCounts, guessPage, inPage, noBytes } from './code-page.ts'

/** What is known of a file's text beside its bytes. */
export interface TextHints {
  currencyOf: (lines: readonly string[]) => Currency | null
  /** The page of the machine's last reading. */
  last: CodePage | null
}
export const noHints: TextHints = { currencyOf: () => null, last: null }

const lineEnd = /\r\n|[\r\n]/
const beyondAscii = /[^\0-\x7f]/
/** `^2A^` is a byte in hexadecimal; a run of them may be one character of UTF-8. */
const escapes = /(?:\^[0-9A-F]{2}\^)+/gi

function bytesOf(latin: string): Uint8Array {
  const bytes = new Uint8Array(latin.length)
  for (let at = 0; at < latin.length; at++) bytes[at] = latin.charCodeAt(at)
  return bytes
}

/** The lines of a file as one character per byte, whatever the bytes. */
function latinLines(bytes: Uint8Array): string[] {
  const parts: string[] = []
  // A function takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return parts.join('').split(lineEnd)
}

/** Joins escaped bytes from 128 on into text. Escaped ASCII stays escaped, since it may be the separator. */
function joinEscapes(run: string, read: (latin: string) => string): string {
  const hexes = run.match(/[0-9A-F]{2}/gi) ?? []
  let text = ''
  let high = ''
  for (const hex of hexes) {
    const code = Number.parseInt(hex, 16)
    if (code >= 0x80) high += String.fromCharCode(code)
    else {
      text += `${high && read(high)}^${hex}^`
      high = ''
    }
  }
  return text + (high && read(high))
}

function count(counts: ByteCounts, latin: string): void {
  for (let at = 0; at < latin.length; at++) {
    const code = latin.charCodeAt(at)
    if (code >= 0x80) counts[code - 0x80] = (counts[code - 0x80] ?? 0) + 1
  }
}

/**
 * The lines of a file as text. UTF-8 is read line by line, so that a broken byte in one line does not garble names in another; the
 * other lines and the escaped bytes are read in one page for the whole file.
 */
export function textLines(
  bytes: Uint8Array,
  { currencyOf, last }: TextHints,
): { lines: string[]; page: CodePage | null } {
  const latin = latinLines(bytes)
  const counts = noBytes()
  const readUtf8 = (text: string) => {
    const utf8 = asUtf8(bytesOf(text))
    if (utf8 === null) count(counts, text)
    return utf8
  }
  // First all UTF-8, so that the bytes left over can be judged together.
  const lines = latin.map((line) => {
    const text = beyondAscii.test(line) ? readUtf8(line) : line
    const escaped = (text ?? line).replace(escapes, (run) => joinEscapes(run, (high) => readUtf8(high) ?? ''))
    return { text, hasEscapes: escaped !== (text ?? line) }
  })
  const page = guessPage(counts, { currency: currencyOf(latin), last })
  const readHigh = (high: string) => asUtf8(bytesOf(high)) ?? (page ? inPage(high, page) : high)
  return {
    page,
    lines: lines.map(({ text, hasEscapes }, index) => {
      const line = text ?? inPage(latin[index] ?? '', page ?? 'windows-1252')
      return hasEscapes ? line.replace(escapes, (run) => joinEscapes(run, readHigh)) : line
    }),
  }
}

/** The lines of a file as its machine wrote them, with its escapes. */
export const rawTextLines = (bytes: Uint8Array, page: CodePage | null): string[] =>
  latinLines(bytes).map((line) =>
    beyondAscii.test(line) ? (asUtf8(bytesOf(line)) ?? inPage(line, page ?? 'windows-1252')) : line,
  )
