/** A piece of escaped HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString() {
    return this.text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string)

export type HtmlValue = Html | string | number | boolean | null | undefined | readonly HtmlValue[]

const write = (value: HtmlValue): string => {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(write).join('')
  // An absent part writes nothing, so that `condition && html` works.
  return value === null || value === undefined || typeof value === 'boolean' ? '' : escape(String(value))
}

/** Writes HTML and escapes every value, except results of this tag. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.reduce((text, part, at) => text + write(values[at - 1]) + part))

/** Text that is HTML already, from our own files or from a library. */
export const raw = (text: string): Html => new Html(text)
