import { z } from 'zod'
import { Text } from '../frame/shapes.ts'
import { saying } from './broken.ts'

/*
 * Formatted text as it is stored: HTML of an allow-list, written in one way only. Whatever else a text holds (what an office
 * program pastes, what an attacker sends) is not in what `cleanRichText` writes, because it writes only what the list allows.
 */

/** Tags that stay, with the attributes they may have. */
const allowed: Record<string, Record<string, (value: string) => boolean>> = {
  p: {},
  strong: {},
  em: {},
  ul: {},
  ol: {},
  li: {},
  h2: {},
  h3: {},
  br: {},
  a: { href: (value) => /^(https?:\/\/|mailto:)[^\s"'<>\\]{1,2000}$/i.test(value) },
  img: {
    src: (value) => /^data:image\/(png|jpeg);base64,[\d+/=A-Za-z]+$/.test(value),
    alt: (value) => value.length <= 200,
  },
}
/** Synonyms of allowed tags. An unknown tag is removed, its text stays. */
const renamed: Record<string, string> = { b: 'strong', i: 'em', h1: 'h2', div: 'p' }
/** Tags whose text is not for readers. */
const unread = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'xml',
])
const alone = new Set(['br', 'img'])

const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: '\u00a0' }
const read = (text: string) =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,6}));?/gi, (whole, hex, decimal, name) => {
    if (name) return marks[name.toLowerCase()] ?? whole
    const code = Number.parseInt(hex ?? decimal, hex ? 16 : 10)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
const written = (text: string) =>
  read(text)
    .replaceAll('\0', '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;')
const writtenValue = (text: string) => written(text).replaceAll('"', '&quot;')

const token =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<(\/?)([a-z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)(?:>|$)|[^<]+|</gi
const attribute = /([\w:-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

function openingOf(tag: string, attributes: string): string | undefined {
  const known = allowed[tag] ?? {}
  let text = `<${tag}`
  const given = new Map(
    [...attributes.matchAll(attribute)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      read(values.find((one) => one !== undefined) ?? ''),
    ]),
  )
  for (const [name, isSound] of Object.entries(known)) {
    const value = given.get(name)
    if (value !== undefined && isSound(value)) text += ` ${name}="${writtenValue(value)}"`
    // A link without its address, or an image without its source, is removed.
    else if (name !== 'alt') return undefined
  }
  return `${text}>`
}

const closing = (tag: string) => `</${tag}>`

/** HTML in its stored form: only allowed tags, all closed. Cleaning again changes nothing. */
export function cleanRichText(html: string): string {
  const open: string[] = []
  let silent: string | undefined
  let clean = ''
  for (const [whole, slash, name, attributes = ''] of html.matchAll(token)) {
    const tag = name && (renamed[name.toLowerCase()] ?? name.toLowerCase())
    if (silent) {
      if (slash && tag === silent) silent = undefined
    } else if (tag === undefined) {
      if (!/^<[!?]/.test(whole)) clean += written(whole)
    } else if (slash) {
      // Close inner tags first; ignore closing tags that were never opened.
      if (open.includes(tag)) clean += open.splice(open.lastIndexOf(tag)).reverse().map(closing).join('')
    } else if (unread.has(tag)) {
      if (!attributes.endsWith('/')) silent = tag
    } else if (tag in allowed) {
      const opening = openingOf(tag, attributes)
      if (opening !== undefined) {
        clean += opening
        if (!alone.has(tag)) open.push(tag)
      }
    }
  }
  return clean + open.reverse().map(closing).join('')
}

/** The plain text without formatting. */
export const plainText = (html: string): string => read(html.replace(/<[^>]*>/g, ' ')).trim()

/** Maximum length of a text with its images, which leaves room for the rest of the form in one request. */
export const longestRichText = 900_000

/** Formatted text that may be stored as it is. */
export const RichText = Text.refine((html) => html.length <= longestRichText, {
  ...saying('richTextSize'),
  abort: true,
}).refine((html) => cleanRichText(html) === html, saying('richText'))

/** Whether a text has words or a picture. */
export const isRichTextSaid = (html: string) => plainText(html) !== '' || html.includes('<img')

/** A blog post has its content in Italian and in English. */
export const BlogContent = z.strictObject({ it: RichText, en: RichText }).superRefine((content, context) => {
  for (const language of ['it', 'en'] as const)
    if (!isRichTextSaid(content[language]))
      context.addIssue({ code: 'custom', ...saying('blogLanguages'), path: [language] })
})
