import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply } from 'fastify'
import pdfmake from 'pdfmake'
import type { Content, ContentTable, TableCell } from 'pdfmake/interfaces.js'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { wordsIn } from '../words.ts'
import { cellPadding, columnWidths } from './column-widths.ts'

/*
 * Documents on A4: a title, whose they are, when they were printed, and their pages numbered. The fonts are those of pdfmake: Roboto has
 * the letters of all languages of Europe in Latin, Greek and Cyrillic.
 */

const fonts = join(dirname(fileURLToPath(import.meta.resolve('pdfmake/package.json'))), 'fonts', 'Roboto')

/** Takes the fonts from a folder. */
export const setPdfFonts = (folder = fonts) =>
  pdfmake.setFonts({
    Roboto: {
      normal: join(folder, 'Roboto-Regular.ttf'),
      bold: join(folder, 'Roboto-Medium.ttf'),
      italics: join(folder, 'Roboto-Italic.ttf'),
      bolditalics: join(folder, 'Roboto-MediumItalic.ttf'),
    },
  })
setPdfFonts()
// A document has texts of users: nothing is fetched for it, and no file is read beside the fonts.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(fonts))

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

/** Signs that the font lacks, as they are written instead. */
const replacements: Readonly<Record<string, string>> = { '\u202f': '\u00a0', '₲': 'Gs.', '₡': 'C' }

/** A text with only signs that the font can draw. */
export const drawable = (text: string): string => text.replaceAll(/[\u202f₲₡]/g, (sign) => replacements[sign] ?? sign)

/** Facts side by side, each with its name above. */
export const pdfFacts = (facts: readonly (readonly [name: string, value: string])[]): Content => ({
  columns: facts.map(([name, value]) => ({
    stack: [
      { text: drawable(name), color: inkSoft, fontSize: 8 },
      { text: drawable(value), fontSize: 10.5, margin: [0, 1, 0, 0] as [number, number, number, number] },
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
    text: drawable(text),
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
export function pdfOf({
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
  const at = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(now)
  const number = new Intl.NumberFormat(language)
  const foot = (text: string, alignment: 'left' | 'right') => ({
    text: drawable(text),
    alignment,
    fontSize: 8,
    color: inkSoft,
  })
  return pdfmake
    .createPdf({
      pageSize: 'A4',
      pageOrientation: isLandscape ? 'landscape' : 'portrait',
      pageMargins: [margin, margin + 12, margin, margin + 8],
      info: { title, author: merchant, creator: 'Gettone', creationDate: now },
      defaultStyle: { font: 'Roboto', fontSize, color: ink },
      header: () => ({ columns: [foot(merchant, 'left'), foot('Gettone', 'right')], margin: [margin, 26, margin, 0] }),
      footer: (page, pages) => ({
        columns: [
          foot(t('printedAt', { at: `${at} (${timeZone})` }), 'left'),
          foot(t('page', { page: number.format(page), pages: number.format(pages) }), 'right'),
        ],
        margin: [margin, 14, margin, 0],
      }),
      content: [
        { text: drawable(title), fontSize: 18, bold: true },
        { canvas: [{ type: 'rect', x: 0, y: 0, w: 36, h: 2.5, color: gold }], margin: [0, 6, 0, 8] },
        ...(subtitle
          ? [{ text: drawable(subtitle), color: inkSoft, margin: [0, 0, 0, 10] as [number, number, number, number] }]
          : []),
        ...content,
      ],
    })
    .getBuffer()
}

/** Answers a call with a document, which a browser saves under this name. */
export function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): undefined {
  const plain =
    name
      .normalize('NFKD')
      .replaceAll(/[^\w .-]/g, '')
      .trim() || 'document'
  const coded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${plain}.pdf"; filename*=UTF-8''${coded}.pdf`)
    .send(bytes)
  return undefined
}
