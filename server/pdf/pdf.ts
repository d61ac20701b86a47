import type { FastifyReply } from 'fastify'
import pdfmake from 'pdfmake'
import type { Content, ContentTable, TableCell } from 'pdfmake/interfaces.js'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { sendAttachment } from '../http/attachment.ts'
import { wordsIn } from '../words/words.ts'
import { cellPadding, columnWidths } from './column-widths.ts'
import { loadFonts } from './fonts.ts'
import { drawnContent, textsOf } from './runs.ts'

/* Documents on A4: a title, whose they are, when they were printed, and their pages numbered. */

const ink = '#1d1b16'
const inkSoft = '#6b665a'
const line = '#d8d3c6'
const shade = '#f4f1e9'
const gold = '#b8862b'

/** In points; a margin of about 15 mm. */
const margin = 42
const a4 = { width: 595.28, height: 841.89 }
const fontSize = 9.5
const headingSize = 8.5

/** A column of a table. `share` is its part of the rest of the width; otherwise it is as wide as its content. */
export interface PdfColumn {
  heading: string
  share?: number
  align?: 'left' | 'right'
}

export interface PdfPage {
  language: Language
  title: string
  /** A line under the title. */
  subtitle?: string | undefined
  merchant: string
  now: Date
  /** The merchant's. */
  timeZone: string
  content: Content[]
  isLandscape?: boolean
}

/** Facts side by side, each with its name above. */
export const pdfFacts = (facts: readonly (readonly [name: string, value: string])[]): Content => ({
  columns: facts.map(([name, value]) => ({
    stack: [
      { text: name, color: inkSoft, fontSize: 8 },
      { text: value, fontSize: 10.5, margin: [0, 1, 0, 0] as [number, number, number, number] },
    ],
  })),
  margin: [0, 0, 0, 14],
})

/** A table whose heading is repeated on each page; no row is torn apart. */
export function pdfTable(
  columns: readonly PdfColumn[],
  rows: readonly (readonly string[])[],
  { isLandscape = false }: { isLandscape?: boolean } = {},
): ContentTable {
  const cell = (text: string, at: number, more: object = {}): TableCell => ({
    text: text,
    alignment: columns[at]?.align ?? 'left',
    ...more,
  })
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: columnWidths(columns, rows, {
        pageWidth: (isLandscape ? a4.height : a4.width) - 2 * margin,
        fontSize,
        headingSize,
      }),
      body: [
        columns.map(({ heading }, at) => cell(heading, at, { bold: true, color: inkSoft, fontSize: headingSize })),
        ...rows.map((row) => row.map((text, at) => cell(text, at))),
      ],
    },
    layout: {
      hLineWidth: (at) => (at === 1 ? 0.8 : 0.4),
      vLineWidth: () => 0,
      hLineColor: () => line,
      fillColor: (row) => (row === 0 ? shade : null),
      paddingTop: () => 4,
      paddingBottom: () => 4,
      paddingLeft: () => cellPadding,
      paddingRight: () => cellPadding,
    },
  }
}

/** A document as its bytes. */
export async function pdfOf({
  language,
  title,
  subtitle,
  merchant,
  now,
  timeZone,
  content,
  isLandscape,
}: PdfPage): Promise<Buffer> {
  const t = wordsIn(language, 'pdf')
  const at = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    now,
  )
  const number = new Intl.NumberFormat(localeOf(language))
  const foot = (text: string, alignment: 'left' | 'right') => ({
    text: text,
    alignment,
    fontSize: 8,
    color: inkSoft,
  })
  const width = (isLandscape ? a4.height : a4.width) - 2 * margin
  const draw = (part: Content) => drawnContent(part, width, fontSize)
  await loadFonts(textsOf([title, subtitle, merchant, content]))
  return pdfmake
    .createPdf({
      pageSize: 'A4',
      pageOrientation: isLandscape ? 'landscape' : 'portrait',
      pageMargins: [margin, margin + 12, margin, margin + 8],
      info: { title, author: merchant, creator: 'Gettone', creationDate: now },
      defaultStyle: { font: 'Roboto', fontSize, color: ink },
      header: () =>
        draw({ columns: [foot(merchant, 'left'), foot('Gettone', 'right')], margin: [margin, 26, margin, 0] }),
      footer: (page, pages) =>
        draw({
          columns: [
            foot(t('printedAt', { at: `${at} (${timeZone})` }), 'left'),
            foot(t('page', { page: number.format(page), pages: number.format(pages) }), 'right'),
          ],
          margin: [margin, 14, margin, 0],
        }),
      content: draw([
        { text: title, fontSize: 18, bold: true },
        { canvas: [{ type: 'rect', x: 0, y: 0, w: 36, h: 2.5, color: gold }], margin: [0, 6, 0, 8] },
        ...(subtitle
          ? [{ text: subtitle, color: inkSoft, margin: [0, 0, 0, 10] as [number, number, number, number] }]
          : []),
        ...content,
      ]),
    })
    .getBuffer()
}

/** Answers a call with a document, which a browser saves under this name. */
export function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): undefined {
  return sendAttachment(reply, { name: `${name}.pdf`, type: 'application/pdf', content: bytes })
}
