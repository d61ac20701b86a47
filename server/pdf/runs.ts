import bidiFactory from 'bidi-js'
import type { Content } from 'pdfmake/interfaces.js'
import { widthOf } from './column-widths.ts'
import { fontsOf } from './fonts.ts'

/*
 * Texts as they are drawn: pdfmake draws words from left to right in one font, so a text with words of another writing is cut into runs of one
 * font, in the order of the page (Unicode Standard Annex 9).
 */

const bidi = bidiFactory()
const rightToLeft = /[\p{Script_Extensions=Arabic}\p{Script=Hebrew}]/u

/** Signs that no font has, as they are written instead. */
const replacements: Readonly<Record<string, string>> = { '\u202f': '\u00a0', '₲': 'Gs.', '₡': 'C' }

/** A text with only signs that a font can draw. */
const drawable = (text: string): string => text.replaceAll(/[\u202f₲₡]/g, (sign) => replacements[sign] ?? sign)

interface Run {
  text: string
  font: string
}

/** A part of a text with one font and one direction: an odd level is read from right to left. */
interface Part extends Run {
  level: number
}

/** The runs of a line, from left to right. */
function runsOf(line: string): Run[] {
  const fonts = fontsOf(line)
  const { levels } = bidi.getEmbeddingLevels(line)
  const mirrored = bidi.getMirroredCharactersMap(line, levels)
  const parts: Part[] = []
  for (let at = 0; at < line.length; at++) {
    const last = parts.at(-1)
    const character = mirrored.get(at) ?? line.charAt(at)
    const font = fonts[at] ?? 'Roboto'
    const level = levels[at] ?? 0
    // Each word that is read from right to left is a part, because pdfmake lays out words from left to right.
    const isWord = level % 2 === 0 || (character === ' ') === last?.text.endsWith(' ')
    if (last && last.font === font && last.level === level && isWord) last.text += character
    else parts.push({ text: character, font, level })
  }
  return reordered(parts).map(({ text, font, level }) => ({
    // Fonts of Arabic turn their own letters; Roboto doesn't.
    text: level % 2 === 1 && font === 'Roboto' ? [...text].reverse().join('') : text,
    font,
  }))
}

/** Rule L2: from the highest level to the lowest odd one, parts at that level or above are reversed. */
function reordered(parts: readonly Part[]): Part[] {
  const result = [...parts]
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level--)
    for (let first = 0; first < result.length; first++) {
      let end = first
      while ((result[end]?.level ?? -1) >= level) end++
      if (end - first > 1) result.splice(first, end - first, ...result.slice(first, end).reverse())
      first = end
    }
  return result
}

/** A text cut into lines that fit, because a text with two directions is ordered line by line. */
function linesOf(text: string, width: number, fontSize: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (!rightToLeft.test(paragraph)) return [paragraph]
    const lines = ['']
    for (const word of paragraph.split(/(?<= )/)) {
      const longer = `${lines.at(-1)}${word}`
      if (lines.at(-1) && widthOf(longer.trimEnd(), fontSize) > width) lines.push(word)
      else lines[lines.length - 1] = longer
    }
    return lines
  })
}

/** A text of users as pdfmake takes it; of Roboto alone, it stays one text. */
export function drawn(text: string, width: number, fontSize: number): string | Run[] {
  const plain = drawable(text)
  if (fontsOf(plain).every((font) => font === 'Roboto') && !rightToLeft.test(plain)) return plain
  return linesOf(plain, width, fontSize).flatMap((line, at) => [
    ...(at > 0 ? [{ text: '\n', font: 'Roboto' }] : []),
    ...runsOf(line),
  ])
}

type Node = Record<string, unknown>

/** Content with texts as they are drawn. `width` in points is what a line may take. */
export function drawnContent(content: Content, width: number, fontSize: number): Content {
  return change(content, width, fontSize) as Content
}

function change(content: unknown, width: number, fontSize: number): unknown {
  if (typeof content === 'string') return { text: drawn(content, width, fontSize) }
  if (Array.isArray(content)) return content.map((one) => change(one, width, fontSize))
  if (typeof content !== 'object' || content === null) return content
  const node = content as Node
  const size = typeof node.fontSize === 'number' ? node.fontSize : fontSize
  if (typeof node.text === 'string') return { ...node, text: drawn(node.text, width, size) }
  if (Array.isArray(node.stack)) return { ...node, stack: change(node.stack, width, size) }
  if (Array.isArray(node.columns)) return { ...node, columns: change(node.columns, width / node.columns.length, size) }
  const table = node.table as { body: unknown[][]; widths?: unknown[] } | undefined
  if (!table) return node
  const widthAt = (at: number) => (typeof table.widths?.[at] === 'number' ? table.widths[at] : width)
  const body = table.body.map((row) => row.map((cell, at) => change(cell, widthAt(at), size)))
  return { ...node, table: { ...table, body } }
}

/** All texts of a document's content, to read their fonts. */
export function* textsOf(content: unknown): Generator<string> {
  if (typeof content === 'string') yield content
  else if (typeof content === 'object' && content !== null)
    for (const one of Object.values(content)) yield* textsOf(one)
}
