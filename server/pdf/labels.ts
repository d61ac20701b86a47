import pdfmake from 'pdfmake'
import type { CanvasRect, Content } from 'pdfmake/interfaces.js'
import type { LabelPaper } from '#contract/machines/machine-acts.ts'
import { qrRuns } from '../image/qr-image.ts'
import { widthOf } from './column-widths.ts'
import { loadFonts } from './fonts.ts'
import { drawnContent, textsOf } from './runs.ts'

/* Labels with QR codes: several on a sheet of A4, or one on each page of a label printer. Lengths are millimetres until they are drawn. */

/** A label with what is written on it. */
export interface PrintedLabel {
  name: string
  serial: string
  /** Whose the machine is. */
  owner: string
  /** In its QR code. */
  url: string
}

export interface LabelsDocument {
  paper: LabelPaper
  title: string
  /** The first line of each label. */
  heading: string
  labels: readonly PrintedLabel[]
  now: Date
}

interface Paper {
  page: readonly [width: number, height: number]
  /** Labels side by side, and one below the other; they share the page evenly. */
  columns: number
  rows: number
}

const a4 = [210, 297] as const
const papers: Record<LabelPaper, Paper> = {
  // The common sheet of 70 by 37 mm.
  a4x24: { page: a4, columns: 3, rows: 8 },
  a4x8: { page: a4, columns: 2, rows: 4 },
  a4x2: { page: a4, columns: 1, rows: 2 },
  roll62x100: { page: [62, 100], columns: 1, rows: 1 },
  roll50x30: { page: [50, 30], columns: 1, rows: 1 },
}

/** Points in a millimetre. */
const point = 72 / 25.4
/** Blank modules around a code: together with the padding they are the four that it needs. */
const codeBorder = 2

const padding = (height: number) => (height < 34 ? 3 : 5)
const lineHeight = 1.25

/** A box on the page, in points. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The lines of a text that fit, at most so many; what is left out is marked by dots. */
function fitted(text: string, width: number, fontSize: number, most: number): string {
  const lines = ['']
  for (const word of text.split(/\s+/).flatMap((one) => broken(one, width, fontSize))) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.at(-1) !== '' && widthOf(longer, fontSize) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  if (lines.length <= most) return lines.join('\n')
  const shown = lines.slice(0, most)
  let last = `${shown[most - 1]}…`
  while (last.length > 1 && widthOf(last, fontSize) > width) last = `${last.slice(0, -2)}…`
  return [...shown.slice(0, -1), last].join('\n')
}

/** A word in parts that fit. */
function broken(word: string, width: number, fontSize: number): string[] {
  const parts = ['']
  for (const sign of word) {
    if (parts.at(-1) !== '' && widthOf(`${parts.at(-1)}${sign}`, fontSize) > width) parts.push(sign)
    else parts[parts.length - 1] += sign
  }
  return parts
}

/** Lines of text in a box, each drawn at its place. */
function texts(
  lines: readonly { text: string; size: number; bold?: boolean; most: number }[],
  box: Box,
  isCentred: boolean,
): Content[] {
  const blocks = lines.map(({ text, size, bold = false, most }) => {
    const shown = fitted(text, box.width, size, most)
    return { shown, size, bold, height: shown.split('\n').length * size * lineHeight }
  })
  const total = blocks.reduce((sum, { height }) => sum + height, 0)
  let y = box.y + Math.max(0, (box.height - total) / (isCentred ? 2 : Number.POSITIVE_INFINITY))
  return blocks.flatMap(({ shown, size, bold, height }) => {
    const at = y
    y += height
    return shown.split('\n').map(
      (text, line): Content => ({
        columns: [
          {
            width: box.width,
            text,
            fontSize: size,
            bold,
            alignment: isCentred && box.width > box.height ? 'left' : 'center',
            noWrap: true,
          },
        ],
        absolutePosition: { x: box.x, y: at + line * size * lineHeight },
      }),
    )
  })
}

/** One label in its box: the code beside the words where it is wide, above them where it is tall. */
function labelIn({ name, serial, owner, url }: PrintedLabel, heading: string, box: Box, heightMm: number): Content[] {
  const pad = padding(heightMm) * point
  const isTall = box.height > box.width
  const inner = { x: box.x + pad, y: box.y + pad, width: box.width - 2 * pad, height: box.height - 2 * pad }
  const code = isTall ? inner.width : Math.min(inner.height, inner.width * 0.48)
  const size = Math.max(6, Math.min(28, (isTall ? inner.width : inner.height) / 9))
  const lines = [
    { text: heading, size: size * 0.72, most: 2 },
    { text: name, size: size * 1.15, bold: true, most: 3 },
    { text: serial, size: size * 0.85, most: 1 },
    { text: owner, size: size * 0.68, most: 1 },
  ]
  const gap = pad * 0.8
  const words: Box = isTall
    ? { x: inner.x, y: inner.y + code + gap, width: inner.width, height: inner.height - code - gap }
    : { x: inner.x + code + gap, y: inner.y, width: inner.width - code - gap, height: inner.height }
  return [
    {
      canvas: modulesOf(url, code),
      absolutePosition: { x: inner.x, y: isTall ? inner.y : inner.y + (inner.height - code) / 2 },
    },
    ...texts(lines, words, !isTall),
  ]
}

/** A QR code of this size in points, with a part of its border. */
function modulesOf(url: string, size: number): CanvasRect[] {
  const { side, runs } = qrRuns(url)
  const module = size / (side + 2 * codeBorder)
  return runs.map(({ x, y, width }) => ({
    type: 'rect',
    x: (codeBorder + x) * module,
    y: (codeBorder + y) * module,
    w: width * module,
    h: module,
    color: '#000000',
  }))
}

/** Labels as the bytes of a PDF. */
export async function labelsPdf({ paper, title, heading, labels, now }: LabelsDocument): Promise<Buffer> {
  const { page, columns, rows } = papers[paper]
  const [width, height] = [page[0] / columns, page[1] / rows]
  const perPage = columns * rows
  await loadFonts(textsOf(labels.map(({ name, owner }) => [name, owner, heading])))
  const content = labels.flatMap((label, number): Content[] => {
    const place = number % perPage
    const box = {
      x: (place % columns) * width * point,
      y: Math.floor(place / columns) * height * point,
      width: width * point,
      height: height * point,
    }
    const drawn = labelIn(label, heading, box, height).map((part) => drawnContent(part, box.width, 10))
    // The page of the next label begins here.
    return place === 0 && number > 0 ? [{ text: '', fontSize: 1, pageBreak: 'before' }, ...drawn] : drawn
  })
  return pdfmake
    .createPdf({
      pageSize: { width: page[0] * point, height: page[1] * point },
      pageMargins: 0,
      info: { title, creator: 'Gettone', creationDate: now },
      defaultStyle: { font: 'Roboto', fontSize: 10, lineHeight: 1 },
      content,
    })
    .getBuffer()
}
