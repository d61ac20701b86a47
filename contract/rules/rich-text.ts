import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { Text } from '../frame/shapes.ts'
import { htmlTokens } from './html-tokens.ts'

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

function openingOf(tag: string, attributes: ReadonlyMap<string, string>): string | undefined {
  let text = `<${tag}`
  for (const [name, isSound] of Object.entries(allowed[tag] ?? {})) {
    const value = attributes.get(name)
    const attribute = value === undefined ? undefined : read(value)
    if (attribute !== undefined && isSound(attribute)) text += ` ${name}="${writtenValue(attribute)}"`
    // A link without its address, or an image without its source, is removed.
    else if (name !== 'alt') return undefined
  }
  return `${text}>`
}

const closing = (tag: string) => `</${tag}>`

/** HTML in its stored form: only allowed tags, all closed. Cleaning again changes nothing. */
export function cleanRichText(html: string): string {
  const open: string[] = []
  const openCounts = new Map<string, number>()
  let silent: string | undefined
  let clean = ''
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      if (!silent) clean += written(token.text)
      continue
    }
    if (token.kind === 'other') continue
    const tag = renamed[token.name] ?? token.name
    if (silent) {
      if (token.isClosing && tag === silent) silent = undefined
    } else if (token.isClosing) {
      // Close inner tags first; ignore closing tags that were never opened.
      if (!openCounts.get(tag)) continue
      for (let inner = ''; inner !== tag; ) {
        inner = open.pop() ?? tag
        openCounts.set(inner, (openCounts.get(inner) ?? 1) - 1)
        clean += closing(inner)
      }
    } else if (unread.has(tag)) {
      if (!token.isEmpty) silent = tag
    } else if (Object.hasOwn(allowed, tag)) {
      const opening = openingOf(tag, token.attributes)
      if (opening !== undefined) {
        clean += opening
        if (alone.has(tag)) continue
        open.push(tag)
        openCounts.set(tag, (openCounts.get(tag) ?? 0) + 1)
      }
    }
  }
  return clean + open.reverse().map(closing).join('')
}

/** The plain text without formatting. */
export function plainText(html: string): string {
  let text = ''
  for (const token of htmlTokens(html)) text += token.kind === 'text' ? token.text : ' '
  return read(text).trim()
}

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
    if (content[language].length <= longestRichText && !isRichTextSaid(content[language]))
      context.addIssue({ code: 'custom', ...saying('blogLanguages'), path: [language] })
})
